"""What the kill tests found, written down by themselves, and `docs/faults.md` made of it.

Usage: python -m tests.interaction.faults FILE   `scripts/soak kills` sets FOURFOLD_FAULTS to a file and calls this.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["Found", "Stopped", "write_down"]

ROOT = Path(__file__).parents[2]

_PAGE = """# Faults: what was killed, and what was lost

`scripts/soak kills` ends a process with SIGKILL before each statement of a write in turn, and around the request to the
other system, again and again. The client repeats with the same key until it is answered. This page is the harness's own
output. kill -9 shows the death of a process; it does not show the loss of power.

| effect | store | kills | at different points | operations | done twice | acknowledged and lost | unknown |
|---|---|---|---|---|---|---|---|
{rows}

`unknown` may only stand where the other system takes no key and answers no question (`Blind`); there, nothing is done
a second time, and a person decides (`fourfold claims settle`).

A process may also only be stopped: SIGSTOP while it waits for the other system, another one takes over and finishes,
SIGCONT. Both ask with one key, so the other system does it once; the one that was stopped is refused when it settles.

| store | stopped owners | refused when they went on | done twice |
|---|---|---|---|
{stopped}

Beside these: PostgreSQL that is restarted at once under load loses nothing (`tests/interaction/test_postgres_kill.py`),
and thousands of seeded histories with deaths, jumps of time and moods of the other system hold the same
(`tests/simulation`).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one kill test found."""

    effect: str
    store: str
    kills: int
    points: int
    operations: int
    twice: int
    lost: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """What the test of stopped owners found."""

    store: str
    rounds: int
    refused: int
    twice: int


def write_down(found: Found | Stopped) -> None:
    """Append what was found to the file that FOURFOLD_FAULTS names, if it names one."""
    file = os.environ.get("FOURFOLD_FAULTS")
    if file:
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({type(found).__name__: asdict(found)}) + "\n")


def page_of(lines: str) -> str:
    """The page with one row for each line, in the order of effects and stores."""
    found = [json.loads(line) for line in lines.splitlines()]
    return _PAGE.format(rows=_rows(found, "Found"), stopped=_rows(found, "Stopped"))


def _rows(found: Sequence[Mapping[str, Mapping[str, Any]]], table: str) -> str:
    rows = [tuple(line[table].values()) for line in found if table in line]
    return "\n".join(_row(row) for row in sorted(rows))


def _row(values: Sequence[object]) -> str:
    return f"| {' | '.join(value if isinstance(value, str) else f'{value:,}' for value in values)} |"


if __name__ == "__main__":
    (ROOT / "docs/faults.md").write_text(page_of(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
