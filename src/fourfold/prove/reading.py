"""What protocol checks call: tools that only read, with arguments that are known or made up; and the raw list."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.peer import Peer, Reply, as_object
from fourfold.review.view import ToolView

__all__ = ["call_a_read", "calls_of_reads", "listed_pages", "listed_tools", "some_read"]

_PAGES = 50
_TOOLS = 5
_STEP = "mark a tool that only reads with readOnlyHint, and give arguments that work in [prove]"


def some_read(desk: Desk) -> ToolView:
    """A tool that only reads: one that has answered in this run, if there is any.

    Raises:
        NotTested: nothing says of any tool that it only reads.
    """
    reads = [tool for tool in desk.view.tools if is_read(tool)]
    if not reads:
        raise NotTested("nothing says of any tool that it only reads", next_step=_STEP)
    return next((tool for tool in reads if tool.name in desk.learned), reads[0])


async def call_a_read(desk: Desk, peer: Peer, *, check: str, meta: JsonObject | None = None) -> Reply:
    """One call of a tool that only reads, whether it succeeds or not.

    Raises:
        NotTested: there is no such tool, or no arguments can be made up for it.
    """
    tool = some_read(desk)
    sample = next(valid_arguments(desk, tool, check=check, most=1))
    return await peer.call(tool.name, sample.value, meta=meta)


async def calls_of_reads(desk: Desk, peer: Peer, *, check: str) -> AsyncIterator[tuple[ToolView, Reply]]:
    """One call each of the first few tools that only read."""
    reads = [tool for tool in desk.view.tools if is_read(tool)]
    known_first = sorted(reads, key=lambda tool: tool.name not in desk.learned)
    for tool in known_first[:_TOOLS]:
        for arguments in _arguments(desk, tool, check):
            yield tool, await peer.call(tool.name, arguments)


def _arguments(desk: Desk, tool: ToolView, check: str) -> Iterator[JsonObject]:
    try:
        yield next(valid_arguments(desk, tool, check=check, most=1)).value
    except NotTested:
        return


async def listed_pages(peer: Peer) -> tuple[JsonObject, ...]:
    """Every page of `tools/list` as it came; the last one has a cursor if there were too many.

    Raises:
        NotTested: a page did not come.
    """
    pages: list[JsonObject] = []
    cursor: object = None
    while len(pages) < _PAGES:
        page = await peer.ask("tools/list", {} if cursor is None else {"cursor": cursor})
        if page.result is None:
            raise NotTested(f"tools/list is answered with {page.shown}", next_step="make it answer a good request")
        pages.append(page.result)
        cursor = page.result.get("nextCursor")
        if cursor is None:
            break
    return tuple(pages)


async def listed_tools(peer: Peer) -> list[JsonObject]:
    """The tools of all pages.

    Raises:
        NotTested: a page did not come.
    """
    listed = [page.get("tools") for page in await listed_pages(peer)]
    tools = [tool for page in listed if isinstance(page, list) for tool in cast("list[object]", page)]
    return [found for tool in tools if (found := as_object(tool)) is not None]
