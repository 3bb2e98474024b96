"""Parts that a place refuses, each wrong in one way."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, Json, pointer
from fourfold.model.contract import JsonObject
from fourfold.prove.members import is_closed
from fourfold.prove.numbers import wrong_numbers
from fourfold.prove.plain import UNIONS, as_list, as_schemas
from fourfold.prove.routes import Route
from fourfold.prove.sample import Unmakeable
from fourfold.prove.texts import wrong_texts
from fourfold.prove.values import Values, listed_values, type_of

__all__ = ["bad_parts", "parts_that_only_we_refuse"]

_OTHER_TYPES: tuple[tuple[frozenset[str], Json], ...] = (
    (frozenset({"string"}), "text"),
    (frozenset({"string"}), "5"),
    (frozenset({"string"}), "true"),
    (frozenset({"integer", "number"}), 5),
    (frozenset({"number"}), 0.5),
    (frozenset({"boolean"}), True),
    (frozenset({"array"}), []),
    (frozenset({"array"}), [5]),
    (frozenset({"object"}), {}),
)
_TOO_MANY = 1_000


def bad_parts(route: Route, values: Values) -> Iterator[tuple[str, str, Json]]:
    """What a place refuses: what is wrong with it, the pointer to it from the place, and the part.

    Raises:
        Unmakeable: there is nothing right to break.
    """
    schema = route.schema
    yield "null", "", None
    yield from (("wrong_type", "", value) for value in _mistyped(schema))
    listed = listed_values(schema)
    if listed is not None:
        yield from (("not_listed", "", value) for value in _beside(listed))
    elif not schema.get(UNIONS):
        yield from _by_type(route, values)


def parts_that_only_we_refuse(route: Route, *, limit: int) -> Iterator[tuple[str, str, Json]]:
    """What JSON Schema takes here and a catalog of ours does not, in the form of `bad_parts`.

    Args:
        route: the place.
        limit: bytes that the arguments may have.
    """
    if listed_values(route.schema) is not None or not route.steps:
        return
    match type_of(route.schema):
        case "string":
            yield "nul_character", "", "nul\0inside"
            yield "oversized", "", "x" * (limit + 1)
        case "integer" | "number":
            yield "unsafe_integer", "", MAX_SAFE_INTEGER + 2
            yield "unsafe_integer", "", -(2**63)
        case _:
            yield "too_deep", "", _nested(MAX_DEPTH + 10)


def _nested(depth: int) -> list[Json]:
    nested: list[Json] = []
    for _ in range(depth):
        nested = [nested]
    return nested


def _mistyped(schema: JsonObject) -> Iterator[Json]:
    kind = type_of(schema)
    if "type" not in schema and not schema.get(UNIONS):
        return
    # Of a union nobody knows here what it refuses; the judges do.
    yield from (value for kinds, value in _OTHER_TYPES if kind not in kinds)


def _beside(listed: list[Json]) -> Iterator[Json]:
    """Values that are not on a list, and look as if they were."""
    texts = [value for value in listed if isinstance(value, str)]
    numbers = [value for value in listed if isinstance(value, int) and not isinstance(value, bool)]
    for text in texts[:2]:
        yield from (each for each in (text.swapcase(), f"{text} ", f"{text}_", "") if each not in listed)
    if numbers:
        yield max(numbers) + 1


def _by_type(route: Route, values: Values) -> Iterator[tuple[str, str, Json]]:
    match type_of(route.schema):
        case "object":
            yield from _objects(route, values)
        case "array":
            yield from _lists(route, values)
        case "string":
            yield from ((kind, "", text) for kind, text in wrong_texts(route.schema, values.dice))
        case "integer" | "number":
            yield from ((kind, "", number) for kind, number in wrong_numbers(route.schema))
        case _:
            return


def _objects(route: Route, values: Values) -> Iterator[tuple[str, str, Json]]:
    right = values.an_object(route.schema, depth=route.depth)
    if is_closed(route.schema):
        yield "unknown_member", "/unknown_member", {**right, "unknown_member": 1}
    for name in as_list(route.schema.get("required")):
        yield "missing", pointer(name), _without(right, name)
    for name, needed in as_schemas(route.schema.get("dependentRequired")).items():
        with_name = values.an_object(route.schema, depth=route.depth, also=(name,))
        yield from (("missing", pointer(each), _without(with_name, each)) for each in as_list(needed))


def _without(value: dict[str, Json], name: str) -> dict[str, Json]:
    return {key: each for key, each in value.items() if key != name}


def _lists(route: Route, values: Values) -> Iterator[tuple[str, str, Json]]:
    schema, depth = route.schema, route.depth
    low, high = int(schema.get("minItems", 0)), int(schema.get("maxItems", _TOO_MANY))
    if 0 < low <= _TOO_MANY:
        yield "too_few", "", values.a_list(schema, name=route.name, depth=depth)[: low - 1]
    if schema.get("uniqueItems") is True and high > 1:
        yield "not_unique", "", _doubled(route, values, max(low, 2))
    if high < _TOO_MANY:
        # The last of them, since there may not be so many different items.
        wider: JsonObject = {**schema, "maxItems": high + 1}
        yield "too_many", "", values.a_list(wider, name=route.name, depth=depth, least=high + 1)


def _doubled(route: Route, values: Values, length: int) -> list[Json]:
    made = values.a_list(route.schema, name=route.name, depth=route.depth, least=length - 1)
    if not made:
        raise Unmakeable("items", "")
    return [*made[: length - 1], made[0]]
