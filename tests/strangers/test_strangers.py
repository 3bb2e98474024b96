"""Two servers of others, proved and reviewed as anybody would; `scripts/soak strangers` does all there are."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.strangers.run import reports, run_command
from tests.strangers.servers import STRANGERS, Stranger, locked_version

ONLY = ("valid-is-answered", "invalid-is-refused", "nothing-leaks", "list-is-stable")
PAGE = Path(__file__).parents[2] / "docs/strangers.md"

FAILED = {
    "mcp-server-time": {("nothing-leaks", "get_current_time"), ("nothing-leaks", "convert_time")},
    "mcp-server-git": {
        ("invalid-is-refused", name) for name in ("git_diff", "git_diff_staged", "git_diff_unstaged", "git_log")
    },
}
"""What fails, each of it seen by hand; anything else would be a false alarm, or news."""

SHOWN = {"mcp-server-time": "[Errno 36] File name too long: '/", "mcp-server-git": "Commit history:"}
"""What the first failure's own line shows, when it is run as it is printed."""


@pytest.mark.parametrize("stranger", [it for it in STRANGERS if it.package in FAILED], ids=lambda it: it.package)
def test_a_server_of_others_fails_where_it_is_at_fault_and_nowhere_else(stranger: Stranger, tmp_path: Path) -> None:
    """B12, D7: nothing of ours crashes on it, and the line under a failure shows the failure again."""
    found = reports(stranger, tmp_path, only=ONLY)
    failed = [verdict for verdict in found.proof["verdicts"] if verdict["status"] == "failed"]

    assert {(verdict["check"], verdict["tool"]) for verdict in failed} == FAILED[stranger.package]
    assert (found.proof["summary"]["passed"] > 0, len(found.review["findings"]) > 0) == (True, True)
    assert SHOWN[stranger.package] in shown_by(failed[-1], tmp_path)


def shown_by(verdict: Mapping[str, Any], folder: Path) -> str:
    """What is printed when somebody pastes the line under a failure."""
    command = shlex.split(verdict["calls"][-1]["command"])
    assert command[0] == "fourfold"
    ended = run_command(*command[1:], at=folder)
    return ended.stdout + ended.stderr


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda it: it.package)
def test_the_page_has_the_version_that_is_locked(stranger: Stranger) -> None:
    """B12: after a new lock, run `scripts/soak strangers` and write down what is different."""
    assert f"| {stranger.package} | {locked_version(stranger)} |" in PAGE.read_text("utf-8")


def test_the_lock_names_no_registry() -> None:
    """B13: it installs from whatever registry npm is told to use."""
    lock = Path(__file__).with_name("package-lock.json").read_text("utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
