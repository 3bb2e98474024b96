"""What a target lists: tools as they came over the wire or out of a file, whoever wrote them and however badly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.model.contract import JsonObject, ToolContract

__all__ = ["ListedCatalog", "ListedTool", "ToolAnswer"]

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """One tool as a server lists it. Nothing is certain about its shape but that it is an object.

    Attributes:
        definition: the tool as listed, unknown fields and all. Pointers of findings point into it.
        contract: the contract behind it, where the target is a catalog of ours.
    """

    definition: JsonObject
    contract: ToolContract | None = None

    @property
    def name(self) -> str:
        """Its name; empty if it has none."""
        return self.text("name")

    @property
    def description(self) -> str:
        """Its description; empty if it has none."""
        return self.text("description")

    @property
    def input_schema(self) -> JsonObject:
        """Its input schema; empty if that is no object."""
        return self.part("inputSchema")

    @property
    def output_schema(self) -> JsonObject | None:
        """Its output schema; `None` if it has none, empty if that is no object."""
        return self.part("outputSchema") if "outputSchema" in self.definition else None

    @property
    def annotations(self) -> JsonObject:
        """Its annotations; empty if it has none."""
        return self.part("annotations")

    def text(self, field_name: str) -> str:
        """A field of the definition, if it is text."""
        value = self.definition.get(field_name)
        return value if isinstance(value, str) else ""

    def part(self, field_name: str) -> JsonObject:
        """A field of the definition, if it is an object."""
        value: object = self.definition.get(field_name)
        return cast("JsonObject", value) if isinstance(value, Mapping) else _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCatalog:
    """Every tool of a target.

    Attributes:
        target: what the user named, for reports.
        server: the name under which clients know the server; empty if nobody said.
        instructions: what the server tells a model about its tools.
        facts: the other fields of the list's answer, such as `cacheScope`, and of the file that held it.
    """

    target: str
    tools: tuple[ListedTool, ...]
    server: str = ""
    instructions: str = ""
    facts: JsonObject = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What a live server answered to one call.

    Attributes:
        result: the `CallToolResult` as it came; empty if the call was refused with a protocol error.
        arguments: what was sent; `None` if nobody knows.
        before: the result before this one, where this one was to continue it.
        refusal: the message of the protocol error, if the call was refused with one.
        refusal_code: its JSON-RPC code; 0 if there is none.
        told: what the caller had anyway, such as the words of the command that started the server.
    """

    result: JsonObject
    arguments: JsonObject | None = None
    before: JsonObject | None = None
    refusal: str = ""
    refusal_code: int = 0
    told: str = ""
