"""A schema as a table that a person reads: one line for each field, however deep it stands."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.contracts.expected import in_short
from fourfold.contracts.walk import Node, Schema, arms_of, tag_of, tags, walk
from fourfold.model.contract import JsonObject

__all__ = ["SchemaField", "fields_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaField:
    """One field.

    Attributes:
        path: such as `lines[].sku`.
        kind: its JSON type, with the format if it has one.
        values: what it holds, in words.
        is_required: `None` for the items of a list, which are there or not as they like.
        is_ours: whether the framework added it.
        only_if: of a field of one form of a union: what tells that form, such as `by is percent`.
    """

    path: str
    kind: str
    values: str
    is_required: bool | None
    description: str
    is_ours: bool = False
    only_if: str = ""


def fields_of(schema: JsonObject, *, ours: Collection[str] = ()) -> Sequence[SchemaField]:
    """The fields of an object schema, outer ones first; `ours` are names that the framework added."""
    nodes = [*walk(cast("Schema", schema))]
    forms = {known: told for node in nodes for known, told in _forms(node)}
    return [_field(node, ours, forms) for node in nodes if node.is_property or _is_plain_item(node)]


def _forms(node: Node) -> Iterator[tuple[int, str]]:
    """The forms of a union, by the identity of their schemas, and what tells each."""
    tag = tag_of(node.schema, node.root) if "anyOf" in node.schema else None
    if tag is not None:
        for arm in arms_of(node.schema, node.root):
            yield id(arm), f"{tag} is {' or '.join(tags(arm, tag, root=node.root))}"


def _is_plain_item(node: Node) -> bool:
    """Whether it is an item of a list that no field below tells of."""
    return node.steps[-1] == "*" and "properties" not in node.schema and "anyOf" not in node.schema


def _field(node: Node, ours: Collection[str], forms: Mapping[int, str]) -> SchemaField:
    return SchemaField(
        path=".".join(node.steps).replace(".*", "[]"),
        kind=_kind(node.schema),
        values=in_short(node.schema) + _default(node.schema),
        is_required=node.required if node.is_property else None,
        description=str(node.schema.get("description", "")),
        is_ours=len(node.steps) == 1 and node.name in ours,
        only_if=next((forms[id(each)] for each in node.parents[:1] if id(each) in forms), ""),
    )


def _default(schema: Schema) -> str:
    known = schema.get("default") is not None
    return f"; {json.dumps(schema['default'], ensure_ascii=False)} when it is left out" if known else ""


def _kind(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(arm) for arm in schema["anyOf"]))
    named: object = schema.get("type", "reference" if "$ref" in schema else "any")
    words = " or ".join(cast("list[str]", named)) if isinstance(named, list) else str(named)
    return f"{words} ({schema['format']})" if "format" in schema else words
