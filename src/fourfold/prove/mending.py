"""What to call with instead, where a fault names the argument that was wrong: another listed value, another size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.desk import fault_of
from fourfold.review.view import ToolView

__all__ = ["mended", "renumbered"]

_SIZES = (1, 100, 10_000, 1_000_000)
_LISTED = 10
_KEPT = 20
"""Characters of a text that go on being there."""

_NUMBERED = re.compile(rf"(.{{0,{_KEPT}}}) \d+", re.DOTALL)


def mended(tool: ToolView, arguments: JsonObject, *, answer: ToolAnswer, sent: int) -> Iterator[JsonObject]:
    """The arguments with other values at the first place that the answer's fault names; none if it names none.

    A text that is refused may be one that is taken, so it gets the number of the calls that were `sent` at its end.
    """
    problems: object = fault_of(answer).get("problems")
    first: object = cast("list[object]", problems)[0] if isinstance(problems, list) and problems else None
    steps = str(cast("JsonObject", first).get("pointer", "")).split("/")[1:] if isinstance(first, Mapping) else []
    for value in _others(tool, arguments, steps=steps, sent=sent) if steps else ():
        changed = _changed(arguments, steps, value)
        if changed is not None and not misfits(changed, tool.tool.input_schema):
            yield changed


def renumbered(arguments: JsonObject, *, sent: int) -> JsonObject:
    """The arguments with another number at the end of each text that was given one because it was taken."""
    texts = {name: _NUMBERED.fullmatch(value) for name, value in arguments.items() if isinstance(value, str)}
    return {**arguments, **{name: f"{found[1]} {sent}" for name, found in texts.items() if found is not None}}


def _others(tool: ToolView, arguments: JsonObject, *, steps: list[str], sent: int) -> Iterator[object]:
    was = _at(arguments, steps)
    place = next((place for place in tool.arguments if place.name == steps[-1]), None)
    values = place.values if place is not None else ()
    if isinstance(was, int) and not values:
        yield from (size for size in _SIZES if size != was)
    if isinstance(was, str) and not values:
        yield f"{was[:_KEPT]} {sent}"
    yield from (value for value in values[:_LISTED] if value != was)


def _changed(arguments: JsonObject, steps: list[str], value: object) -> JsonObject | None:
    changed: dict[str, Any] = deepcopy(dict(arguments))
    around = _at(changed, steps[:-1])
    last = steps[-1]
    if isinstance(around, dict):
        cast("dict[str, object]", around)[last] = value
        return changed
    if isinstance(around, list) and last.isdecimal() and int(last) < len(cast("list[object]", around)):
        cast("list[object]", around)[int(last)] = value
        return changed
    return None


def _at(value: object, steps: list[str]) -> object:
    for step in steps:
        if isinstance(value, Mapping):
            value = cast("JsonObject", value).get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(cast("list[object]", value)):
            value = cast("list[object]", value)[int(step)]
        else:
            return None
    return value
