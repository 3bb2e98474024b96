"""A schema as a table that a person reads: one line for each field, however deep it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.contracts.expected import in_short
from fourfold.contracts.walk import Node, Schema, walk
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
    """

    path: str
    kind: str
    values: str
    is_required: bool | None
    description: str
    is_ours: bool = False


def fields_of(schema: JsonObject, *, ours: Collection[str] = ()) -> Sequence[SchemaField]:
    """The fields of an object schema, outer ones first; `ours` are names that the framework added."""
    return [_field(node, ours) for node in walk(cast("Schema", schema)) if node.is_property or _is_plain_item(node)]


def _is_plain_item(node: Node) -> bool:
    """Whether it is an item of a list that no field below tells of."""
    return node.steps[-1] == "*" and "properties" not in node.schema and "anyOf" not in node.schema


def _field(node: Node, ours: Collection[str]) -> SchemaField:
    return SchemaField(
        path=".".join(node.steps).replace(".*", "[]"),
        kind=_kind(node.schema),
        values=in_short(node.schema),
        is_required=node.required if node.is_property else None,
        description=str(node.schema.get("description", "")),
        is_ours=len(node.steps) == 1 and node.name in ours,
    )


def _kind(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(arm) for arm in schema["anyOf"]))
    named: object = schema.get("type", "reference" if "$ref" in schema else "any")
    words = " or ".join(cast("list[str]", named)) if isinstance(named, list) else str(named)
    return f"{words} ({schema['format']})" if "format" in schema else words
