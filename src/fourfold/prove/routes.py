"""Every place that a value of a schema can have, the outer ones first, with the way to it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fourfold.contracts.strict_json import Json, pointer
from fourfold.model.contract import JsonObject
from fourfold.prove.members import member_schema, new_name
from fourfold.prove.plain import UNIONS, arm_of, as_list, as_schemas
from fourfold.prove.sample import Unmakeable
from fourfold.prove.values import Arm, Step, Values, listed_values, type_of

__all__ = ["Route", "routes"]

_MOST = 300
_DEEPEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The way to one place.

    Attributes:
        steps: from the root's schema to the one of the place.
        schema: the plain schema of the place.
        name: the member that a value here belongs to; empty at the root.
        pointer: the place in the value.
    """

    steps: tuple[Step, ...]
    schema: JsonObject
    name: str = ""
    pointer: str = ""

    @property
    def depth(self) -> int:
        """Arrays and objects around it."""
        return sum(not isinstance(step, Arm) for step in self.steps)


def routes(schema: JsonObject, values: Values) -> tuple[Route, ...]:
    """The ways to the first 300 places of a plain schema; those of one depth in the order of the dice."""
    found: list[Route] = []
    waiting = [Route(steps=(), schema=schema)]
    while waiting and len(found) < _MOST:
        found += waiting
        inner = [each for route in waiting if len(route.steps) < 2 * _DEEPEST for each in _onward(route, values)]
        waiting = _mixed([each for each in inner if each.depth <= _DEEPEST], values.dice)
    return tuple(found[:_MOST])


def _mixed(found: list[Route], dice: random.Random) -> list[Route]:
    dice.shuffle(found)
    return found


def _onward(route: Route, values: Values) -> Iterator[Route]:
    for step in _steps(route.schema, values):
        try:
            yield _stepped(route, step, values)
        except Unmakeable:
            continue


def _steps(schema: JsonObject, values: Values) -> Iterator[Step]:
    if schema.get(UNIONS):
        yield from (Arm(index) for index in range(len(schema[UNIONS][0])))
    elif listed_values(schema) is not None:
        return
    elif type_of(schema) == "object":
        yield from as_schemas(schema.get("properties"))
        yield from _invented(schema, values)
    elif type_of(schema) == "array" and schema.get("maxItems") != 0:
        first = as_list(schema.get("prefixItems")) or as_list(schema.get("items"))
        yield from range(len(first) or 1)


def _invented(schema: JsonObject, values: Values) -> Iterator[str]:
    """A name that is not listed, where something is said about its value."""
    said: Json = schema.get("patternProperties") or schema.get("additionalProperties")
    if isinstance(said, Mapping) and said:
        try:
            yield new_name(schema, values.dice)
        except Unmakeable:
            return


def _stepped(route: Route, step: Step, values: Values) -> Route:
    match step:
        case Arm(index=index):
            inside = arm_of(route.schema, route.schema[UNIONS][0][index], root=values.root)
            return Route(steps=(*route.steps, step), schema=inside, name=route.name, pointer=route.pointer)
        case str():
            inside = member_schema(route.schema, step, root=values.root)
            name = step
        case _:
            inside, name = values.item(route.schema, step), route.name
    return Route(steps=(*route.steps, step), schema=inside, name=name, pointer=route.pointer + pointer(step))
