"""Names as an API takes them: providers refuse the dots and slashes that MCP allows, so they are mapped, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fourfold.model.chosen import Choice, OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["WireNames"]

_REFUSED = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64
"""Characters of a name: what OpenAI takes; Anthropic takes more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireNames:
    """The names of one set of tools, both ways."""

    sent: Mapping[str, str]
    known: Mapping[str, str]

    @classmethod
    def of(cls, tools: Sequence[OfferedTool]) -> WireNames:
        """Names that every provider takes, each its own; those that are fine stay as they are."""
        # Names that are fine are known first, so that none that is mapped takes theirs.
        plain = {tool.name for tool in tools if _plain(tool.name) == tool.name}
        sent: dict[str, str] = {}
        known: dict[str, str] = {name: name for name in plain}
        for tool in tools:
            name = tool.name if tool.name in plain else _free(_plain(tool.name), known)
            sent[tool.name], known[name] = name, tool.name
        return cls(sent=sent, known=known)

    def tools(self, tools: Sequence[OfferedTool]) -> list[OfferedTool]:
        """The tools under the names that are sent."""
        return [replace(tool, name=self.sent[tool.name]) for tool in tools]

    def messages(self, messages: Sequence[JsonObject]) -> list[JsonObject]:
        """The messages, with the calls in them under the names that are sent."""
        return [{**each, "tool_calls": self._calls(each)} if each.get("tool_calls") else each for each in messages]

    def restored(self, choice: Choice) -> Choice:
        """The choice with the names of the catalog; a name that nobody has offered stays as the model wrote it."""
        return replace(
            choice, calls=tuple(replace(call, name=self.known.get(call.name, call.name)) for call in choice.calls)
        )

    def _calls(self, message: JsonObject) -> list[JsonObject]:
        return [
            {**call, "function": {**object_of(call.get("function")), "name": self._sent(call)}}
            for call in objects_of(message["tool_calls"])
        ]

    def _sent(self, call: JsonObject) -> str:
        name = text_of(object_of(call.get("function")).get("name"))
        return self.sent.get(name) or _plain(name)


def _plain(name: str) -> str:
    return _REFUSED.sub("_", name)[:_LONGEST] or "_"


def _free(name: str, taken: Mapping[str, str]) -> str:
    """`name`, with a number behind it if another tool has it."""
    number, found = 2, name
    while found in taken:
        ending = f"_{number}"
        found, number = name[: _LONGEST - len(ending)] + ending, number + 1
    return found
