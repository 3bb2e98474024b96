"""Recorded cases: each is claimed by a test or stands on the list of open ones, which only shrinks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.meta.repository import SHARED, product_tests

_LIST = Path(__file__).with_name("cases_open.txt")
_CASE = re.compile(r"\bMP-\d{3}\b")


@pytest.fixture(scope="module")
def claimed() -> set[str]:
    """Every case that a test names."""
    return {found for test in product_tests() for found in _CASE.findall(test.docstring)}


@pytest.fixture(scope="module")
def still_open() -> list[str]:
    """Every case on the list, in its order."""
    return [line for line in _LIST.read_text("utf-8").splitlines() if _CASE.fullmatch(line)]


def test_a_claimed_case_is_off_the_list(claimed: set[str], still_open: list[str]) -> None:
    """Take these lines out of cases_open.txt and lower its number."""
    assert not sorted(claimed.intersection(still_open))


def test_the_list_only_shrinks(still_open: list[str]) -> None:
    """The number goes down with each line that goes; raising it needs an argument in review."""
    limits = re.findall(r"^at most (\d+)$", _LIST.read_text("utf-8"), re.MULTILINE)

    assert limits == [str(len(still_open))]
    assert still_open == sorted({*still_open})


def test_every_case_is_claimed_or_open(claimed: set[str], still_open: list[str]) -> None:
    """None is forgotten, and none is made up."""
    if not (SHARED / "cases").is_dir():
        pytest.skip("no ../shared/cases beside this checkout to compare with")
    existing = {path.stem for path in (SHARED / "cases").glob("MP-*.json")}

    assert claimed.union(still_open) == existing
