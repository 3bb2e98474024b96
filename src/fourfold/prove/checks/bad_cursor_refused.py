"""A cursor that was not issued for this call is refused, not answered with some page."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk, code_of
from fourfold.prove.pages import Pager, issued_cursor, pager_of
from fourfold.prove.working import working
from fourfold.review.listing import MADE_UP_CURSOR
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_CODES = ("cursor_invalid", "invalid_arguments")


async def _run(desk: Desk, tool: ToolView) -> None:
    pager = pager_of(tool)
    if pager is None:
        return
    found, _ = await working(desk, tool, check=CHECK.name)
    arguments = {name: value for name, value in found.items() if name != pager.place}
    if pager.limit is not None:
        arguments = {**arguments, pager.limit.name: 1}
    first = await desk.call(tool.name, arguments)
    issued = issued_cursor(first)
    if issued and tool.tool.contract is not None:
        await _other_filters(desk, tool, pager, sent={**arguments, pager.place: issued})
    for kind, cursor in _bad(str(issued) if issued and tool.tool.contract is not None else ""):
        sent = {**arguments, pager.place: cursor}
        answer = await desk.call(tool.name, sent)
        if succeeded(answer):
            raise Broken(f"a {kind} cursor was answered as if it were a real one", desk.sent_as(tool.name, sent))
        if tool.tool.contract is not None and code_of(answer) not in _CODES:
            raise Broken(f"a {kind} cursor was answered with {in_short(answer)}", desk.sent_as(tool.name, sent))


async def _other_filters(desk: Desk, tool: ToolView, pager: Pager, *, sent: JsonObject) -> None:
    """See that the cursor of one list is none of another one's: of the same tool with other filters."""
    aside = {pager.place, pager.limit.name if pager.limit is not None else ""}
    meant = _filters(tool, sent, aside=aside)
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        filters = _filters(tool, sample.value, aside=aside)
        if filters == meant or not succeeded(await desk.call(tool.name, filters)):
            continue
        other = {**filters, **{name: sent[name] for name in aside & sent.keys()}}
        if succeeded(await desk.call(tool.name, other)):
            raise Broken("the cursor of a list with other filters was answered", desk.sent_as(tool.name, other))
        return


def _filters(tool: ToolView, arguments: JsonObject, *, aside: set[str]) -> JsonObject:
    """The arguments that say what is listed; what is the default is the same as nothing."""
    defaults = {place.name: place.resolved.get("default") for place in tool.arguments if len(place.parents) == 1}
    named = {name: value for name, value in arguments.items() if name not in aside}
    return {name: value for name, value in named.items() if value is not None and value != defaults.get(name)}


def _bad(issued: str) -> Iterator[tuple[str, str]]:
    yield "made-up", MADE_UP_CURSOR
    if issued:
        # A stranger's cursor may be a plain number, and its neighbour a real one.
        middle = len(issued) // 2
        yield "changed", issued[:middle] + ("A" if issued[middle] != "A" else "B") + issued[middle + 1 :]
        yield "shortened", issued[:-1]


def _takes_cursor(tool: ToolView) -> bool:
    pager = pager_of(tool)
    return pager is not None and pager.kind == "cursor"


CHECK = Check(
    name="bad-cursor-refused",
    family="contract",
    proves="a cursor that was not issued is refused",
    requires=("B10",),
    run=_run,
    applies=_takes_cursor,
)
