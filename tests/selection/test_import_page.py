"""The page about imports says what the code says."""

from __future__ import annotations

from fourfold.selection.importing.decision import FORMATS, HINDRANCES
from tests.meta.repository import ROOT


def test_the_page_names_every_format_and_every_reason() -> None:
    """A8: in the words that the command prints."""
    page = (ROOT / "docs/selection.md").read_text("utf-8").partition("\n## Import\n")[2].partition("\n## ")[0]

    assert [form for form in FORMATS if f"| `{form}` |" not in page] == []
    assert [reason for reason, means in HINDRANCES.items() if f"| `{reason}` | {means} |" not in page] == []
