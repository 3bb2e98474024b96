"""Whether a value keeps a schema, as far as a review needs it: types, listed values and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.place import Place

__all__ = ["fits", "fits_type"]

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (Mapping,),
    "null": (type(None),),
}


def fits_type(value: object, types: Sequence[str]) -> bool:
    """Whether one of `types` takes `value`; a type that nobody knows takes anything."""
    return not types or any(_is_of(value, name) for name in types)


def _is_of(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean" or name not in _TYPES
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return name not in _TYPES or isinstance(value, _TYPES[name])


def fits(value: object, place: Place) -> bool:
    """Whether `value` has the type, is among the values and keeps the bounds of `place`; patterns are not tried."""
    if not fits_type(value, place.types) or (place.values and value not in place.values):
        return False
    return _keeps_bounds(value, place.resolved)


def _keeps_bounds(value: object, schema: JsonObject) -> bool:
    if isinstance(value, int | float):
        return _between(value, schema, low="minimum", high="maximum")
    if isinstance(value, str):
        return _between(len(value), schema, low="minLength", high="maxLength")
    is_list = isinstance(value, Sequence)
    return not is_list or _between(len(cast("Sized", value)), schema, low="minItems", high="maxItems")


def _between(size: float, schema: JsonObject, *, low: str, high: str) -> bool:
    least: object = schema.get(low, size)
    most: object = schema.get(high, size)
    numbers = isinstance(least, int | float) and isinstance(most, int | float)
    return not numbers or cast("float", least) <= size <= cast("float", most)
