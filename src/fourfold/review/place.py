"""Every place of a schema that anybody may have written: any dialect, any depth, circular references included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject

__all__ = [
    "MAX_PLACES",
    "SCHEMA_LISTS",
    "SCHEMA_MAPS",
    "SCHEMA_SINGLES",
    "Place",
    "places",
    "property_names",
    "referred",
]

MAX_PLACES = 20_000
"""Places of one schema that are looked at; the largest published one known has a tenth of that."""

_MAX_HOPS = 20
SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords that hold schemas by name."""

SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
"""Keywords that hold a list of schemas."""

SCHEMA_SINGLES = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
"""Keywords that hold one schema; `items` held a list before 2020-12."""

_NAMELESS = ("$defs", "definitions", "patternProperties", "dependentSchemas")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One subschema and what surrounds it.

    Attributes:
        pointer: JSON Pointer into the tool's definition, such as `/inputSchema/properties/lines/items`.
        schema: the subschema as written.
        root: the whole schema that it is part of.
        name: the property that a value here belongs to, items and arms of a union included; empty at the root.
        is_property: whether this is the property itself, not an item or an arm of it.
        required: whether the object around it requires the property.
        parents: the object schemas around it, the innermost first.
    """

    pointer: str
    schema: JsonObject
    root: JsonObject
    name: str = ""
    is_property: bool = False
    required: bool = False
    parents: tuple[JsonObject, ...] = ()

    @property
    def resolved(self) -> JsonObject:
        """The schema with what its `$ref` stands for; its own keywords win. A reference to nowhere adds nothing."""
        found: JsonObject = self.schema
        for _ in range(_MAX_HOPS):
            target = referred(found.get("$ref"), self.root)
            if target is None:
                return found
            found = {**target, **{key: value for key, value in found.items() if key != "$ref"}}
        return found

    @property
    def types(self) -> tuple[str, ...]:
        """The JSON types that it names at its top, references followed; none for a union."""
        kind: object = self.resolved.get("type")
        if isinstance(kind, str):
            return (kind,)
        return tuple(each for each in cast("list[object]", kind) if isinstance(each, str)) if _is_list(kind) else ()

    @property
    def values(self) -> tuple[object, ...]:
        """The values that `enum` or `const` leave, references followed; none if neither is there."""
        found = self.resolved
        if _is_list(found.get("enum")):
            return tuple(found["enum"])
        return (found["const"],) if "const" in found else ()

    @property
    def description(self) -> str:
        """Its description; empty if it has none."""
        text: object = self.resolved.get("description")
        return text if isinstance(text, str) else ""

    @property
    def siblings(self) -> tuple[str, ...]:
        """The names of the properties of the object around it."""
        return property_names(self.parents[0]) if self.parents else ()


def property_names(schema: JsonObject) -> tuple[str, ...]:
    """The names of its properties; none if it has none, or something else there."""
    properties: object = schema.get("properties")
    return tuple(cast("JsonObject", properties)) if isinstance(properties, Mapping) else ()


def places(schema: object, *, at: str) -> tuple[Place, ...]:
    """Every place of `schema`, outer ones first; none if it is no object. References are not followed.

    Args:
        schema: a JSON Schema, or what somebody took for one.
        at: its pointer, such as `/inputSchema`.
    """
    if not isinstance(schema, Mapping):
        return ()
    root = cast("JsonObject", schema)
    found: list[Place] = []
    waiting = [Place(pointer=at, schema=root, root=root)]
    while waiting and len(found) < MAX_PLACES:
        place = waiting.pop()
        found.append(place)
        waiting.extend(reversed([*_inside(place)]))
    return tuple(found)


def _inside(place: Place) -> Iterator[Place]:
    schema = place.schema
    for keyword in SCHEMA_MAPS:
        inner: object = schema.get(keyword)
        if isinstance(inner, Mapping):
            yield from _named(place, keyword, cast("JsonObject", inner))
    for keyword in SCHEMA_LISTS:
        arms: object = schema.get(keyword)
        if _is_list(arms):
            yield from _unnamed(place, keyword, enumerate(cast("list[object]", arms)))
    for keyword in SCHEMA_SINGLES:
        single: object = schema.get(keyword)
        # Before 2020-12, `items` could be a list.
        inner_items = enumerate(cast("list[object]", single)) if _is_list(single) else ((None, single),)
        yield from _unnamed(place, keyword, inner_items)


def _named(place: Place, keyword: str, schemas: JsonObject) -> Iterator[Place]:
    required: object = place.schema.get("required")
    wanted = cast("list[object]", required) if _is_list(required) else []
    for name, schema in schemas.items():
        if not isinstance(schema, Mapping):
            continue
        is_property = keyword == "properties"
        yield Place(
            pointer=place.pointer + pointer(keyword, name),
            schema=cast("JsonObject", schema),
            root=place.root,
            name="" if keyword in _NAMELESS else name,
            is_property=is_property,
            required=is_property and name in wanted,
            parents=(place.schema, *place.parents) if is_property else place.parents,
        )


def _unnamed(place: Place, keyword: str, schemas: Any) -> Iterator[Place]:
    for index, schema in schemas:
        if not isinstance(schema, Mapping):
            continue
        steps = (keyword,) if index is None else (keyword, index)
        yield Place(
            pointer=place.pointer + pointer(*steps),
            schema=cast("JsonObject", schema),
            root=place.root,
            name=place.name,
            parents=place.parents,
        )


def referred(reference: object, root: JsonObject) -> JsonObject | None:
    """What a local reference such as `#/$defs/line` stands for; `None` for one that is not local or leads nowhere."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found: object = root
    for step in reference[1:].split("/")[1:]:
        found = _step(found, step.replace("~1", "/").replace("~0", "~"))
    return cast("JsonObject", found) if isinstance(found, Mapping) else None


def _step(value: object, step: str) -> object:
    if isinstance(value, Mapping):
        return cast("JsonObject", value).get(step)
    if _is_list(value) and step.isdecimal() and int(step) < len(cast("list[object]", value)):
        return cast("list[object]", value)[int(step)]
    return None


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
