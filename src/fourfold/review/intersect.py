"""Schemas that accept what two schemas both accept, and schemas that no value fits at once.

Keywords that look at each other stay together: `additionalProperties` counts the `properties` beside it, so that two
halves with such keywords are not poured into one but stand in `allOf`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from fourfold.contracts.strict_json import Json
from fourfold.contracts.walk import Schema
from fourfold.model.contract import JsonObject

__all__ = ["folded", "intersect", "is_disjoint"]

_NOTES = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"})
_TIGHTER = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max, "minProperties": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min, "maxProperties": min,
}  # fmt: skip
_TOGETHER = (
    frozenset({"properties", "patternProperties", "additionalProperties"}),
    frozenset({"items", "prefixItems", "additionalItems"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"if", "then", "else"}),
    frozenset({"$ref", "$dynamicRef", "$recursiveRef"}),
)
_PLAIN = frozenset({"properties"})
_SEES_ALL = ("unevaluatedProperties", "unevaluatedItems")


def intersect(left: JsonObject, right: JsonObject) -> Schema:
    """A schema for what both accept. The notes of `right` win: it stands nearer to the place of use."""
    merged = _merged(left, right)
    if merged is not None:
        return merged
    notes = {key: value for key, value in {**left, **right}.items() if key in _NOTES}
    halves = [{key: value for key, value in half.items() if key not in _NOTES} for half in (left, right)]
    return {**notes, "allOf": [half for half in halves if half]}


def folded(node: Schema, keyword: str) -> Schema:
    """`node` with the parts under `allOf`, or the one arm of a union, poured into it; as it is where they can't be."""
    parts = node.get(keyword)
    if not isinstance(parts, Sequence) or isinstance(parts, str) or not parts:
        return node
    rest: Schema | None = {key: value for key, value in node.items() if key != keyword}
    for part in cast("Sequence[object]", parts):
        if not isinstance(part, Mapping):
            return node
        # The notes around the parts are those of the place.
        rest = _merged(cast("JsonObject", part), rest)
        if rest is None:
            return node
    return rest


def _merged(left: JsonObject, right: JsonObject) -> Schema | None:
    if _look_at_each_other(left, right):
        return None
    merged = dict(left)
    for key, value in right.items():
        found = value if key not in merged or key in _NOTES else _both(key, merged[key], value)
        if found is None and value is not None:
            return None
        merged[key] = found
    return merged


def _look_at_each_other(left: JsonObject, right: JsonObject) -> bool:
    if any(keyword in half for keyword in _SEES_ALL for half in (left, right)):
        return True
    for group in _TOGETHER:
        ours, theirs = group & left.keys(), group & right.keys()
        plain = ours == theirs == _PLAIN
        if ours and theirs and not plain and any(left.get(key) != right.get(key) for key in group):
            return True
    return False


def _both(key: str, left: Json, right: Json) -> Json:
    """The value of a keyword for what both accept; `None` if there is no such value."""
    if _text(left) == _text(right):
        return right
    if key in _TIGHTER and _is_number(left) and _is_number(right):
        return _TIGHTER[key](left, right)
    if key == "required" and isinstance(left, list) and isinstance(right, list):
        return list(dict.fromkeys([*cast("list[Json]", left), *cast("list[Json]", right)]))
    if key == "type":
        return _types(left, right)
    if key == "enum" and isinstance(left, list) and isinstance(right, list):
        wanted = {_text(value) for value in cast("list[Json]", right)}
        return [value for value in cast("list[Json]", left) if _text(value) in wanted] or None
    if key == "properties" and isinstance(left, Mapping) and isinstance(right, Mapping):
        return _properties(cast("JsonObject", left), cast("JsonObject", right))
    return None


def _types(left: Json, right: Json) -> Json:
    if {_text(left), _text(right)} == {'"integer"', '"number"'}:
        return "integer"
    ours = cast("list[Json]", left) if isinstance(left, list) else [left]
    theirs = cast("list[Json]", right) if isinstance(right, list) else [right]
    common = [kind for kind in ours if kind in theirs]
    if not common or "number" in (*ours, *theirs) or "integer" in (*ours, *theirs):
        return None
    return common[0] if len(common) == 1 else common


def _properties(left: JsonObject, right: JsonObject) -> Json:
    merged = dict(left)
    for name, schema in right.items():
        mine = merged.get(name)
        if isinstance(mine, Mapping) and isinstance(schema, Mapping):
            merged[name] = intersect(cast("JsonObject", mine), cast("JsonObject", schema))
        elif name in merged and mine != schema:
            return None
        else:
            merged[name] = schema
    return merged


def is_disjoint(arms: Sequence[object], *, beside: JsonObject) -> bool:
    """Whether no value fits two of `arms`, so that one of them is any of them.

    By their types, or by a text that each requires and of which each has its own values.
    """
    schemas = [cast("JsonObject", arm) for arm in arms if isinstance(arm, Mapping)]
    if len(schemas) != len(arms) or len(schemas) < 2:
        return False
    kinds = [_kinds(schema) for schema in schemas]
    if all(kinds) and len(set[str]().union(*kinds)) == sum(map(len, kinds)):
        return True
    are_objects = beside.get("type") == "object" or all(kind == {"object"} for kind in kinds)
    return are_objects and any(_tells_apart(name, schemas) for name in _names(schemas[0]))


def _kinds(schema: JsonObject) -> set[str]:
    kind = schema.get("type")
    named = {str(each) for each in (cast("list[object]", kind) if isinstance(kind, list) else [kind]) if each}
    # A whole number is both, so that the two words never exclude each other.
    return {"number" if each == "integer" else each for each in named}


def _names(schema: JsonObject) -> tuple[str, ...]:
    properties = schema.get("properties")
    return tuple(cast("JsonObject", properties)) if isinstance(properties, Mapping) else ()


def _tells_apart(name: str, schemas: Sequence[JsonObject]) -> bool:
    values = [_texts(name, schema) for schema in schemas]
    return all(values) and len(set[str]().union(*values)) == sum(map(len, values))


def _texts(name: str, schema: JsonObject) -> set[str]:
    """The texts that a required property may be; none if it may be anything else."""
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(required, list) or name not in required or not isinstance(properties, Mapping):
        return set()
    found: object = cast("JsonObject", properties).get(name)
    if not isinstance(found, Mapping):
        return set()
    each = cast("JsonObject", found)
    values = [each["const"]] if "const" in each else each.get("enum")
    texts = cast("list[object]", values) if isinstance(values, list) else []
    return {text for text in texts if isinstance(text, str)} if all(isinstance(text, str) for text in texts) else set()


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
