"""What a server lists, compared with what it listed when somebody looked at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.agent.hooks import EffectWord
from fourfold.agent.outcome import StopReason
from fourfold.contracts.lock import definition_digest
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedTool
from fourfold.model.lock import CatalogLock

__all__ = [
    "KEY_ARGUMENT",
    "Listing",
    "OfferedTool",
    "is_known_again",
    "offered",
    "pins_of_list",
    "pins_of_lock",
    "takes_key",
]

KEY_ARGUMENT = "idempotency_key"
_PLAN_ARGUMENTS = {"plan_id", "digest"}
"""What says which operation is meant (design.md, "Framework arguments")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool that may be shown to the model. Its schema is without the key, which is the caller's to choose."""

    name: str
    description: str
    input_schema: JsonObject
    effect: EffectWord


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One list of a server.

    Attributes:
        tools: by name.
        twice: names that stand in it more than once, so that nobody can say which is meant.
        pins: digests that the definitions have to have, by name.
    """

    tools: Mapping[str, ListedTool]
    twice: frozenset[str]
    pins: Mapping[str, str]

    @classmethod
    def of(cls, listed: Sequence[JsonObject], *, pins: Mapping[str, str]) -> Listing:
        """The list as the server sent it."""
        tools = [ListedTool(definition=each) for each in listed]
        times = Counter(tool.name for tool in tools)
        twice = frozenset(name for name, count in times.items() if count > 1)
        return cls(tools={tool.name: tool for tool in tools}, twice=twice, pins=pins)

    def objection_to(self, name: str) -> StopReason | None:
        """Why a tool of this name may not be called as it is listed now, if there is a reason."""
        if name not in self.tools:
            return "not_listed"
        if name in self.twice:
            return "listed_twice"
        # A tool that was not there at the first list is as unreviewed as one that is not in the lock.
        if name not in self.pins:
            return "not_locked"
        same = self.pins[name] == definition_digest(self.tools[name].definition)
        return None if same else "changed"


def pins_of_lock(lock: CatalogLock) -> Mapping[str, str]:
    """The digests of what is locked. A contract that stands beside a definition is not seen over the wire."""
    return {tool.name: definition_digest(tool.definition) for tool in lock.tools}


def pins_of_list(listed: Sequence[JsonObject]) -> Mapping[str, str]:
    """The digests of a first list, for a loop without a lock."""
    return {ListedTool(definition=each).name: definition_digest(each) for each in listed}


def takes_key(tool: ListedTool) -> bool:
    """Whether the server can recognise a repeat of this tool by a key."""
    return KEY_ARGUMENT in _properties(tool)


def is_known_again(tool: ListedTool) -> bool:
    """Whether the server can recognise a repeat at all: by a key, or by the plan that is executed."""
    return takes_key(tool) or {*_properties(tool)} >= _PLAN_ARGUMENTS


def offered(tool: ListedTool, *, effect: EffectWord) -> OfferedTool:
    """The tool as the model is shown it."""
    schema = dict(tool.input_schema)
    if takes_key(tool):
        schema["properties"] = {name: each for name, each in _properties(tool).items() if name != KEY_ARGUMENT}
        required = schema.get("required")
        if isinstance(required, list):
            schema["required"] = [name for name in cast("list[object]", required) if name != KEY_ARGUMENT]
    return OfferedTool(name=tool.name, description=tool.description, input_schema=schema, effect=effect)


def _properties(tool: ListedTool) -> JsonObject:
    return ListedTool(definition=tool.input_schema).part("properties")
