"""Arguments made up from a schema: the fewest that it accepts, and wrong ones that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["minimal", "mistyped"]

_MAX_DEPTH = 8
_TEXTS = ("example", "EX-1", "ABC-1234", "a1", "A", "1", "EUR", "2026-01-31", "2026-01-31T09:00:00Z", "example.org")
"""Texts that are tried where a pattern is in the way."""

_FORMATS = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T09:00:00Z",
    "time": "09:00:00Z",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "email": "someone@example.org",
    "uri": "https://example.invalid/",
    "url": "https://example.invalid/",
    "hostname": "example.invalid",
    "ipv4": "192.0.2.1",
}
_WRONG: dict[str, object] = {"string": 5, "array": "text", "object": "text"}


def minimal(tool: ToolView) -> JsonObject | None:
    """The fewest arguments that the tool's input schema accepts; `None` if none could be made up."""
    schema = tool.tool.input_schema
    made = _value(Place(pointer="", schema=schema, root=schema), _MAX_DEPTH)
    if not isinstance(made, Mapping):
        return None
    arguments = cast("JsonObject", made)
    return None if misfits(arguments, schema) else arguments


def mistyped(tool: ToolView, arguments: JsonObject) -> JsonObject | None:
    """`arguments` with one of them as a type that its schema refuses; `None` if there is none to choose."""
    own = [place for place in tool.arguments if len(place.parents) == 1]
    # A number as text is what servers coerce most often.
    for place in sorted(own, key=lambda place: "integer" not in place.types and "number" not in place.types):
        wrong = {**arguments, place.name: _wrong(place)}
        if any(misfit.keyword == "type" for misfit in misfits(wrong, tool.tool.input_schema)):
            return wrong
    return None


def _wrong(place: Place) -> object:
    # A number or a boolean as text is what a lenient server takes.
    kind = next(iter(place.types), "")
    return _WRONG[kind] if kind in _WRONG else str(_value(place, 1)).lower()


def _value(place: Place, depth: int) -> object:
    found = place.resolved
    if depth == 0:
        return None
    # The author thought of these; what is made up comes last.
    if found.get("default") is not None:
        return found["default"]
    examples: object = found.get("examples")
    known = [*place.values, *(cast("list[object]", examples) if isinstance(examples, list) else [])]
    if known:
        return known[0]
    arm = next((arm for arm in _arms(place) if arm.types != ("null",)), None)
    return _value(arm, depth - 1) if arm is not None and not place.types else _of_type(place, depth)


def _arms(place: Place) -> list[Place]:
    for keyword in ("anyOf", "oneOf", "allOf"):
        arms: object = place.resolved.get(keyword)
        if isinstance(arms, list):
            inside = [cast("JsonObject", arm) for arm in cast("list[object]", arms) if isinstance(arm, Mapping)]
            return [Place(pointer="", schema=arm, root=place.root, name=place.name) for arm in inside]
    return []


def _of_type(place: Place, depth: int) -> object:
    match next((kind for kind in place.types if kind != "null"), "object" if depth == _MAX_DEPTH else "string"):
        case "integer" | "number":
            return _number(place.resolved)
        case "boolean":
            return False
        case "array":
            return _array(place, depth)
        case "object":
            return _object(place, depth)
        case _:
            return _text(place.resolved)


def _object(place: Place, depth: int) -> JsonObject:
    properties: object = place.resolved.get("properties")
    required: object = place.resolved.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}
    schemas = cast("JsonObject", properties)
    wanted = [str(name) for name in cast("list[object]", required) if isinstance(schemas.get(str(name)), Mapping)]
    inside = [Place(pointer="", schema=schemas[name], root=place.root, name=name) for name in wanted]
    return {inner.name: _value(inner, depth - 1) for inner in inside}


def _array(place: Place, depth: int) -> list[object]:
    least: object = place.resolved.get("minItems")
    items: object = place.resolved.get("items")
    count = min(least, 10) if isinstance(least, int) else 0
    if not isinstance(items, Mapping):
        return ["example"] * count
    return [_value(Place(pointer="", schema=cast("JsonObject", items), root=place.root), depth - 1)] * count


def _number(schema: JsonObject) -> int:
    least, above, most = (schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
    if isinstance(least, int | float):
        return ceil(least)
    if isinstance(above, int | float):
        return int(above) + 1
    return int(most) if isinstance(most, int | float) and most < 1 else 1


def _text(schema: JsonObject) -> str:
    if schema.get("format") in _FORMATS:
        return _FORMATS[str(schema["format"])]
    least: object = schema.get("minLength")
    pattern: object = schema.get("pattern")
    texts = [text.ljust(least if isinstance(least, int) else 0, "e") for text in _TEXTS]
    if not isinstance(pattern, str):
        return texts[0]
    return next((text for text in texts if not misfits(text, {"pattern": pattern})), texts[0])
