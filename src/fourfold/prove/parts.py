"""Lists whose entries are parts of one whole: the calls that divide it otherwise, and the list as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.prove.desk import Desk
from fourfold.prove.pages import Walk, entries, pager_of, walk
from fourfold.review.view import ToolView

__all__ = ["divisions", "listed_by", "records"]

_MOST_PAGES = 20
_VALUES = 6


def divisions(tool: ToolView, arguments: JsonObject) -> Iterator[JsonObject]:
    """The arguments, and the same with each other value of an argument whose values are listed."""
    yield arguments
    for place in tool.arguments:
        if len(place.parents) == 1:
            others = [value for value in place.values if value is not None and value != arguments.get(place.name)]
            changed = ({**arguments, place.name: value} for value in others[:_VALUES])
            yield from (each for each in changed if not misfits(each, tool.tool.input_schema))


async def listed_by(desk: Desk, tool: ToolView, *, arguments: JsonObject) -> Walk:
    """Every page of a list, from the first one; of a tool without pages, the one that there is.

    Raises:
        Broken: a page could not be read.
    """
    pager = pager_of(tool)
    if pager is None:
        listed = entries(await desk.call(tool.name, arguments))
        return Walk(pages=[listed or []], calls=[desk.sent_as(tool.name, arguments)], ended=True)
    aside = {pager.place, pager.limit.name if pager.limit is not None else ""}
    plain = {name: value for name, value in arguments.items() if name not in aside}
    return await walk(desk, tool, arguments=plain, pager=pager, most=_MOST_PAGES)


def records(walked: Walk) -> list[JsonObject]:
    """The entries of all pages that are objects."""
    return [cast("JsonObject", entry) for page in walked.pages for entry in page if isinstance(entry, dict)]
