"""Canonical JSON Schema 2020-12: the same bytes in every process, portable to the clients that read it.

An object root with `properties`, `required` and `additionalProperties: false` always there; references inlined
unless they recurse; optionals without a null arm; one-value constants as enums; no titles; a fixed key order.
The accepted set is the one that the model accepts. This module owns the shape, not the rules for authors
(`contracts.rules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from fourfold.contracts.markers import MARKS, Marker, Nullable

__all__ = ["Node", "canonical", "published", "walk"]

Schema = dict[str, Any]
MarkerT = TypeVar("MarkerT", bound=Marker)

_ORDER = (
    "type", "description", "enum", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "prefixItems", "minItems", "maxItems",
    "uniqueItems", "properties", "required", "additionalProperties", "anyOf", "allOf", "default", "examples", "$ref",
    "$defs", MARKS,
)  # fmt: skip
_RANK = {key: rank for rank, key in enumerate(_ORDER)}
_TIGHTER = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min,
}  # fmt: skip
_NOTES = frozenset({"description", "default", "examples", MARKS})
_DROPPED = frozenset({"title", "discriminator", "$defs"})


def canonical(model: type[BaseModel], *, output: bool = False) -> Schema:
    """The canonical schema of `model`, markers still in it (under `MARKS`).

    With `output`, a property is required unless it may be left out (its default is `None`).
    """
    raw = model.model_json_schema(mode="validation")
    definitions = cast("dict[str, Schema]", raw.pop("$defs", {}))
    canon = _Canon(definitions, recursive=_recursive(definitions), output=output)
    root = canon.schema(_deref_root(raw, definitions))
    root.pop("description", None)
    if canon.kept:
        root["$defs"] = {name: canon.kept[name] for name in sorted(canon.kept)}
    return _ordered(root)


def _deref_root(raw: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """The root object itself; a recursive model comes as a reference to its own definition."""
    reference = raw.get("$ref")
    return dict(definitions[_name_of(reference)]) if isinstance(reference, str) else raw


def _name_of(reference: str) -> str:
    return reference.removeprefix("#/$defs/")


def _recursive(definitions: Mapping[str, Schema]) -> frozenset[str]:
    """Names of definitions that can reach themselves."""
    edges = {name: set(_references(schema)) for name, schema in definitions.items()}

    def reaches(start: str) -> bool:
        seen: set[str] = set()
        queue = list(edges[start])
        while queue:
            name = queue.pop()
            if name == start:
                return True
            if name not in seen:
                seen.add(name)
                queue.extend(edges.get(name, ()))
        return False

    return frozenset(name for name in definitions if reaches(name))


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        members = cast("Schema", node)
        if isinstance(members.get("$ref"), str):
            yield _name_of(members["$ref"])
        for key, value in members.items():
            if key != MARKS:
                yield from _references(value)
    elif isinstance(node, list):
        for item in cast("list[Any]", node):
            yield from _references(item)


@dataclass(slots=True)
class _Canon:
    """One pass over a pydantic schema. `kept` collects the recursive definitions that stay references."""

    definitions: Mapping[str, Schema]
    recursive: frozenset[str]
    output: bool
    kept: dict[str, Schema] = field(default_factory=dict[str, Schema])

    def schema(self, raw: Schema) -> Schema:
        """`raw` in canonical form."""
        node = {key: value for key, value in raw.items() if key not in _DROPPED}
        if "$ref" in node:
            return self._reference(node)
        for keyword in ("oneOf", "anyOf"):
            if keyword in node:
                return self._union(node, node.pop(keyword))
        if "allOf" in node:
            node["allOf"] = [self.schema(part) for part in node["allOf"]]
        if node.get("type") == "object":
            return self._object(node)
        if "items" in node:
            node["items"] = self.schema(node["items"])
        if "prefixItems" in node:
            node["prefixItems"] = [self.schema(item) for item in node["prefixItems"]]
        return _bounds(_constant(node))

    def _reference(self, node: Schema) -> Schema:
        name = _name_of(node.pop("$ref"))
        beside = self.schema(node) if node.keys() - _NOTES else node
        if name not in self.recursive:
            return _intersect(_without_docstring(self.schema(self.definitions[name])), beside)
        if name not in self.kept:
            self.kept[name] = {}
            self.kept[name] = _without_docstring(self.schema(self.definitions[name]))
        return {"$ref": f"#/$defs/{name}", **beside}

    def _union(self, node: Schema, arms: list[Schema]) -> Schema:
        """Arms without `null`, unless null has a meaning; one arm left is no union."""
        marks = cast("list[Schema]", node.get(MARKS, []))
        nullable = any(mark["mark"] == Nullable.word for mark in marks)
        kept = [self.schema(arm) for arm in arms if arm.get("type") != "null"]
        with_null = len(kept) < len(arms) and (nullable or node.get("default", ...) is not None)
        if node.get("default", ...) is None:
            node.pop("default")
        if len(kept) > 1:
            return {**node, "anyOf": [*kept, {"type": "null"}] if with_null else kept}
        only = kept[0]
        merged = {**only, **node, MARKS: [*only.get(MARKS, []), *marks]}
        if not merged[MARKS]:
            del merged[MARKS]
        return _or_null(merged) if with_null else merged

    def _object(self, node: Schema) -> Schema:
        properties = cast("dict[str, Schema]", node.get("properties", {}))
        absent_ok = {name for name, schema in properties.items() if schema.get("default", ...) is None}
        required = [name for name in properties if name not in absent_ok] if self.output else node.get("required", [])
        node["properties"] = {name: self.schema(schema) for name, schema in properties.items()}
        node["required"] = list(required)
        node.setdefault("additionalProperties", False)
        if isinstance(node["additionalProperties"], dict):
            node["additionalProperties"] = self.schema(cast("Schema", node["additionalProperties"]))
        return node


def _without_docstring(schema: Schema) -> Schema:
    """`schema` without the class docstring: fields explain themselves, and each word costs tokens."""
    return {key: value for key, value in schema.items() if key != "description"}


def _constant(node: Schema) -> Schema:
    if "const" in node:
        node["enum"] = [node.pop("const")]
    return node


def _bounds(node: Schema) -> Schema:
    """Integer bounds in their inclusive form, which more clients understand."""
    if node.get("type") == "integer":
        if "exclusiveMinimum" in node:
            node = _intersect(node, {"minimum": node.pop("exclusiveMinimum") + 1})
        if "exclusiveMaximum" in node:
            node = _intersect(node, {"maximum": node.pop("exclusiveMaximum") - 1})
    return node


def _or_null(node: Schema) -> Schema:
    kind = node.get("type")
    if isinstance(kind, str) and "enum" not in node:
        return {**node, "type": [kind, "null"]}
    marks = {MARKS: node.pop(MARKS)} if MARKS in node else {}
    return {"anyOf": [node, {"type": "null"}], **marks}


def _intersect(left: Schema, right: Schema) -> Schema:
    """A schema that accepts what both accept: a looser sibling never deletes a limit."""
    merged = dict(left)
    for key, value in right.items():
        if key == MARKS:
            merged[key] = [*merged.get(key, []), *value]
        elif key in _NOTES or key not in merged or merged[key] == value:
            merged[key] = value
        elif key in _TIGHTER:
            merged[key] = _TIGHTER[key](merged[key], value)
        else:
            merged["allOf"] = [*merged.get("allOf", []), {key: value}]
    return merged


def _ordered(node: Any) -> Any:
    """`node` with keywords in the fixed order; properties keep the order of their declaration."""
    if isinstance(node, list):
        return [_ordered(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    members = cast("Schema", node)
    ranked = sorted(members.items(), key=lambda item: (_RANK.get(item[0], len(_ORDER)), item[0]))
    return {key: value if key == MARKS else _ordered_value(key, value) for key, value in ranked}


def _ordered_value(key: str, value: Any) -> Any:
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _ordered(schema) for name, schema in cast("Schema", value).items()}
    return value if key in ("default", "enum", "examples", "required") else _ordered(value)


def published(schema: Any) -> Any:
    """`schema` as it goes out: the same without markers."""
    if isinstance(schema, list):
        return [published(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    return {key: published(value) for key, value in cast("Schema", schema).items() if key != MARKS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One place in a schema: where values of it stand, and what surrounds it.

    `steps` are the JSON Pointer steps of a value in an instance, with `*` for "each item"; `name` is the nearest
    property name; `parents` are the object schemas around it, innermost first.
    """

    schema: Schema
    steps: tuple[str, ...]
    name: str
    required: bool
    parents: tuple[Schema, ...]

    @property
    def pointer(self) -> str:
        """The place as a pointer: `/lines/*/sku`."""
        return "".join("/" + step for step in self.steps)

    def marks(self, kind: type[MarkerT]) -> list[MarkerT]:
        """The markers of that kind on this place."""
        found = [mark for mark in self.schema.get(MARKS, []) if mark["mark"] == kind.word]
        return [kind(**{key: value for key, value in mark.items() if key != "mark"}) for mark in found]


def walk(schema: Schema) -> Iterator[Node]:
    """Every place below the root of a canonical schema, outer ones first; references are not followed."""
    yield from _walk(schema, (), "", parents=())
    for name, definition in cast("dict[str, Schema]", schema.get("$defs", {})).items():
        yield from _walk(definition, ("$defs", name), name, parents=())


def _walk(schema: Schema, steps: tuple[str, ...], name: str, *, parents: tuple[Schema, ...]) -> Iterator[Node]:
    required = set(schema.get("required", ()))
    for key, sub in cast("dict[str, Schema]", schema.get("properties", {})).items():
        place = (*steps, key)
        yield Node(schema=sub, steps=place, name=key, required=key in required, parents=(schema, *parents))
        yield from _walk(sub, place, key, parents=(schema, *parents))
    for sub in _unnamed(schema):
        place = (*steps, "*") if sub is schema.get("items") else steps
        yield Node(schema=sub, steps=place, name=name, required=True, parents=parents)
        yield from _walk(sub, place, name, parents=parents)


def _unnamed(schema: Schema) -> Iterator[Schema]:
    """Schemas of values that have no property name of their own: items and arms."""
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield schema[key]
    for key in ("prefixItems", "anyOf", "allOf"):
        yield from schema.get(key, [])
