"""A cursor is of the caller that it was given to."""

from __future__ import annotations

import json

from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.continuing import NO_SECOND_PAGE, first_page, has_cursor
from fourfold.prove.desk import SECOND, Desk
from fourfold.prove.masked import masked
from fourfold.prove.pages import entries
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_CHANGED = 8


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, following = await first_page(desk, tool, check=CHECK.name)
    own = await desk.call(tool.name, following)
    foreign = await desk.call(tool.name, following, by=SECOND)
    calls = (desk.sent_as(tool.name, arguments), desk.sent_as(tool.name, following, by=SECOND))
    if not succeeded(own):
        raise NotTested(f"its own caller is answered with {in_short(own)}", next_step=NO_SECOND_PAGE)
    if succeeded(foreign):
        shown = _texts(own) & _texts(foreign)
        if tool.tool.contract is not None or shown - _texts(await desk.call(tool.name, arguments, by=SECOND)):
            raise Broken("a cursor of another caller is accepted", *calls)
        return
    place = next(name for name in following if following[name] != arguments.get(name))
    made_up = {**following, place: str(following[place])[:-_CHANGED] + "A" * _CHANGED}
    absent = await desk.call(tool.name, made_up, by=SECOND)
    if masked(foreign) != masked(absent):
        detail = (
            f"a cursor of another caller is refused with {in_short(foreign)}, a made-up one with {in_short(absent)}"
        )
        raise Broken(detail, *calls, desk.sent_as(tool.name, made_up, by=SECOND))


def _texts(answer: ToolAnswer) -> set[str]:
    return {json.dumps(entry, sort_keys=True, default=str) for entry in entries(answer) or ()}


CHECK = Check(
    name="foreign-cursor-refused",
    family="tenant",
    proves="a cursor of another caller's is answered like a made-up one, and shows nothing of that caller's",
    requires=("B10", "B18"),
    run=_run,
    applies=has_cursor,
    callers=2,
)
