"""The benchmarks: `python -m benchmarks.run [--quick] [--json]`. `scripts/bench` runs them where FastMCP is installed.

They measure and judge nothing: the exit code is 0 unless a contender fails or answers something else.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.child import CONTENDERS, installed, serving
from benchmarks.parts import measure_parts
from benchmarks.report import Report, table
from benchmarks.rounds import Plan, check_answers, over_http, over_stdio
from benchmarks.serve import HAS_UVLOOP
from benchmarks.sizes import measure_sizes

__all__ = ["FULL", "QUICK", "main", "measure"]

FULL = Plan(rounds=5, seconds=0.7, part_seconds=0.1)
"""About three minutes."""

QUICK = Plan(rounds=2, seconds=0.2, part_seconds=0.03)
"""About 40 seconds; good for seeing that it works, too short to compare."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fifth of the time, much less to rely on")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args()
    for name in set(CONTENDERS) - set(installed()):
        print(f"bench: {name} is not installed here and is left out; scripts/bench installs it", file=sys.stderr)
    report = measure(QUICK if chosen.quick else FULL)
    print(json.dumps(report.as_json(), indent=2) if chosen.json else table(report))


def measure(plan: Plan) -> Report:
    """Measure everything in a temporary folder.

    Raises:
        WrongAnswer: a contender failed or did not answer what the others did.
    """
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(installed(), folder) as children:
            check_answers(children)
            rows = over_http(children, plan)
        rows += over_stdio(folder, plan)
        parts = [*measure_parts(folder, plan), *measure_sizes(folder, plan)]
    return Report(
        rows=tuple(rows),
        parts=tuple(parts),
        load=(before, os.getloadavg()[0]),
        loop="uvloop and httptools" if HAS_UVLOOP else "asyncio and h11",
    )


if __name__ == "__main__":
    main()
