"""Anthropic Messages: the request with its response, or a conversation that holds the answers already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import decided, decisions_in, ids_of
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.importing.openai import request_of, response_of
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES
from fourfold.selection.wire.turns import from_turns
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["chat_of_turns", "is_anthropic", "read_anthropic"]

_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})
_MEDIA = frozenset({"image", "document"})


def read_anthropic(record: JsonObject) -> Iterator[Found]:
    """The decisions of one record."""
    request, response = request_of(record), response_of(record)
    messages = chat_of_turns(request.get("system"), objects_of(request.get("messages")))
    tools, ids = offered_tools(request.get("tools")), ids_of(record, object_of(response))
    if messages is None:
        yield "media"
    elif response is None:
        yield from decisions_in(messages, tools=tools, ids=ids)
    else:
        yield decided(ANTHROPIC_MESSAGES.read(_message(response)), messages, tools=tools, ids=ids)


def is_anthropic(record: JsonObject) -> bool:
    """Whether a record with messages is of this API rather than of OpenAI's."""
    request, response = request_of(record), object_of(response_of(record))
    if "system" in request or "stop_reason" in response or response.get("type") == "message":
        return True
    turns = [*objects_of(request.get("messages")), response]
    blocks = (block for turn in turns for block in objects_of(turn.get("content")))
    offered = objects_of(request.get("tools"))
    return any("input_schema" in tool for tool in offered) or any(
        text_of(block.get("type")) in _BLOCKS for block in blocks
    )


def chat_of_turns(system: object, turns: Sequence[JsonObject]) -> list[JsonObject] | None:
    """The turns as chat messages; `None` if they hold what is no text."""
    return None if any(map(_holds_media, turns)) else from_turns(system, turns)


def _holds_media(turn: JsonObject) -> bool:
    """Whether a picture or a document stands in a turn, or in the result of a call in it."""
    blocks = objects_of(turn.get("content"))
    inner = (
        part for block in blocks if block.get("type") == "tool_result" for part in objects_of(block.get("content"))
    )
    return any(text_of(part.get("type")) in _MEDIA for part in (*blocks, *inner))


def _message(response: JsonObject) -> JsonObject:
    content = response.get("content")
    return {**response, "content": [{"type": "text", "text": content}]} if isinstance(content, str) else response
