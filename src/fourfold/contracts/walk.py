"""Ways through a canonical schema: every place in it, what a reference means, and how a union is told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from fourfold.contracts.markers import MARKS, Marker
from fourfold.contracts.strict_json import Json, pointer

__all__ = ["Node", "Schema", "arms_of", "followed", "starts", "tag_of", "tags", "walk"]

Schema = dict[str, Json]
"""A JSON Schema object."""

MarkerT = TypeVar("MarkerT", bound=Marker)


def followed(node: Schema, root: Schema) -> Schema:
    """`node`, or the definition in `root` that it refers to."""
    reference = node.get("$ref")
    return root["$defs"][reference.removeprefix("#/$defs/")] if isinstance(reference, str) else node


def arms_of(union: Schema, root: Schema) -> list[Schema]:
    """The arms of a union but null, references followed."""
    arms = [followed(arm, root) for arm in union["anyOf"]]
    return [arm for arm in arms if arm.get("type") != "null"]


def tag_of(union: Schema, root: Schema) -> str | None:
    """The property that tells the arms of a union apart: required in each, with values that no other arm has."""
    arms = arms_of(union, root)
    first = arms[0]
    while "anyOf" in first:
        first = arms_of(first, root)[0]
    for name in first.get("properties", {}):
        values = [tags(arm, name, root=root) for arm in arms]
        if all(values) and len(set[str]().union(*values)) == sum(map(len, values)):
            return name
    return None


def tags(arm: Schema, name: str, *, root: Schema) -> tuple[str, ...]:
    """The values of `name` in an arm, or in the arms inside it; none if it may be left out or isn't a vocabulary."""
    if "anyOf" in arm:
        inner = [tags(each, name, root=root) for each in arms_of(arm, root)]
        return tuple(dict.fromkeys(tag for values in inner for tag in values)) if all(inner) else ()
    if name not in arm.get("required", ()):
        return ()
    return tuple(str(value) for value in arm["properties"][name].get("enum", ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One place in a schema: where values of it stand, and what surrounds it.

    `steps` are the JSON Pointer steps of a value in an instance, with `*` for "each item". `owner` are those of the
    nearest property, `name` is its name; an item or an arm of a union has its steps and `owner` apart from them.
    `parents` are the object schemas around it, innermost first, and `root` is the whole schema.
    """

    root: Schema
    schema: Schema
    steps: tuple[str, ...]
    name: str
    owner: tuple[str, ...]
    is_property: bool
    required: bool
    parents: tuple[Schema, ...]

    @property
    def pointer(self) -> str:
        """The place as a pointer: `/lines/*/sku`."""
        return pointer(*self.steps)

    def marks(self, kind: type[MarkerT]) -> list[MarkerT]:
        """The markers of that kind on this place."""
        found = [mark for mark in self.schema.get(MARKS, []) if mark["mark"] == kind.word]
        return [kind(**{key: value for key, value in mark.items() if key != "mark"}) for mark in found]


def walk(schema: Schema) -> Iterator[Node]:
    """Every place below the root of a canonical schema, outer ones first; references are not followed."""
    yield from _walk(_start(schema, schema, steps=()))
    for name, definition in cast("dict[str, Schema]", schema.get("$defs", {})).items():
        yield from _walk(_start(schema, definition, steps=("$defs", name)))


def starts(schema: Schema) -> Iterator[Node]:
    """Where `walk` starts and what it does not yield: the root, and each recursive definition."""
    yield _start(schema, schema, steps=())
    for name, definition in cast("dict[str, Schema]", schema.get("$defs", {})).items():
        yield _start(schema, definition, steps=("$defs", name))


def _start(root: Schema, schema: Schema, *, steps: tuple[str, ...]) -> Node:
    return Node(
        root=root, schema=schema, steps=steps, name="", owner=steps, is_property=False, required=True, parents=()
    )


def _walk(node: Node) -> Iterator[Node]:
    for inner in (*_properties(node), *_unnamed(node)):
        yield inner
        yield from _walk(inner)


def _properties(node: Node) -> Iterator[Node]:
    required = set(node.schema.get("required", ()))
    for name, schema in cast("dict[str, Schema]", node.schema.get("properties", {})).items():
        steps = (*node.steps, name)
        yield Node(
            root=node.root,
            schema=schema,
            steps=steps,
            name=name,
            owner=steps,
            is_property=True,
            required=name in required,
            parents=(node.schema, *node.parents),
        )


def _unnamed(node: Node) -> Iterator[Node]:
    """Values that have no property name of their own: items, values under free keys, arms."""
    schema = node.schema
    if isinstance(schema.get("items"), dict):
        yield replace(node, schema=schema["items"], steps=(*node.steps, "*"), is_property=False, required=True)
    inner: list[Schema] = [*schema.get("patternProperties", {}).values()]
    if isinstance(schema.get("additionalProperties"), dict):
        inner.append(schema["additionalProperties"])
    for key in ("prefixItems", "anyOf", "allOf"):
        inner.extend(schema.get(key, []))
    for each in inner:
        yield replace(node, schema=each, is_property=False, required=True)
