"""Small steps that say the same in keywords that more clients know: each takes one schema and accepts what it did."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

from fourfold.contracts.walk import Schema
from fourfold.review.intersect import folded, intersect, is_disjoint

__all__ = ["STEPS"]


def _parts(node: Schema) -> Schema:
    return folded(node, "allOf")


def _constant(node: Schema) -> Schema:
    value = node.get("const")
    if "const" in node and "enum" not in node:
        node = {
            ("enum" if key == "const" else key): ([value] if key == "const" else each) for key, each in node.items()
        }
    return node


def _type_of_enum(node: Schema) -> Schema:
    values = node.get("enum")
    if (
        "type" in node
        or not isinstance(values, list)
        or not values
        or {"anyOf", "oneOf", "allOf", "$ref"} & node.keys()
    ):
        return node
    is_text = all(isinstance(value, str) for value in cast("list[object]", values))
    return {"type": "string", **node} if is_text else node


def _one_type(node: Schema) -> Schema:
    kind = node.get("type")
    if isinstance(kind, list) and len(cast("list[object]", kind)) == 1:
        node["type"] = cast("list[object]", kind)[0]
    return node


def _whole_bounds(node: Schema) -> Schema:
    """Bounds of an integer in their inclusive form."""
    if node.get("type") != "integer":
        return node
    above, below = _number(node.get("exclusiveMinimum")), _number(node.get("exclusiveMaximum"))
    if above is not None:
        del node["exclusiveMinimum"]
        node = intersect(node, {"minimum": math.floor(above) + 1})
    if below is not None:
        del node["exclusiveMaximum"]
        node = intersect(node, {"maximum": math.ceil(below) - 1})
    return node


def _run_of_numbers(node: Schema) -> Schema:
    """Whole numbers without a gap as bounds."""
    values = node.get("enum")
    if node.get("type") != "integer" or not isinstance(values, list):
        return node
    numbers = cast("list[object]", values)
    whole = sorted({each for each in numbers if isinstance(each, int) and not isinstance(each, bool)})
    if len(whole) != len(numbers) or len(whole) < 2 or whole[-1] - whole[0] != len(whole) - 1:
        return node
    del node["enum"]
    return intersect(node, {"minimum": whole[0], "maximum": whole[-1]})


def _items(node: Schema) -> Schema:
    return {**node, "items": {}} if node.get("type") == "array" and "items" not in node else node


def _one_arm(node: Schema) -> Schema:
    for keyword in ("anyOf", "oneOf"):
        arms = node.get(keyword)
        if isinstance(arms, list) and len(cast("list[object]", arms)) == 1:
            node = folded(node, keyword)
    return node


def _any_of(node: Schema) -> Schema:
    arms = node.get("oneOf")
    if (
        "anyOf" in node
        or not isinstance(arms, Sequence)
        or not is_disjoint(cast("Sequence[object]", arms), beside=node)
    ):
        return node
    return {("anyOf" if key == "oneOf" else key): value for key, value in node.items()}


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


STEPS: tuple[tuple[str, Callable[[Schema], Schema]], ...] = (
    ("parts of allOf written as one", _parts),
    ("union of one written as itself", _one_arm),
    ("const as an enum of one", _constant),
    ("type added: the values are text", _type_of_enum),
    ("list of one type as that type", _one_type),
    ("exclusive bounds of an integer as inclusive ones", _whole_bounds),
    ("run of whole numbers as bounds", _run_of_numbers),
    ("items added: any", _items),
    ("oneOf as anyOf: its arms exclude each other", _any_of),
)
"""What each step does, in words for a report, and the step. It may change what it is given."""
