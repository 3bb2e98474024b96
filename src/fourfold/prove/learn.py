"""A first look at a server: its reads are called once, so that ids, names and arguments that work are known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk, OutOfCalls, is_read
from fourfold.prove.pages import entries
from fourfold.review.view import ToolView

__all__ = ["learn"]

_ROUNDS = 2
"""What the first round shows, such as ids, the second one asks with."""

_TERMS = 3
_SEARCHES = frozenset({"query", "q", "search", "text", "term", "keyword", "keywords", "search term", "search query"})
_TITLES = (("name",), ("title",), ("subject",))
_SHORTEST = 3
_FREE = frozenset({"type", "title", "description"})
_CHOICE = re.compile(r"""[:(]\s*['"`]?(\w+)['"`]?(?:,\s*['"`]?\w+['"`]?)*,?\s+or\s""")


async def learn(desk: Desk) -> None:
    """Call each read with few arguments, at most seven times. What works is kept in `desk.learned`.

    Raises:
        TargetError: the server ended or does not answer any more.
    """
    reads = [tool for tool in desk.view.tools if is_read(tool)]
    try:
        for _ in range(_ROUNDS):
            for tool in [each for each in reads if each.name not in desk.learned]:
                await _try(desk, tool, _fewest(desk, tool))
        for tool in reads:
            await _try(desk, tool, _searches(desk, tool))
    except OutOfCalls:
        return


async def _try(desk: Desk, tool: ToolView, candidates: Iterator[JsonObject]) -> None:
    for arguments in candidates:
        answer = await _answer(desk, tool, arguments)
        if answer is None:
            return
        if succeeded(answer):
            desk.learned[tool.name] = arguments
        if succeeded(answer) and entries(answer):
            return


async def _answer(desk: Desk, tool: ToolView, arguments: JsonObject) -> ToolAnswer | None:
    """The answer; `None` where none came. The checks make the call again, and say so."""
    try:
        return await desk.call(tool.name, arguments)
    except TargetError:
        if not await desk.still_answers():
            raise
        return None


def _fewest(desk: Desk, tool: ToolView) -> Iterator[JsonObject]:
    try:
        few = next(valid_arguments(desk, tool, check="learn", most=1)).value
    except NotTested:
        return
    yield few
    offered = {name: word for name, word in _offered(tool).items() if name in few}
    if offered and tool.name not in desk.learned:
        yield {**few, **offered}


def _offered(tool: ToolView) -> dict[str, str]:
    """By argument of free text, the first word that its description offers, as in 'invoice status: open or overdue'."""
    free = [place for place in tool.arguments if len(place.parents) == 1 and {*place.resolved} <= _FREE]
    found = {place.name: _CHOICE.search(str(place.resolved.get("description", ""))) for place in free}
    return {name: choice[1] for name, choice in found.items() if choice is not None}


def _searches(desk: Desk, tool: ToolView) -> Iterator[JsonObject]:
    """Arguments that look for words which answers have shown most often; none for a tool that searches for nothing."""
    sought = next((place.name for place in tool.arguments if " ".join(words(place.name)) in _SEARCHES), None)
    schema = tool.tool.input_schema
    terms = _terms(desk) if sought is not None else []
    for term in terms:
        arguments = {**desk.learned.get(tool.name, {}), str(sought): term}
        if not misfits(arguments, schema):
            yield arguments


def _terms(desk: Desk) -> list[str]:
    named = [str(value) for record in desk.records() for name, value in record.items() if words(name)[-1:] in _TITLES]
    counted = Counter(word for title in named for word in title.split() if len(word) >= _SHORTEST and word.isalpha())
    return [word for word, _ in counted.most_common(_TERMS)]
