"""Runs that are put into the store of a desk as they are, for what no call of a small catalog leaves behind."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from fourfold.model.run import Closing, Run
from tests.console.desk import Desk
from tests.stores.records import run_at

__all__ = ["put", "put_closing", "recent"]


def put(desk: Desk, *runs: Run) -> None:
    """Store runs, in their order, and sum them up."""
    for run in runs:
        desk.kit._portal.call(partial(desk.kit._store.runs.append, run))
    desk.settle()


def put_closing(desk: Desk, closing: Closing) -> None:
    """Store what is known of a run at its end."""
    desk.kit._portal.call(desk.kit._store.runs.close, closing)


def recent(desk: Desk, number: int, **changes: Any) -> Run:
    """A run that arrived `number` seconds before the desk's clock says now."""
    placed: dict[str, Any] = {"run_id": f"run_{number:04}", "at_ms": desk.kit.clock.now_ms() - number * 1_000}
    return replace(run_at(0), **{**placed, **changes})
