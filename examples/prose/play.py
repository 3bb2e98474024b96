"""Plays the traffic before and after the change into a store, each call at its time, and nothing else.

python play.py reports.db
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import after
import before

from fourfold import Catalog
from fourfold.testing import FixedClock, caller, open_kit

_TRAFFIC = Path(__file__).with_name("traffic")


def play(catalog: Catalog, traffic: Path, *, store: Path) -> int:
    """Make every call of `traffic` at the time that it has there; how many there were."""
    calls: list[dict[str, Any]] = [json.loads(line) for line in traffic.read_text("utf-8").splitlines()]
    clock = FixedClock()
    with open_kit(catalog, clock=clock, store=store) as kit:
        for call in calls:
            clock.ms = round(datetime.fromisoformat(call["at"]).timestamp() * 1_000)
            kit.call("run_report", call["arguments"], by=caller(call["principal"]))
    return len(calls)


if __name__ == "__main__":
    chosen = Path(sys.argv[1] if len(sys.argv) > 1 else "reports.db")
    first = play(before.catalog, _TRAFFIC / "before.jsonl", store=chosen)
    second = play(after.catalog, _TRAFFIC / "after.jsonl", store=chosen)
    sys.stdout.write(f"{first} calls before, {second} after\n")
