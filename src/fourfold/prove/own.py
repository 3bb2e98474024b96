"""What an object is: the id that it goes by, and its records in what reads show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.ids import id_arguments, is_id
from fourfold.prove.pages import entries
from fourfold.review.answers import structured
from fourfold.review.view import CatalogView, ToolView

__all__ = ["asked_with", "differing", "own_id", "own_reads", "records_of"]

_NOTHING: JsonObject = {}
_SOUGHT = frozenset({"query", "q", "search", "text", "term"})


def own_id(tool: ToolView) -> str | None:
    """The field with the id of what the tool answers with: the first one that is an id; `None` if there is none."""
    return next((place.name for place in tool.fields if is_id(place.name) and not place.values), None)


def own_reads(view: CatalogView, tool: ToolView) -> list[ToolView]:
    """The reads that show what a tool answers with, and that can be asked for it."""
    own = own_id(tool)
    reads = [read for read in view.tools if is_read(read) and own is not None and own_id(read) == own]
    given = {place.name for place in tool.fields}
    return [read for read in reads if _sought(read) or given & {place.name for place in id_arguments(read)}]


def asked_with(desk: Desk, read: ToolView, *, record: JsonObject, own: str) -> JsonObject:
    """The arguments with which a read shows the object of a record: its ids, or its own id as what is looked for."""
    ids = {place.name: record[place.name] for place in id_arguments(read) if place.name in record}
    sought = dict.fromkeys(_sought(read), record[own]) if not ids else {}
    return {**desk.learned.get(read.name, {}), **ids, **sought}


def records_of(answer: ToolAnswer, own: str, *, record: JsonObject) -> Iterator[JsonObject]:
    """The records of the same object in a success: the whole, or entries of its list."""
    if not succeeded(answer):
        return
    for each in (structured(answer), *(entries(answer) or ())):
        found = cast("JsonObject", each) if isinstance(each, Mapping) else _NOTHING
        if next((name for name in found if is_id(name)), None) == own and found[own] == record.get(own):
            yield found


def differing(one: JsonObject, other: JsonObject) -> Iterator[str]:
    """The fields that both records have, with different values."""
    return (name for name in one if name in other and one[name] != other[name])


def _sought(read: ToolView) -> list[str]:
    own = [place for place in read.arguments if len(place.parents) == 1]
    return [place.name for place in own if words(place.name)[-1:] and words(place.name)[-1] in _SOUGHT]
