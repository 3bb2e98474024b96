"""Takes apart JSON that somebody else has written: each function gives an empty value where the shape is another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject

__all__ = ["arguments_of", "count_of", "is_object", "list_of", "object_of", "objects_of", "text_of"]

_NOTHING: JsonObject = {}
_TOLERATED = frozenset({"unsafe_integer"})
"""A long integer is a value like any other here: the rule that scores says what is wrong with it."""


def object_of(value: object) -> JsonObject:
    """`value` if it is an object."""
    return cast("JsonObject", value) if is_object(value) else _NOTHING


def is_object(value: object) -> bool:
    """Whether `value` is an object."""
    return isinstance(value, Mapping)


def list_of(value: object) -> list[object]:
    """`value` if it is an array."""
    return cast("list[object]", value) if isinstance(value, list) else []


def objects_of(value: object) -> list[JsonObject]:
    """The objects in `value`, if it is an array."""
    return [object_of(each) for each in list_of(value) if is_object(each)]


def text_of(value: object) -> str:
    """`value` if it is text."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    """`value` if it is a whole number from 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def arguments_of(raw: str) -> JsonObject | None:
    """The arguments that a model wrote as text; `None` if they are no JSON object. Nothing at all is an empty one."""
    if not raw.strip():
        return {}
    try:
        parsed = parse(raw.encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        return None
    broken = {fault.code for fault in parsed.faults} - _TOLERATED
    return None if broken or not is_object(parsed.value) else object_of(parsed.value)
