"""The same call with one thing different: another intent under what is otherwise the same."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.desk import Desk
from fourfold.prove.ids import is_id, made_up
from fourfold.prove.keys import key_argument, version_argument
from fourfold.prove.writing import Written
from fourfold.review.view import ToolView

__all__ = ["varied", "with_made_up_ids"]


def varied(desk: Desk, call: Written, *, check: str) -> Iterator[JsonObject]:
    """The arguments of a call that went well, each time with another value of one of them; its key stays."""
    tool, sent = call.tool, call.arguments
    framework = {key_argument(tool), version_argument(tool)}
    others = [sample.value for sample in valid_arguments(desk, tool, check=check)]
    # What names nothing comes first: of an id that nobody has, a server may say that before it looks at the key.
    for ids in (False, True):
        for other in others:
            for name, value in other.items():
                differs = _meant(tool, name, value) != _meant(tool, name, sent.get(name))
                wanted = is_id(name) == ids and name not in framework and differs
                changed = {**sent, name: value}
                if wanted and not misfits(changed, tool.tool.input_schema):
                    yield changed
    yield from with_made_up_ids(desk, call, check=check)


def _meant(tool: ToolView, name: str, value: object) -> object:
    """What an argument means: its default if it is left out, or sent as null where that is the same."""
    if value is not None:
        return value
    properties: object = tool.tool.input_schema.get("properties")
    named = cast("JsonObject", properties).get(name) if isinstance(properties, Mapping) else None
    return cast("JsonObject", named).get("default") if isinstance(named, Mapping) else None


def with_made_up_ids(desk: Desk, call: Written, *, check: str) -> Iterator[JsonObject]:
    """The arguments of a call that went well, each time with an id that nobody has, inside of lists too."""
    tool, dice = call.tool, desk.dice(check, call.tool.name)
    for name, value in call.arguments.items():
        for changed in _replaced(name, value, desk=desk, dice=dice):
            arguments = {**call.arguments, name: changed}
            if not misfits(arguments, tool.tool.input_schema):
                yield arguments


def _replaced(name: str, value: object, *, desk: Desk, dice: random.Random) -> Iterator[object]:
    if isinstance(value, list):
        items = cast("list[object]", value)
        # The good ones stay before it, so that a server that writes as it goes has begun.
        for changed in _replaced(name, items[-1], desk=desk, dice=dice) if items else ():
            yield [*items, changed]
            yield [*items[:-1], changed]
    elif isinstance(value, Mapping):
        members = cast("JsonObject", value)
        for inner, each in members.items():
            yield from ({**members, inner: changed} for changed in _replaced(inner, each, desk=desk, dice=dice))
    elif is_id(name) and isinstance(value, str | int):
        made = made_up(value, dice=dice, taken=desk.known(name))
        if made is not None:
            yield made
