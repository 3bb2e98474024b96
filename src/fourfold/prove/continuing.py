"""A list that goes on: a call whose answer has a next page, and the call for that page."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.pages import Pager, issued_cursor, pager_of
from fourfold.review.view import ToolView

__all__ = ["NO_SECOND_PAGE", "first_page", "has_cursor"]

NO_SECOND_PAGE = "give a call of it whose list has more than one page in [prove]"
"""What would make a check of cursors possible."""

_MOST = 4


def has_cursor(tool: ToolView) -> bool:
    """Whether it only reads, and a cursor continues what it lists."""
    pager = pager_of(tool)
    return pager is not None and pager.kind == "cursor" and is_read(tool)


async def first_page(desk: Desk, tool: ToolView, *, check: str) -> tuple[JsonObject, JsonObject]:
    """A call whose answer has a next page, and the call for that page.

    Raises:
        NotTested: no answer of it has one.
    """
    pager = pager_of(tool)
    if pager is None:
        raise NotTested("no argument continues its list", next_step="let it take a cursor")
    for arguments in _lists(desk, tool, pager=pager, check=check):
        answer = await desk.call(tool.name, arguments)
        cursor = issued_cursor(answer) if succeeded(answer) else None
        if cursor is not None:
            return arguments, {**arguments, pager.place: cursor}
    raise NotTested("no answer of it gave a cursor", next_step=NO_SECOND_PAGE)


def _lists(desk: Desk, tool: ToolView, *, pager: Pager, check: str) -> Iterator[JsonObject]:
    few = {} if pager.limit is None else {pager.limit.name: 1}
    if tool.name in desk.learned:
        yield {**desk.learned[tool.name], **few}
    for sample in valid_arguments(desk, tool, check=check, most=_MOST):
        yield {**{name: value for name, value in sample.value.items() if name != pager.place}, **few}
