"""A schema as values are made from it: references followed, `allOf` merged, and everything with a choice as unions.

What cannot be merged exactly is left out. The judges see the schema as it was written, and have the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm
from typing import cast

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.sample import Unmakeable
from fourfold.review.place import referred

__all__ = ["BANNED", "UNIONS", "arm_of", "as_list", "as_schemas", "plain"]

UNIONS = "fourfold:unions"
"""The unions of a plain schema: a list of lists of arms. A value takes one arm of each."""

BANNED = "fourfold:banned"
"""Values that `not` rules out."""

_HOPS = 20
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_BOTH = ("additionalProperties", "items", "contains", "propertyNames")
_JOINED = (UNIONS, BANNED)
_READ = ("$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "not", "type")
_ALL_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def plain(schema: Json, root: JsonObject) -> JsonObject:
    """The schema without references, `allOf`, and lists of types; its choices under `UNIONS`.

    Raises:
        Unmakeable: it takes nothing, refers to what is not there, or refers to itself without end.
    """
    return _plain(schema, root, _HOPS)


def arm_of(schema: JsonObject, arm: Json, *, root: JsonObject) -> JsonObject:
    """What a value has to fit that takes `arm`, one of those in the first union of the plain `schema`.

    Raises:
        Unmakeable: as `plain`, or the arm contradicts what stands around it.
    """
    rest = {**schema, UNIONS: schema[UNIONS][1:]}
    return _merged(rest, plain(arm, root))


def _plain(schema: Json, root: JsonObject, hops: int) -> JsonObject:
    if schema is True:
        return {}
    if not isinstance(schema, Mapping):
        raise Unmakeable("false" if schema is False else "schema", "")
    if not hops:
        raise Unmakeable("$ref", "")
    written = cast("JsonObject", schema)
    found: JsonObject = {key: value for key, value in written.items() if key not in _READ}
    for each in _surrounding(written, root):
        found = _merged(_plain(each, root, hops - 1), found)
    return _with_choices(found, written)


def _surrounding(schema: JsonObject, root: JsonObject) -> Iterator[Json]:
    """The other schemas that a value has to fit as well."""
    if "$ref" in schema:
        target = root if schema["$ref"] == "#" else referred(schema["$ref"], root)
        if target is None:
            raise Unmakeable("$ref", "")
        yield target
    yield from as_list(schema.get("allOf"))


def _with_choices(found: JsonObject, schema: JsonObject) -> JsonObject:
    """`found` with the type of `schema`, and with its unions and exclusions."""
    banned, excluded = _excluded(schema.get("not"))
    types = _types(schema, excluded)
    typed: JsonObject = {"type": types[0]} if len(types) == 1 else {}
    unions = [as_list(schema[keyword]) for keyword in ("anyOf", "oneOf") if keyword in schema]
    if len(types) > 1:
        unions.append([{"type": kind} for kind in types])
    if isinstance(schema.get("if"), Mapping):
        unions.append([{"allOf": [schema["if"], schema.get("then", True)]}, schema.get("else", True)])
    return _merged(found, {**typed, UNIONS: unions, BANNED: banned})


def _excluded(written: Json) -> tuple[list[Json], list[str]]:
    """The values and the types that a `not` rules out, where it is one of those that say so simply."""
    if not isinstance(written, Mapping):
        return [], []
    schema = cast("JsonObject", written)
    match tuple(schema):
        case ("const",):
            return [schema["const"]], []
        case ("enum",):
            return as_list(schema["enum"]), []
        case ("type",):
            return [], [schema["type"]] if isinstance(schema["type"], str) else as_list(schema["type"])
        case _:
            return [], []


def _types(schema: JsonObject, excluded: list[str]) -> list[str]:
    kind: Json = schema.get("type")
    named = [kind] if isinstance(kind, str) else as_list(kind)
    if not excluded:
        return named
    # An integer is a number: without numbers there are no integers.
    gone = {*excluded, "integer"} if "number" in excluded else {*excluded}
    return [each for each in named or _ALL_TYPES if each not in gone]


def _merged(first: JsonObject, second: JsonObject) -> JsonObject:
    """What fits both. What only describes is that of `second`."""
    both = {key: _joined(key, first[key], second[key]) for key in first.keys() & second.keys()}
    # The order of the first one, then of what the second one adds: made values must not depend on hashes.
    merged: dict[str, Json] = {key: both.get(key, value) for key, value in (*first.items(), *second.items())}
    members = {**_members(first, second), **_members(second, first)}
    if members:
        merged["properties"] = {name: members[name] for name in _names(first, second) if name in members}
    return merged


def _joined(key: str, first: Json, second: Json) -> Json:
    if key == "type":
        return _narrower(first, second)
    if key in _HIGHEST or key in _LOWEST:
        return max(first, second) if key in _HIGHEST else min(first, second)
    if key in _JOINED:
        return [*first, *second]
    if key == "required":
        return [*dict.fromkeys([*as_list(first), *as_list(second)])]
    if key == "enum":
        return [each for each in as_list(first) if each in as_list(second)]
    if key in _BOTH and first != second:
        return False if first is False or second is False else {"allOf": [first, second]}
    if key == "multipleOf" and isinstance(first, int) and isinstance(second, int):
        return lcm(first, second)
    return second


def _narrower(first: str, second: str) -> str:
    if {first, second} == {"integer", "number"}:
        return "integer"
    if first != second:
        raise Unmakeable("type", "")
    return first


def _members(own: JsonObject, other: JsonObject) -> JsonObject:
    """The properties of `own`, as `other` lets them be: a closed schema takes no names that it does not list."""
    listed, foreign = as_schemas(own.get("properties")), as_schemas(other.get("properties"))
    closed = other.get("additionalProperties") is False and not other.get("patternProperties")
    found: dict[str, Json] = {}
    for name, schema in listed.items():
        if name in foreign and foreign[name] != schema:
            found[name] = {"allOf": [schema, foreign[name]]}
        elif name in foreign or not closed:
            found[name] = schema
    return found


def _names(first: JsonObject, second: JsonObject) -> dict[str, None]:
    return dict.fromkeys([*as_schemas(first.get("properties")), *as_schemas(second.get("properties"))])


def as_list(value: Json) -> list[Json]:
    """The list that stands there; empty for anything else."""
    return cast("list[Json]", value) if isinstance(value, list) else []


def as_schemas(value: Json) -> JsonObject:
    """The schemas by name that stand there; empty for anything else."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}
