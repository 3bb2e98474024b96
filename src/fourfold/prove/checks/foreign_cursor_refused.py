"""A cursor is of the caller that it was given to."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import SECOND, Desk, is_read
from fourfold.prove.masked import masked
from fourfold.prove.pages import Pager, entries, issued_cursor, pager_of
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST = 4
_CHANGED = 8
_STEP = "give a call of it whose list has more than one page in [prove]"


async def _run(desk: Desk, tool: ToolView) -> None:
    pager = pager_of(tool)
    if pager is None:
        raise NotTested("no argument continues its list", next_step="let it take a cursor")
    arguments, cursor = await _first_page(desk, tool, pager)
    following = {**arguments, pager.place: cursor}
    own = await desk.call(tool.name, following)
    foreign = await desk.call(tool.name, following, by=SECOND)
    calls = (desk.sent_as(tool.name, arguments), desk.sent_as(tool.name, following, by=SECOND))
    if not succeeded(own):
        raise NotTested(f"its own caller is answered with {in_short(own)}", next_step=_STEP)
    if succeeded(foreign):
        shown = _texts(own) & _texts(foreign)
        if tool.tool.contract is not None or shown - _texts(await desk.call(tool.name, arguments, by=SECOND)):
            raise Broken("a cursor of another caller is accepted", *calls)
        return
    made_up = {**following, pager.place: str(cursor)[:-_CHANGED] + "A" * _CHANGED}
    absent = await desk.call(tool.name, made_up, by=SECOND)
    if masked(foreign) != masked(absent):
        detail = (
            f"a cursor of another caller is refused with {in_short(foreign)}, a made-up one with {in_short(absent)}"
        )
        raise Broken(detail, *calls, desk.sent_as(tool.name, made_up, by=SECOND))


async def _first_page(desk: Desk, tool: ToolView, pager: Pager) -> tuple[JsonObject, object]:
    """A call whose answer has a next page, and the cursor of that."""
    for arguments in _lists(desk, tool, pager):
        answer = await desk.call(tool.name, arguments)
        cursor = issued_cursor(answer) if succeeded(answer) else None
        if cursor is not None:
            return arguments, cursor
    raise NotTested("no answer of it gave a cursor", next_step=_STEP)


def _lists(desk: Desk, tool: ToolView, pager: Pager) -> Iterator[JsonObject]:
    few = {} if pager.limit is None else {pager.limit.name: 1}
    if tool.name in desk.learned:
        yield {**desk.learned[tool.name], **few}
    for sample in valid_arguments(desk, tool, check=CHECK.name, most=_MOST):
        yield {**{name: value for name, value in sample.value.items() if name != pager.place}, **few}


def _texts(answer: ToolAnswer) -> set[str]:
    return {json.dumps(entry, sort_keys=True, default=str) for entry in entries(answer) or ()}


def _applies(tool: ToolView) -> bool:
    pager = pager_of(tool)
    return pager is not None and pager.kind == "cursor" and is_read(tool)


CHECK = Check(
    name="foreign-cursor-refused",
    family="tenant",
    proves="a cursor of another caller's is answered like a made-up one, and shows nothing of that caller's",
    requires=("B10", "B18"),
    run=_run,
    applies=_applies,
    callers=2,
)
