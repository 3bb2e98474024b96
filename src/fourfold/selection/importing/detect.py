"""Which format a record is of, and who reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.anthropic import is_anthropic, read_anthropic
from fourfold.selection.importing.claude_code import LINE_TYPES, TranscriptReader
from fourfold.selection.importing.decision import Format, Found, OneByOne, Reader
from fourfold.selection.importing.langfuse import is_langfuse, read_langfuse
from fourfold.selection.importing.langsmith import is_langsmith, read_langsmith
from fourfold.selection.importing.mcp import jsonrpc_of, read_mcp
from fourfold.selection.importing.openai import read_openai, request_of
from fourfold.selection.importing.openinference import is_openinference, read_llm_span
from fourfold.selection.importing.otel import read_genai_span
from fourfold.selection.importing.spans import is_span, spans_of
from fourfold.selection.wire.values import text_of

__all__ = ["format_of", "reader_of"]

_LINES = ("uuid", "sessionId", "leafUuid", "messageId")


def format_of(record: JsonObject) -> Format | None:
    """The format of a record; `None` if it is of none that is known."""
    return next((name for name, is_one in _SIGNS.items() if is_one(record)), None)


def reader_of(name: Format) -> Reader:
    """A new reader of a format."""
    return _READERS[name]()


def _is_mcp(record: JsonObject) -> bool:
    return bool(jsonrpc_of(record))


def _is_transcript(record: JsonObject) -> bool:
    return text_of(record.get("type")) in LINE_TYPES and any(name in record for name in _LINES)


def _has_messages(record: JsonObject) -> bool:
    return "messages" in request_of(record)


def _is_openinference(record: JsonObject) -> bool:
    return is_span(record) and any(map(is_openinference, spans_of(record)))


def _is_anthropic(record: JsonObject) -> bool:
    return _has_messages(record) and is_anthropic(record)


def _read_genai(record: JsonObject) -> Iterator[Found]:
    for span in spans_of(record):
        yield from read_genai_span(span)


def _read_llm(record: JsonObject) -> Iterator[Found]:
    """A batch may hold spans of both conventions."""
    for span in spans_of(record):
        yield from read_llm_span(span) if is_openinference(span) else read_genai_span(span)


# In this order: what is tested later would take records of the formats before it.
_SIGNS: Mapping[Format, Callable[[JsonObject], bool]] = {
    "mcp": _is_mcp,
    "openinference": _is_openinference,
    "otel": is_span,
    "langsmith": is_langsmith,
    "langfuse": is_langfuse,
    "claude-code": _is_transcript,
    "anthropic": _is_anthropic,
    "openai": _has_messages,
}
_READERS: Mapping[Format, Callable[[], Reader]] = {
    "openai": lambda: OneByOne(read_openai),
    "anthropic": lambda: OneByOne(read_anthropic),
    "claude-code": TranscriptReader,
    "otel": lambda: OneByOne(_read_genai),
    "openinference": lambda: OneByOne(_read_llm),
    "mcp": lambda: OneByOne(read_mcp),
    "langsmith": lambda: OneByOne(read_langsmith),
    "langfuse": lambda: OneByOne(read_langfuse),
}
