"""What a reader of a format finds: a decision, or why there is none that can be replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from fourfold.model.chosen import ChosenCall, OfferedTool
from fourfold.model.contract import JsonObject

__all__ = ["FORMATS", "HINDRANCES", "Decision", "Format", "Found", "Hindrance", "OneByOne", "Place", "Reader"]

Format = Literal["openai", "anthropic", "claude-code", "otel", "openinference", "mcp", "langsmith", "langfuse"]
FORMATS: Mapping[Format, str] = {
    "openai": "OpenAI Chat Completions: a request with its response, or a whole conversation",
    "anthropic": "Anthropic Messages: a request with its response, or a whole conversation",
    "claude-code": "a transcript of Claude Code",
    "otel": "OpenTelemetry GenAI spans and events, as OTLP JSON or flat",
    "openinference": "OpenInference spans (Phoenix, Arize)",
    "mcp": "a wire log of MCP",
    "langsmith": "runs of LangSmith",
    "langfuse": "observations of Langfuse",
}

Hindrance = Literal[
    "unknown_format",
    "no_decision",
    "no_conversation",
    "no_content",
    "no_schemas",
    "truncated",
    "failed",
    "unknown_tool",
    "bad_arguments",
    "unknown_role",
    "no_result",
    "media",
    "too_long",
    "invalid",
]
HINDRANCES: Mapping[Hindrance, str] = {
    "unknown_format": "is of no format that is known",
    "no_decision": "holds no answer of an assistant",
    "no_conversation": "holds no conversation that led to the answer",
    "no_content": "was recorded without content, which has to be switched on",
    "no_schemas": "does not tell of the tools that were offered; name them with --tools",
    "truncated": "was cut off before its end",
    "failed": "has an error or a refusal of the provider in the place of an answer",
    "unknown_tool": "calls a tool that was not offered",
    "bad_arguments": "calls a tool with arguments that are no JSON object",
    "unknown_role": "holds a message in a role that is unknown",
    "no_result": "holds an earlier call without its result",
    "media": "holds something that is no text, such as a picture",
    "too_long": "has more than 2,000 messages or 1 MiB of text",
    "invalid": "makes no case that a suite takes",
}
"""Why a record gives no case, in words that go on from "a record that …"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the file something stands: the line from 1, and a JSON Pointer into it."""

    line: int
    pointer: str = ""

    def __str__(self) -> str:
        return f"line {self.line}{f' at {self.pointer}' if self.pointer else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision as it was recorded, nothing redacted.

    Attributes:
        messages: the conversation up to it, as OpenAI chat messages.
        calls: what was called; empty if something was said instead.
        tools: those that were offered, as far as the record tells.
        ids: what identifies it in its source.
    """

    messages: tuple[JsonObject, ...]
    calls: tuple[ChosenCall, ...] = ()
    tools: tuple[OfferedTool, ...] = ()
    ids: JsonObject = field(default_factory=dict[str, object])


Found = Decision | Hindrance


class Reader(Protocol):
    """Reads the records of one format in the order of the file."""

    def read(self, record: JsonObject, place: Place) -> Iterable[tuple[Place, Found]]:
        """What is known after one more record; nothing if the record is about something else."""
        ...

    def end(self) -> Iterable[tuple[Place, Found]]:
        """What was waiting for a record that did not come."""
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """A reader of a format whose records stand for themselves."""

    each: Callable[[JsonObject], Iterable[Found]]

    def read(self, record: JsonObject, place: Place) -> Iterable[tuple[Place, Found]]:
        """What one record holds."""
        return ((place, found) for found in self.each(record))

    def end(self) -> Iterable[tuple[Place, Found]]:
        """Nothing waits."""
        return ()
