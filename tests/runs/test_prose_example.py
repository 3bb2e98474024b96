"""The worked example of a migration prints what its page says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.commands import fourfold
from tests.meta.repository import ROOT

_EXAMPLE = ROOT / "examples/prose"


def test_the_page_of_the_example_says_what_is_printed(tmp_path: Path) -> None:
    """A14: the retry rate of one tool before and after it was typed, from its traffic to the last line."""
    page = (_EXAMPLE / "README.md").read_text("utf-8")
    path = tmp_path / "reports.db"
    store = ("--store", f"sqlite:///{path}")

    played = subprocess.run([sys.executable, "play.py", path], cwd=_EXAMPLE, check=True, capture_output=True, text=True)
    change = fourfold("runs", "retry-rate", "--tool", "run_report", "--around", "2026-11-01", *store)
    by_code = fourfold("runs", "retry-rate", "--tool", "run_report", "--by", "code", "--since", "2026-10-18", *store)

    for printed in (played.stdout, change.out, by_code.out):
        assert printed
        assert printed in page


def test_every_second_attempt_at_the_typed_tool_was_right(tmp_path: Path) -> None:
    """A14, A4: of ten refused calls; with prose, an operation took up to three attempts."""
    path = tmp_path / "reports.db"
    subprocess.run([sys.executable, "play.py", path], cwd=_EXAMPLE, check=True, capture_output=True)

    asked = ("--by", "code", "--since", "2026-10-18", "--json", "--store", f"sqlite:///{path}")
    rates = {rate["key"]: rate for rate in json.loads(fourfold("runs", "retry-rate", *asked).out)["rates"]}

    typed, prose = rates["invalid_arguments"], rates["not_understood"]
    assert (typed["operations"], typed["attempts"]) == (10, 20)
    assert prose["attempts"] > 2 * prose["operations"] - 1
