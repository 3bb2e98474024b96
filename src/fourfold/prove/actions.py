"""What reads say may be done with an object now, and tools about such an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.ids import id_arguments
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["ALLOWED", "actions_of", "named_by", "shown", "shows_actions"]

ALLOWED = "allowed_actions"
"""The field of a record that says what may be done with it."""

_OBJECTS = 8


async def shown(desk: Desk, read: ToolView) -> list[JsonObject]:
    """What a read shows now, with the actions that it allows: of what it was learned with, and the newest."""
    named = [place.name for place in id_arguments(read)]
    learned = desk.learned.get(read.name, {})
    newest = [record[named[0]] for record in reversed(desk.records()) if named and named[0] in record]
    calls = [{**learned, named[0]: each} for each in [*dict.fromkeys(newest)][:_OBJECTS]] if named else [learned]
    answers = [structured(await desk.call(read.name, arguments)) for arguments in calls]
    return [record for each in answers for record in _with_actions(each)]


def actions_of(read: ToolView) -> frozenset[str]:
    """The actions that the output schema of a read lists."""
    places = [place for place in read.outputs if place.name == ALLOWED]
    return frozenset(str(value) for place in places for value in place.values)


def named_by(tool: ToolView, record: JsonObject) -> bool:
    """Whether a record has an id that the tool takes."""
    return bool({place.name for place in id_arguments(tool)} & record.keys())


def shows_actions(tool: ToolView) -> bool:
    """Whether it is a read of ours that says what may be done."""
    return tool.tool.contract is not None and is_read(tool) and any(place.name == ALLOWED for place in tool.fields)


def _with_actions(value: object) -> Iterator[JsonObject]:
    if isinstance(value, Mapping):
        record = cast("JsonObject", value)
        if isinstance(record.get(ALLOWED), list):
            yield record
        value = [*record.values()]
    if isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _with_actions(inner)
