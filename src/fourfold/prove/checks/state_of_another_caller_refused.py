"""A `requestState` is of the caller whom the question was put to."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from fourfold.prove.answered import in_short
from fourfold.prove.asking import Asked, Misused, asked, may_ask, require_refused_state, require_taken, watch_of
from fourfold.prove.books import Watch
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import SECOND, Desk
from fourfold.prove.masked import masked
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_WHAT = "the requestState of another caller"


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watch_of(desk)
    asking = await asked(watch, tool, check=CHECK.name)
    await require_refused_state(watch, Misused(what=_WHAT, round=replace(asking, by=SECOND)))
    # Who may not even call about this was refused for that. Their own call is another matter.
    with suppress(NotTested):
        own = await asked(watch, tool, check=CHECK.name, by=SECOND)
        await _in_their_own_call(watch, own, state=asking.state)
    await require_taken(desk, asking)


async def _in_their_own_call(watch: Watch, own: Asked, *, state: str) -> None:
    """It is refused there, too, and in the words that a made-up one is refused with."""
    foreign = Misused(what=_WHAT, round=replace(own, state=state))
    made_up = Misused(what="a made-up requestState", round=replace(own, state=f"{state[:-12]}AAAAAAAAAAAA"))
    answers = [await require_refused_state(watch, each) for each in (foreign, made_up)]
    if masked(answers[0]) != masked(answers[1]):
        detail = f"{_WHAT} is refused with {in_short(answers[0])}, a made-up one with {in_short(answers[1])}"
        raise Broken(detail, *own.calls)


CHECK = Check(
    name="state-of-another-caller-refused",
    family="effect",
    proves="the requestState of somebody else is refused like one that never was",
    requires=("B8", "B18"),
    run=_run,
    applies=may_ask,
    writes=True,
    callers=2,
)
