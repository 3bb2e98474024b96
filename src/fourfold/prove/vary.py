"""Parts that a place takes beside the usual one: limits, listed values, other characters, other arms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.numbers import other_numbers
from fourfold.prove.plain import UNIONS
from fourfold.prove.routes import Route
from fourfold.prove.sample import Unmakeable
from fourfold.prove.texts import other_texts
from fourfold.prove.values import Arm, Values, listed_values, type_of

__all__ = ["good_parts"]

_MANY = 200


def good_parts(route: Route, values: Values) -> Iterator[tuple[str, Json]]:
    """What a place takes, each with what it shows.

    Raises:
        Unmakeable: the place takes nothing.
    """
    if route.schema.get(UNIONS):
        return
    if route.steps:
        kind = "arm" if isinstance(route.steps[-1], Arm) else "typical"
        yield kind, values.whole(route.schema, name=route.name, depth=route.depth)
    yield from _others(route, values)


def _others(route: Route, values: Values) -> Iterator[tuple[str, Json]]:
    schema = route.schema
    listed = listed_values(schema)
    if listed is not None:
        yield from (("enum", value) for value in listed)
        return
    match type_of(schema):
        case "boolean":
            yield from (("enum", value) for value in (True, False))
        case "integer" | "number":
            yield from other_numbers(schema)
        case "string":
            yield from other_texts(schema, values.dice)
        case "array":
            yield from _lists(route, values)
        case "object":
            full = replace(values, style="maximal")
            yield "maximal", full.an_object(schema, depth=route.depth)
        case _:
            return


def _lists(route: Route, values: Values) -> Iterator[tuple[str, Json]]:
    low, high = _bounds(route.schema)
    for length in dict.fromkeys([low, low + 1, high - 1, high]):
        if low <= length <= min(high, _MANY):
            yield from _of_length(route, values, length)


def _of_length(route: Route, values: Values, length: int) -> Iterator[tuple[str, Json]]:
    try:
        yield "boundary", values.a_list(route.schema, name=route.name, depth=route.depth, least=length)
    except Unmakeable:
        return


def _bounds(schema: JsonObject) -> tuple[int, int]:
    low = int(schema.get("minItems", 0))
    return low, int(schema.get("maxItems", low + 3))
