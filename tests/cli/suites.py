"""Writes a suite for the shop into the current folder, with answers and results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.commands import Result
from tests.selection.suites import replay_text, shop_suite, suite_text

__all__ = ["FALLEN", "write_results", "write_suite"]

FALLEN = ("stock-0", "stock-1", "stock-2", "stock-3", "stock-4", "order-1")
"""What wrong.jsonl answers wrongly: six broken and none fixed is the least that is more than chance."""


def write_suite(*, samples: int = 1) -> None:
    """`suite.jsonl`, and the answers `right.jsonl` and `wrong.jsonl`."""
    cases = shop_suite()
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")
    Path("right.jsonl").write_text(replay_text(cases, samples=samples), "utf-8")
    Path("wrong.jsonl").write_text(replay_text(cases, failing=FALLEN, samples=samples), "utf-8")


def write_results(run: Callable[..., Result], *, samples: int = 1) -> None:
    """Those, and the results `right-result.jsonl` and `wrong-result.jsonl`."""
    write_suite(samples=samples)
    for name in ("right", "wrong"):
        words = ["--chooser", f"replay:{name}.jsonl", "--samples", str(samples), "--out", f"{name}-result.jsonl"]
        assert run("select", "run", "suite.jsonl", "shop:catalog", *words).code == 0
