"""A `requestState` that was changed is no `requestState` any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fourfold.prove.asking import Misused, asked, may_ask, require_refused_state, require_taken, watch_of
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_PLACES = 5
_BEFORE_END = 4


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watch_of(desk)
    asking = await asked(watch, tool, check=CHECK.name)
    for what, state in _changed(asking.state):
        await require_refused_state(watch, Misused(what=what, round=replace(asking, state=state), by_protocol=True))
    await require_taken(desk, asking)


def _changed(state: str) -> Iterator[tuple[str, str]]:
    """Not at its very end, where some spellings of base64 have bits that mean nothing, and as it may be spelled."""
    for at in (*(len(state) * part // _PLACES for part in range(1, _PLACES)), len(state) - _BEFORE_END):
        yield "a changed requestState", state[:at] + _other(state[at : at + 1]) + state[at + 1 :]
    yield "half a requestState", state[: len(state) // 2]
    yield "an empty requestState", ""
    yield "a made-up requestState", "eyJhcHByb3ZlZCI6dHJ1ZX0"


def _other(mark: str) -> str:
    """Another mark of its kind, such as another hexadecimal digit."""
    kind = "01" if mark.isdigit() else "ab" if mark.islower() else "AB"
    return kind[mark == kind[0]]


CHECK = Check(
    name="changed-state-refused",
    family="effect",
    proves="a requestState that was changed is refused, and nothing happens",
    requires=("B8", "B10", f"{SPEC}/basic/patterns/mrtr"),
    run=_run,
    applies=may_ask,
    writes=True,
)
