"""The parts of the pages that the code knows are as the code says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

_PAGES = ("cli.md", "errors.md", "budget.md", "portability.md", "telemetry.md")
"""Pages with a generated part; the generator wants all of them."""


@pytest.mark.parametrize("name", _PAGES)
def test_a_generated_part_is_up_to_date(name: str, tmp_path: Path) -> None:
    """After a change to a help text or a code: python scripts/generate_docs.py."""
    for page in _PAGES:
        shutil.copy(ROOT / "docs" / page, tmp_path)

    subprocess.run([sys.executable, ROOT / "scripts/generate_docs.py", tmp_path], check=True)

    assert (tmp_path / name).read_text("utf-8") == (ROOT / "docs" / name).read_text("utf-8")


def test_the_pages_of_the_rules_are_up_to_date(tmp_path: Path) -> None:
    """D2: one page for each rule, as its module says: python scripts/generate_docs.py."""
    for page in _PAGES:
        shutil.copy(ROOT / "docs" / page, tmp_path)

    subprocess.run([sys.executable, ROOT / "scripts/generate_docs.py", tmp_path], check=True)

    written = {page.name: page.read_text("utf-8") for page in (tmp_path / "rules").iterdir()}
    assert written == {page.name: page.read_text("utf-8") for page in (ROOT / "docs/rules").iterdir()}


def test_the_schema_of_a_case_is_up_to_date(tmp_path: Path) -> None:
    """A8: what docs/schemas/case.json says is what the reader of a suite goes by."""
    for page in _PAGES:
        shutil.copy(ROOT / "docs" / page, tmp_path)

    subprocess.run([sys.executable, ROOT / "scripts/generate_docs.py", tmp_path], check=True)

    written = (tmp_path / "schemas/case.json").read_text("utf-8")
    assert written == (ROOT / "docs/schemas/case.json").read_text("utf-8")
