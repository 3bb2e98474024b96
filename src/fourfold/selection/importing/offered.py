"""The tools that were offered, out of any format's definitions, and the names under which they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.digest import tools_digest
from fourfold.selection.wire.names import WireNames
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["OfferedSet", "are_told", "offered_tools"]

_SCHEMAS = ("parameters", "inputSchema", "input_schema")
_PREFIX = "mcp__"


def offered_tools(definitions: object) -> tuple[OfferedTool, ...]:
    """The tools of a list of definitions as OpenAI, Anthropic, MCP or OpenTelemetry write them; others are left out."""
    found = (_offered(each) for each in objects_of(definitions))
    return tuple(tool for tool in found if tool.name)


def _offered(definition: JsonObject) -> OfferedTool:
    facts = object_of(definition.get("function")) or definition
    schema = next((object_of(facts[key]) for key in _SCHEMAS if key in facts), object_of(None))
    return OfferedTool(
        name=text_of(facts.get("name")), description=text_of(facts.get("description")), input_schema=schema
    )


def are_told(tools: Sequence[OfferedTool]) -> bool:
    """Whether a model can be told of them again: bare names, as traces hold by default, say nothing."""
    return any(tool.description or tool.input_schema for tool in tools)


@dataclass(frozen=True)
class OfferedSet:
    """Tools that were offered together."""

    tools: Sequence[OfferedTool]

    @cached_property
    def by_name(self) -> Mapping[str, OfferedTool]:
        """Each by its name."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def digest(self) -> str:
        """Names the set in a case."""
        return tools_digest(self.tools)

    @cached_property
    def _restored(self) -> Mapping[str, str]:
        return WireNames.of(self.tools).known

    def named(self, called: str) -> str:
        """The name in the set of a tool that was called as `called`; empty if there is none.

        A client that joins servers calls `refund` of the server `pay` `mcp__pay__refund`, and `note.get` is called
        `note_get` where an API takes no dots.
        """
        # A server's name may have "__" in it, so that every cut is tried, the longest rest first.
        parts = called.split("__") if called.startswith(_PREFIX) else [called]
        names = ["__".join(parts[at:]) for at in range(1, len(parts))]
        return next((self._restored[name] for name in (called, *names) if name in self._restored), "") or (
            called if called in self.by_name else ""
        )

    def among(self, names: frozenset[str]) -> OfferedSet:
        """Those of the set that have one of `names`, if all of these are known; else the whole set."""
        known = {self.named(name) for name in names}
        kept = [tool for tool in self.tools if tool.name in known]
        return OfferedSet(kept) if names and "" not in known else self
