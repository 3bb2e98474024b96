"""Requirements and tests name each other: the manifest, the tests and the list of requirements agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.meta.repository import SHARED, product_tests

_MANIFEST = Path(__file__).with_name("requirements.toml")
_ID = re.compile(r"\b[A-D]\d{1,2}\b")
_ROW = re.compile(r"^\| ([A-D]\d+(?:/[A-D]\d+)*) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def manifest() -> dict[str, str]:
    """State by requirement id, as committed."""
    return tomllib.loads(_MANIFEST.read_text("utf-8"))


@pytest.fixture(scope="module")
def named() -> set[str]:
    """Every requirement id that a test names."""
    return {found for test in product_tests() for found in _ID.findall(test.docstring)}


def test_a_requirement_is_done_or_open(manifest: dict[str, str]) -> None:
    """Nothing is half promised."""
    assert {*manifest.values()} <= {"done", "open"}


def test_what_is_done_is_named_by_a_test(manifest: dict[str, str], named: set[str]) -> None:
    """A promise without a test is a claim."""
    assert not sorted({each for each, state in manifest.items() if state == "done"} - named)


def test_tests_name_only_requirements_that_exist(manifest: dict[str, str], named: set[str]) -> None:
    """A slip of the pen would prove nothing."""
    assert not sorted(named - {*manifest})


def test_the_manifest_lists_the_requirements_beside_the_checkout(manifest: dict[str, str]) -> None:
    """The list that the project is built from has neither more nor fewer ids."""
    source = SHARED / "requirements.md"
    if not source.exists():
        pytest.skip("no ../shared/requirements.md beside this checkout to compare with")
    rows = _ROW.findall(source.read_text("utf-8"))

    assert {each for row in rows for each in row.split("/")} == {*manifest}
