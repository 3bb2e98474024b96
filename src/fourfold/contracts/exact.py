r"""Makes a model accept exactly what its published schema says.

The validator reads more than JSON Schema means: a UUID as a URN, a date-time without its offset or as seconds in
quotes, a `Decimal` from a float, a set with repeats, any Unicode digit for `\d`. This module narrows the validator
to the published forms; how a form is published stands in `contracts.emit`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, cast
from uuid import UUID

from pydantic import GetCoreSchemaHandler
from pydantic_core import PydanticCustomError, core_schema, to_json

from fourfold.contracts.patterns import ascii_classes

__all__ = ["TIME_PATTERN", "Text", "as_frozenset", "as_set", "decimal_pattern", "exact"]

TIME_PATTERN = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?$"
"""A time of day as it is published: without an offset, which RFC 3339 `full-time` would demand."""

_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_DATE_TIME = r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"
_DATA = frozenset({"metadata", "serialization", "default", "config", "expected", "members"})
"""Keys of a core schema that hold data and no schemas."""

Core = dict[str, Any]
"""A core schema of the validator. `Any` stands for its parts: schemas, lists of them, and data."""


@dataclass(frozen=True, slots=True)
class Text:
    """Reads a value from its one published text; a value made in Python passes through."""

    form: re.Pattern[str]
    read: Callable[[str], object]

    def __call__(self, value: object, info: core_schema.ValidationInfo) -> object:
        """The value that `value` is the text of.

        Raises:
            PydanticCustomError: `wrong_type` or `bad_format`, both codes of a `Problem`.
        """
        if info.mode == "python":
            return value
        if not isinstance(value, str):
            raise PydanticCustomError("wrong_type", "not text")
        if self.form.fullmatch(value) is None:
            raise PydanticCustomError("bad_format", "not in the published form")
        try:
            return self.read(value)
        except ValueError:  # February 30, a leap second
            raise PydanticCustomError("bad_format", "not in the published form") from None


@dataclass(frozen=True, slots=True)
class Members:
    """Gives the member of an enum for its value."""

    by_value: Mapping[object, Enum]

    def __call__(self, value: object) -> object:
        """The member with that value, or what is a member already."""
        return self.by_value.get(value, value)


_TEXTS = {
    "uuid": Text(re.compile(_UUID), UUID),
    "datetime": Text(re.compile(_DATE_TIME, re.ASCII), lambda text: datetime.fromisoformat(text.upper())),
    "time": Text(re.compile(TIME_PATTERN[1:-1]), time.fromisoformat),
}


def exact(schema: core_schema.CoreSchema, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """`schema` narrowed to the published forms, whatever they are nested in.

    Definitions that it refers to are narrowed in place; models among them have narrowed themselves.
    """
    return cast("core_schema.CoreSchema", _Pass(handler).narrowed(schema))


@dataclass(frozen=True, slots=True)
class _Pass:
    """One pass over a model's core schema. `seen` are the definitions met, which may refer to themselves."""

    handler: GetCoreSchemaHandler
    seen: set[str] = field(default_factory=set[str])

    def narrowed(self, schema: object) -> object:
        if isinstance(schema, list | tuple):
            items = [self.narrowed(item) for item in cast("Sequence[object]", schema)]
            return items if isinstance(schema, list) else tuple(items)
        if not isinstance(schema, dict):
            return schema
        node = cast("Core", schema)
        kind = node.get("type")
        if not isinstance(kind, str):  # a mapping by name: the fields of a model, the arms of a tagged union
            return {name: self.narrowed(item) for name, item in node.items()}
        if kind == "definition-ref":
            self._narrow_definition(node)
            return node
        if _is_narrowed(node):
            return node
        inner = {key: value if key in _DATA else self.narrowed(value) for key, value in node.items()}
        return _NARROWED[kind](inner) if kind in _NARROWED else inner

    def _narrow_definition(self, node: Core) -> None:
        if node["schema_ref"] in self.seen:
            return
        self.seen.add(node["schema_ref"])
        try:
            definition = cast("Core", self.handler.resolve_ref_schema(cast("core_schema.CoreSchema", node)))
        except LookupError:  # the model that is being made refers to itself
            return
        if definition["type"] not in ("model", "definition-ref"):
            narrowed = cast("Core", self.narrowed(dict(definition)))
            definition.clear()
            definition.update(narrowed)


def _is_narrowed(node: Core) -> bool:
    """Whether this module made `node`, so that a model inside a model isn't narrowed twice."""
    function = cast("Core", node.get("json_schema", node)).get("function")
    made = cast("Core", function).get("function") if isinstance(function, dict) else None
    return isinstance(made, Text | Members) or made in (as_set, as_frozenset)


def _pattern(node: Core) -> Core:
    return {**node, "pattern": ascii_classes(node["pattern"])} if isinstance(node.get("pattern"), str) else node


def _text(node: Core) -> Core:
    return _before(_TEXTS[node["type"]], node)


def _decimal(node: Core) -> Core:
    """A decimal as text: a JSON number is a float on the way, and a float is no decimal."""
    pattern = decimal_pattern(node) or r"^-?[0-9]+(\.[0-9]+)?$"
    return _before(Text(re.compile(pattern[1:-1]), Decimal), node)


def decimal_pattern(node: Core) -> str | None:
    """The published pattern of a decimal, or `None` when its digits are not bounded."""
    digits, places = node.get("max_digits"), node.get("decimal_places")
    if digits is None or places is None:
        return None
    low = node.get("ge", node.get("gt"))
    sign = "" if low is not None and low >= 0 else "-?"
    fraction = rf"(\.[0-9]{{1,{places}}})?" if places else ""
    return rf"^{sign}[0-9]{{1,{max(digits - places, 1)}}}{fraction}$"


def _before(reader: Text, node: Core) -> Core:
    schema = cast("core_schema.CoreSchema", {key: value for key, value in node.items() if key != "ref"})
    return cast("Core", core_schema.with_info_before_validator_function(reader, schema, ref=node.get("ref")))


def as_set(items: list[object]) -> set[object]:
    """`items` as a set.

    Raises:
        PydanticCustomError: `not_allowed`, when one of them repeats.
    """
    return set(_each_once(items))


def as_frozenset(items: list[object]) -> frozenset[object]:
    """`items` as a frozenset; see `as_set`."""
    return frozenset(_each_once(items))


def _each_once(items: list[object]) -> list[object]:
    if len(set(items)) != len(items):
        raise PydanticCustomError("not_allowed", "an item repeats")
    return items


def _in_order(items: Collection[object]) -> list[object]:
    """The items of a set in one order in every process, whatever its hash seed."""
    return sorted(items, key=to_json)


def _set(node: Core) -> Core:
    """A set from a list, with the bounds on what was sent and not on what is left of it; back again in order."""
    bounds = {key: node[key] for key in ("min_length", "max_length") if key in node}
    items = node.get("items_schema")
    make = as_set if node["type"] == "set" else as_frozenset
    in_order = core_schema.plain_serializer_function_ser_schema(
        _in_order, return_schema=core_schema.list_schema(items), when_used="json"
    )
    made = core_schema.json_or_python_schema(
        json_schema=core_schema.no_info_after_validator_function(make, core_schema.list_schema(items, **bounds)),
        python_schema=cast("core_schema.CoreSchema", node),
        metadata=node.get("metadata"),
        serialization=node.get("serialization", in_order),
    )
    return cast("Core", made)


def _literal(node: Core) -> Core:
    """A literal of members of an enum: in JSON their values stand for them, also as the tag of a union."""
    members = {each.value: each for each in node["expected"] if isinstance(each, Enum) and not isinstance(each, str)}
    if not members:
        return node
    wider = cast("core_schema.CoreSchema", {**node, "expected": [*node["expected"], *members]})
    return cast("Core", core_schema.no_info_after_validator_function(Members(members), wider))


_NARROWED: dict[str, Callable[[Core], Core]] = {
    "str": _pattern,
    "uuid": _text,
    "datetime": _text,
    "time": _text,
    "decimal": _decimal,
    "literal": _literal,
    "set": _set,
    "frozenset": _set,
}
