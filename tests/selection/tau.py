"""Reads the tau-bench airline runs that lie beside the checkout: recorded conversations, their tools, their rewards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.retries import TracedCall

__all__ = ["RUNS", "TAU", "Trial", "passed_of_tasks", "tools", "trials"]

TAU = Path(__file__).parents[3] / "shared" / "data" / "selection" / "tau-airline"
RUNS = TAU / "gpt-4o-runs.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run of one task. It passed if the database is as it should be at the end, which is a reward of 1."""

    task: int
    passed: bool
    messages: Sequence[JsonObject]

    @property
    def calls(self) -> tuple[TracedCall, ...]:
        """The calls in their order; a result that begins with `Error` is one."""
        results = (each for each in self.messages if each["role"] == "tool")
        return tuple(TracedCall(tool=each["name"], failed=each["content"].startswith("Error")) for each in results)


def trials() -> Iterator[Trial]:
    """Every run that lies there."""
    with RUNS.open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            yield Trial(task=row["task_id"], passed=row["reward"] == 1, messages=row["messages"])


def tools() -> tuple[OfferedTool, ...]:
    """The tools that the model was offered."""
    return offered_tools(json.loads((TAU / "catalog.json").read_text("utf-8"))["tools"])


def passed_of_tasks() -> list[int]:
    """Of each task, how many of its four runs passed."""
    counts = Counter[int]()
    for trial in trials():
        counts[trial.task] += trial.passed
    return [*counts.values()]
