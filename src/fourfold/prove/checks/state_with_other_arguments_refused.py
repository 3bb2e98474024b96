"""What a person agreed to is done as it was asked, and not with other arguments."""

from __future__ import annotations

from dataclasses import replace

from fourfold.prove.asking import Misused, asked, may_ask, require_refused_state, require_taken, watch_of
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watch_of(desk)
    asking = await asked(watch, tool, check=CHECK.name)
    other = await asked(watch, tool, check=f"{CHECK.name} once more", unlike=asking.arguments)
    misused = replace(asking, arguments=other.arguments, calls=(*asking.calls, *other.calls))
    await require_refused_state(watch, Misused(what="the requestState of a call with other arguments", round=misused))
    await require_taken(desk, asking)


CHECK = Check(
    name="state-with-other-arguments-refused",
    family="effect",
    proves="a question that was answered counts for the arguments that it was asked about, and for no others",
    requires=("B8", "C7"),
    run=_run,
    applies=may_ask,
    writes=True,
)
