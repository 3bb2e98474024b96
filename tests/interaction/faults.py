"""What the kill tests found, written down by themselves, and `docs/faults.md` made of it.

Usage: python -m tests.interaction.faults FILE   `scripts/soak kills` sets FOURFOLD_FAULTS to a file and calls this.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Found", "write_down"]

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

Beside these: a process that is stopped past its lease and goes on settles nothing (`tests/stages/test_outside.py`),
PostgreSQL that is restarted at once under load loses nothing (`tests/interaction/test_postgres_kill.py`), and thousands
of seeded histories with deaths, jumps of time and moods of the other system hold the same (`tests/simulation`).
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


def write_down(found: Found) -> None:
    """Append what was found to the file that FOURFOLD_FAULTS names, if it names one."""
    file = os.environ.get("FOURFOLD_FAULTS")
    if file:
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(found)) + "\n")


def page_of(lines: str) -> str:
    """The page with one row for each line, in the order of effects and stores."""
    rows = sorted((Found(**json.loads(line)) for line in lines.splitlines()), key=lambda row: (row.effect, row.store))
    return _PAGE.format(rows="\n".join(map(_row, rows)))


def _row(found: Found) -> str:
    words = [value if isinstance(value, str) else f"{value:,}" for value in asdict(found).values()]
    return f"| {' | '.join(words)} |"


if __name__ == "__main__":
    (ROOT / "docs/faults.md").write_text(page_of(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
