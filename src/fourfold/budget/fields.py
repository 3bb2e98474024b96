"""The fields of a catalog that cost most, each with a cheaper way to say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import cast

from fourfold.budget.equivalent import Equivalent, cheaper
from fourfold.budget.rendering import compact
from fourfold.budget.tokens import Profile
from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ListedTool

__all__ = ["CostlyField", "Field", "costly_fields", "fields_of"]

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose keys are names of the author."""

_LEAVES = frozenset({"description", "title", "enum", "examples", "example", "default", "const", "pattern", "$comment"})
_SENT = ("description", "inputSchema")
_MAX_DEPTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of a definition.

    Attributes:
        pointer: JSON Pointer into the tool's definition.
        value: the value as listed.
        schema: the schema, or the definition, that it stands in.
    """

    tool: str
    pointer: str
    value: object
    schema: JsonObject

    @property
    def text(self) -> str:
        """The value as it is counted: text as it is, anything else as JSON."""
        return self.value if isinstance(self.value, str) else compact(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostlyField:
    """A field, what it costs, and what says the same for less."""

    field: Field
    tokens: int
    equivalent: Equivalent


def costly_fields(
    catalog: ListedCatalog, *, profile: Profile, output_is_sent: bool, most: int = 5
) -> tuple[CostlyField, ...]:
    """The `most` most expensive fields of what is sent, the most expensive first."""
    counted = (
        (profile.count(field.text), field)
        for tool in catalog.tools
        for field in fields_of(tool, with_output=output_is_sent)
    )
    worst = nlargest(most, counted, key=lambda pair: pair[0])
    return tuple(
        CostlyField(
            field=field,
            tokens=tokens,
            equivalent=cheaper(field.pointer, field.value, schema=field.schema, count=profile.count),
        )
        for tokens, field in worst
    )


def fields_of(tool: ListedTool, *, with_output: bool) -> Iterator[Field]:
    """The descriptions, value lists, examples, defaults and patterns of a tool, at any depth."""
    definition = tool.definition
    shown = definition if with_output else {name: definition[name] for name in _SENT if name in definition}
    # By hand, because a schema may be deeper than the interpreter's stack.
    waiting: list[tuple[object, str, bool, int]] = [(shown, "", False, 0)]
    while waiting:
        node, at, holds_names, depth = waiting.pop()
        if depth > _MAX_DEPTH:
            continue
        for step, value in _inside(node):
            place = at + pointer(step)
            if not holds_names and step in _LEAVES:
                yield Field(tool=tool.name, pointer=place, value=value, schema=cast("JsonObject", node))
            else:
                waiting.append((value, place, step in _NAMED and not holds_names, depth + 1))


def _inside(node: object) -> Iterator[tuple[str | int, object]]:
    if isinstance(node, Mapping):
        yield from cast("JsonObject", node).items()
    elif isinstance(node, Sequence) and not isinstance(node, str | bytes):
        yield from enumerate(cast("Sequence[object]", node))
