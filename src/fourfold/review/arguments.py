"""What an argument takes, as far as its schema and the words around it say: kinds, bounds, explanations.

It reads any schema and knows nothing of contracts; what an author declared to Fourfold is in `declared`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import cast

from fourfold.contracts.patterns import is_finite
from fourfold.model.contract import JsonObject
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = [
    "alternatives",
    "arguments",
    "explained",
    "is_bounded_text",
    "is_list",
    "is_open_text",
    "kinds",
    "label",
    "narrowed",
    "sent",
    "siblings",
    "takes_text",
    "top_level",
]

_UNIONS = ("anyOf", "oneOf")
_MAX_NESTING = 4
_MAX_SIBLINGS = 200
_MAX_EXPLAINED = 8_000
"""Characters of a tool's description that are searched for an argument's explanation."""

# What stands below these keywords is a condition, not a value that somebody sends.
_CONDITION = re.compile(r"(?<!/properties)/(?:not|if|contains|propertyNames|dependentSchemas)(?=/|$)")
_BOUNDED_FORMATS = ("uuid", "date", "time", "ip")
"""How the formats begin that bound their own length."""


def is_list(value: object) -> bool:
    """Whether `value` is a JSON array."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def sent(tool: ToolView) -> tuple[Place, ...]:
    """The places of the input whose values a caller sends, a definition once and not at each reference to it."""
    return tuple(place for place in _reached(tool) if "$ref" not in place.schema)


def arguments(tool: ToolView) -> tuple[Place, ...]:
    """The properties of the input that a caller can send, at any depth."""
    return tuple(place for place in _reached(tool) if place.is_property)


def _reached(tool: ToolView) -> Iterator[Place]:
    """The places that are no condition and no definition that nothing refers to."""
    grouped: dict[str, list[Place]] = {}
    for place in tool.inputs:
        grouped.setdefault(_definition(place.pointer), []).append(place)
    waiting, found = [""], {""}
    while waiting:
        for place in grouped.get(waiting.pop(), []):
            target = _definition(f"/inputSchema{str(place.schema.get('$ref', '')).removeprefix('#')}")
            if target not in found:
                found.add(target)
                waiting.append(target)
    return (each for each in tool.inputs if _definition(each.pointer) in found and not _CONDITION.search(each.pointer))


def _definition(pointer: str) -> str:
    """The pointer of the definition that holds the place; empty outside of any."""
    steps = pointer.split("/", 4)
    return "/".join(steps[:4]) if len(steps) > 3 and steps[2] in ("$defs", "definitions") else ""


def top_level(tool: ToolView) -> tuple[Place, ...]:
    """The arguments themselves, without what is inside of them."""
    return tuple(place for place in arguments(tool) if len(place.parents) == 1 and place.pointer.count("/") == 3)


def label(place: Place) -> str:
    """What a message calls the place: its property, the definition that it is, or "the input"."""
    if place.name:
        return place.name
    last = place.pointer.rsplit("/", 1)[-1]
    return "the input" if last == "inputSchema" else last


def siblings(place: Place) -> tuple[str, ...]:
    """The first 200 names of the object around a place; a rule that asks for each place stays linear."""
    properties: object = place.parents[0].get("properties") if place.parents else None
    return tuple(islice(cast("JsonObject", properties), _MAX_SIBLINGS)) if isinstance(properties, Mapping) else ()


def alternatives(place: Place) -> tuple[Place, ...]:
    """The ways to fill a place: itself, or the arms of its unions but null. References and `allOf` are followed."""
    found = [*_arms(place, _MAX_NESTING)]
    filled = [each for each in found if each.schema.get("type") != "null"]
    return tuple(filled or found)


def _arms(place: Place, depth: int) -> Iterable[Place]:
    schema = _merged(place, depth)
    for keyword in _UNIONS:
        arms: object = schema.get(keyword)
        if not is_list(arms) or not depth:
            continue
        around = {key: value for key, value in schema.items() if key not in _UNIONS}
        inner = [cast("JsonObject", arm) for arm in cast("list[object]", arms) if isinstance(arm, Mapping)]
        for arm in inner:
            yield from _arms(replace(place, schema={**around, **replace(place, schema=arm).resolved}), depth - 1)
        if inner:
            return
    yield replace(place, schema=schema)


def _merged(place: Place, depth: int) -> JsonObject:
    """The schema with its references followed and the parts of an `allOf` in one object."""
    schema = place.resolved
    parts: object = schema.get("allOf")
    if not is_list(parts) or not depth:
        return schema
    merged: JsonObject = {}
    for part in cast("list[object]", parts):
        if isinstance(part, Mapping):
            merged = {**merged, **_merged(replace(place, schema=cast("JsonObject", part)), depth - 1)}
    return {**merged, **{key: value for key, value in schema.items() if key != "allOf"}}


_IMPLIED = {"properties": "object", "items": "array", "pattern": "string", "format": "string", "maxLength": "string"}
_KINDS: dict[type, str] = {
    bool: "boolean",
    str: "string",
    int: "integer",
    float: "number",
    dict: "object",
    list: "array",
}


def kinds(place: Place) -> frozenset[str]:
    """The JSON types that a place takes, null apart; none if nothing says so."""
    found: set[str] = set()
    for each in alternatives(place):
        found.update(each.types or _implied(each))
    return frozenset(found - {"null"})


def _implied(place: Place) -> set[str]:
    """The types that follow from the values and the other keywords of a schema without `type`."""
    named = {_KINDS.get(type(value), "") for value in place.values}
    return (named | {kind for keyword, kind in _IMPLIED.items() if keyword in place.schema}) - {""}


def takes_text(place: Place) -> bool:
    """Whether text fills the place, or a list of texts does."""
    return "string" in kinds(place) or any(
        isinstance(each.schema.get("items"), Mapping) and "string" in kinds(replace(place, schema=each.schema["items"]))
        for each in alternatives(place)
        if "array" in each.types
    )


def is_open_text(place: Place) -> bool:
    """Whether a place takes text that no enum, pattern or format narrows."""
    return any(
        ("string" in each.types or not kinds(each)) and not each.values and not narrowed(each.schema)
        for each in alternatives(place)
    )


def narrowed(schema: JsonObject) -> bool:
    """Whether a pattern or a format says what text may look like."""
    return bool(schema.get("pattern")) or bool(schema.get("format"))


def is_bounded_text(schema: JsonObject) -> bool:
    """Whether the length of text is bounded: by a number, by values, by a pattern or by a format."""
    if "maxLength" in schema or "enum" in schema or "const" in schema:
        return True
    named, pattern = schema.get("format"), schema.get("pattern")
    by_format = isinstance(named, str) and named.startswith(_BOUNDED_FORMATS)
    return by_format or (isinstance(pattern, str) and is_finite(pattern))


def explained(tool: ToolView, place: Place) -> str:
    """What the tool says of an argument: its description, or the line of the tool's own that begins with its name."""
    return place.description or _lines(tool.description[:_MAX_EXPLAINED]).get(place.name, "")


_LINE = re.compile(
    r"""^[ \t]*[-*]?[ \t]*[`*"]{0,3}
    (?P<name>[A-Za-z_][\w.\-]{0,60})
    [`*"]{0,3}(?:[ \t]*\([^)\n]{0,80}\))?[ \t]*:[ \t]*
    (?P<text>\S.*)$""",
    re.MULTILINE | re.VERBOSE,
)


@lru_cache(maxsize=256)
def _lines(description: str) -> JsonObject:
    return {found["name"]: found["text"] for found in _LINE.finditer(description)}
