"""An answer to a question that comes too late is none."""

from __future__ import annotations

from fourfold.prove.asking import Misused, asked, may_ask, require_refused_state, watch_of
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.interrupting import let_pass
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LATER_S = 2 * 60 * 60
"""Longer than a person may take. That an answer in time is taken, state-survives-restart has shown."""


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watch_of(desk)
    asking = await asked(watch, tool, check=CHECK.name)
    let_pass(desk, _LATER_S)
    await require_refused_state(watch, Misused(what="a requestState whose time is over", round=asking))


CHECK = Check(
    name="late-answer-refused",
    family="effect",
    proves="an answer to a question that comes hours later is refused, and nothing happens",
    requires=("B8", "B10"),
    run=_run,
    applies=may_ask,
    writes=True,
)
