"""Canonical JSON Schema 2020-12: the same bytes in every process, portable to the clients that read it.

An object root with `properties`, `required` and `additionalProperties` always there; references inlined unless
they recurse; optionals without a null arm; one-value constants as enums; formats that few clients know in words; no
titles; a fixed key order. The accepted set is the one that the model accepts. This module owns the shape, not the
rules for authors (`contracts.rules`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic import BaseModel
from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic_core import to_json

from fourfold.contracts.emit import Emitter, Noted
from fourfold.contracts.markers import MARKS, Nullable, Secret
from fourfold.contracts.strict_json import Json
from fourfold.contracts.walk import Schema

__all__ = ["Unpublishable", "canonical", "published"]

_ORDER = (
    "type", "description", "enum", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "prefixItems", "minItems", "maxItems",
    "uniqueItems", "properties", "required", "patternProperties", "propertyNames", "additionalProperties",
    "minProperties", "maxProperties", "anyOf", "allOf", "default", "examples", "$ref", "$defs", MARKS,
)  # fmt: skip
"""Every keyword that is published, in the order of publication. Another one would be a client's to guess."""

_RANK = {key: rank for rank, key in enumerate(_ORDER)}
_TIGHTER = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max, "minProperties": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min, "maxProperties": min,
}  # fmt: skip
_NOTES = frozenset({"description", "default", "examples", MARKS})
_READ = frozenset({*_ORDER, "const", "oneOf"}) - {"$defs", "allOf"}
_UNIONS = frozenset({"anyOf", "oneOf"})
_BY_NAME = ("properties", "patternProperties", "$defs")
_UNDECLARED = {"mark": Noted.word, "name": "undeclared_tag", "detail": ""}
_FORMATS = frozenset({"uuid", "date", "date-time"})
"""Formats that are published. Model APIs refuse a tool for others, so that those stand in the description."""


class Unpublishable(Exception):
    """A model has no JSON Schema; the message is for the person who builds."""


def canonical(model: type[BaseModel], *, output: bool = False) -> Schema:
    """The canonical schema of `model`, markers still in it (under `MARKS`).

    With `output`, a property is required unless it may be left out (its default is `None`).

    Raises:
        Unpublishable: it has a type that JSON Schema has no word for, or refers to a type that is not there.
    """
    try:
        raw = model.model_json_schema(mode="validation", schema_generator=Emitter)
    except (PydanticUserError, PydanticUndefinedAnnotation) as error:
        raise Unpublishable(error.message.splitlines()[0]) from None
    definitions = cast("dict[str, Schema]", raw.pop("$defs", {}))
    canon = _Canon(definitions, recursive=_recursive(definitions), output=output)
    root = canon.schema(_deref_root(raw, definitions))
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


def _references(node: Json) -> Iterator[str]:
    if isinstance(node, dict):
        members = cast("Schema", node)
        if isinstance(members.get("$ref"), str):
            yield _name_of(members["$ref"])
        for key, value in members.items():
            if key != MARKS:
                yield from _references(value)
    elif isinstance(node, list):
        for item in cast("list[Json]", node):
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
        node = _without_docstring({key: value for key, value in raw.items() if key in _READ})
        if "$ref" in node:
            return self._reference(node)
        if node.get("type") == "object":
            return self._object({key: value for key, value in node.items() if key not in _UNIONS})
        if node.keys() & _UNIONS:
            return self._union(
                node, node.pop("oneOf" if "oneOf" in node else "anyOf"), is_tagged="discriminator" in raw
            )
        if "items" in node:
            node["items"] = self.schema(node["items"])
        if "prefixItems" in node:
            node["prefixItems"] = [self.schema(item) for item in node["prefixItems"]]
        return _bounds(_vocabulary(_without_password(node)))

    def _reference(self, node: Schema) -> Schema:
        name = _name_of(node.pop("$ref"))
        beside = self.schema(node) if node.keys() - _NOTES else node
        if name not in self.recursive:
            return _intersect(self.schema(self.definitions[name]), beside)
        if name not in self.kept:
            self.kept[name] = {}
            self.kept[name] = self.schema(self.definitions[name])
        return {"$ref": f"#/$defs/{name}", **beside}

    def _union(self, node: Schema, arms: list[Schema], *, is_tagged: bool) -> Schema:
        """Arms without `null`, unless null has a meaning; one arm left is no union."""
        nullable = any(mark["mark"] == Nullable.word for mark in node.get(MARKS, []))
        kept = [self.schema(arm) for arm in arms if arm.get("type") != "null"]
        with_null = len(kept) < len(arms) and (nullable or node.get("default", ...) is not None)
        if node.get("default", ...) is None:
            node.pop("default")
        if len(kept) > 1:
            marks = [*node.get(MARKS, []), *([] if is_tagged else [_UNDECLARED])]
            return {**node, "anyOf": [*kept, {"type": "null"}] if with_null else kept, MARKS: marks}
        merged = _intersect(kept[0], node)
        return _or_null(merged) if with_null else merged

    def _object(self, node: Schema) -> Schema:
        properties = cast("dict[str, Schema]", node.get("properties", {}))
        absent_ok = {name for name, schema in properties.items() if schema.get("default", ...) is None}
        required = [name for name in properties if name not in absent_ok] if self.output else node.get("required", [])
        node["properties"] = {name: self.schema(schema) for name, schema in properties.items()}
        node["required"] = list(required)
        if "patternProperties" in node:  # keys that match none of the patterns are refused
            node["patternProperties"] = {key: self.schema(item) for key, item in node["patternProperties"].items()}
            node["additionalProperties"] = False
        node.setdefault("additionalProperties", True)
        for keyword in ("additionalProperties", "propertyNames"):
            if isinstance(node.get(keyword), dict):
                node[keyword] = self.schema(cast("Schema", node[keyword]))
        return node


def _without_docstring(node: Schema) -> Schema:
    """`node` without the docstring of its class: fields explain themselves, and each word costs tokens."""
    docstrings = [mark["detail"] for mark in node.get(MARKS, []) if mark.get("name") == "docstring"]
    return {key: value for key, value in node.items() if key != "description" or value not in docstrings}


def _vocabulary(node: Schema) -> Schema:
    """A constant as a list of one, and each value of a list once."""
    values = [node.pop("const")] if "const" in node else cast("list[Json]", node.get("enum", []))
    if values:
        node["enum"] = list({to_json(value): value for value in values}.values())
    return node


def _without_password(node: Schema) -> Schema:
    """A `SecretStr` is a secret, whether its author marked it or not."""
    if node.get("format") != "password":
        return node
    without = {key: value for key, value in node.items() if key != "format"}
    return {**without, MARKS: [*node.get(MARKS, []), {"mark": Secret.word}]}


def _bounds(node: Schema) -> Schema:
    """Integer bounds in their inclusive form, which more clients understand."""
    if node.get("type") == "integer":
        if "exclusiveMinimum" in node:
            node = _intersect(node, {"minimum": node.pop("exclusiveMinimum") + 1})
        if "exclusiveMaximum" in node:
            node = _intersect(node, {"maximum": node.pop("exclusiveMaximum") - 1})
    return node


def _or_null(node: Schema) -> Schema:
    if "anyOf" in node:
        return {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
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


def _ordered(node: Schema) -> Schema:
    """`node` with keywords in the fixed order; properties keep the order of their declaration."""
    ranked = sorted(node.items(), key=lambda item: _RANK[item[0]])
    return {key: _inside(key, value, _ordered) for key, value in ranked}


def _inside(key: str, value: Json, change: Callable[[Schema], Schema]) -> Json:
    """The value of a keyword with the schemas in it changed, and nothing else in it."""
    if key in _BY_NAME:
        return {name: change(schema) for name, schema in cast("Schema", value).items()}
    if key in ("anyOf", "allOf", "prefixItems"):
        return [change(schema) for schema in cast("list[Schema]", value)]
    is_schema = key in ("items", "additionalProperties", "propertyNames") and not isinstance(value, bool)
    return change(cast("Schema", value)) if is_schema else value


def published(schema: Schema) -> Schema:
    """`schema` as it goes out: without markers, and with a format that few clients know in words."""
    node = {key: _inside(key, value, published) for key, value in schema.items() if key != MARKS}
    name = node.get("format", "date")
    if name in _FORMATS:
        return node
    if name.startswith("uuid"):
        return {**node, "format": "uuid"}
    words = "An absolute URL." if name == "uri" else f"Format: {name}."
    described = {**node, "description": f"{node.get('description', '')} {words}".lstrip()}
    return _ordered({key: value for key, value in described.items() if key != "format"})
