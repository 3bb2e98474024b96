"""OpenTelemetry GenAI: what its semantic conventions name, as messages with parts and, before 1.37, as events.

Content is off by default, and so are the descriptions and schemas of tools. The examples of the conventions write
`result` where the schema says `response`; both are read. Values may be JSON texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import as_completion, decided
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.importing.otel_events import chat_of_events
from fourfold.selection.importing.spans import Span, loaded
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["read_genai_span"]

_ASKING = frozenset({"chat", "generate_content", "text_completion"})
_UNSAID = frozenset({"reasoning", "thinking"})
_ENDED = {"length": "length", "max_tokens": "length", "content_filter": "content_filter", "error": "content_filter"}


def read_genai_span(span: Span) -> Iterator[Found]:
    """The decision of one span; nothing for spans that ask no model, such as `execute_tool` and `invoke_agent`."""
    facts = span.attributes
    if facts.get("mcp.method.name") == "tools/call":
        yield "no_conversation"
        return
    operation = facts.get("gen_ai.operation.name")
    if operation is not None and text_of(operation) not in _ASKING:
        return
    tools = offered_tools(loaded(facts.get("gen_ai.tool.definitions")))
    answered = facts.get("gen_ai.output.messages")
    if answered is not None:
        yield _of_messages(span, answered, tools=tools)
    elif exchange := chat_of_events(span.events):
        yield decided(OPENAI_CHAT.read(exchange.answer), exchange.messages, tools=tools, ids=span.ids)
    elif operation is not None:
        yield "no_content"


def _of_messages(span: Span, answered: object, *, tools: tuple[OfferedTool, ...]) -> Found:
    asked, told = span.attributes.get("gen_ai.input.messages"), span.attributes.get("gen_ai.system_instructions")
    output, messages, instructions = loaded(answered), loaded(asked), loaded(told)
    if output is None or (asked is not None and messages is None) or (told is not None and instructions is None):
        return "truncated"
    if asked is None:
        return "no_content"
    said = [each for message in objects_of(messages) for each in _chat(message)]
    if instructions:
        said = [{"role": "system", "content": _text(objects_of(instructions))}, *said]
    answer = next(iter(objects_of(output)), object_of(None))
    reply = next((each for each in _chat(answer) if each.get("role") == "assistant"), object_of(None))
    completion = as_completion(reply, ended=_ENDED.get(text_of(answer.get("finish_reason")), ""))
    return decided(OPENAI_CHAT.read(completion), said, tools=tools, ids=span.ids)


def _chat(message: JsonObject) -> Iterator[JsonObject]:
    """The chat messages that say the same: each result of a call is one of its own."""
    parts, role = objects_of(message.get("parts")), message.get("role")
    for part in parts:
        if part.get("type") == "tool_call_response":
            result = part.get("response", part.get("result"))
            yield {"role": "tool", "tool_call_id": part.get("id"), "content": _as_text(result)}
    said = [part for part in parts if text_of(part.get("type")) not in {*_UNSAID, "tool_call", "tool_call_response"}]
    calls = [_call(part) for part in parts if part.get("type") == "tool_call"]
    if "parts" not in message:
        yield {"role": role, "content": message.get("content")}
    elif said or calls or not parts:
        # A part that is no text stays one, so that whoever keeps the messages says what it is.
        whole = all(part.get("type") == "text" for part in said)
        yield {"role": role, "content": _text(said) if whole else said, **({"tool_calls": calls} if calls else {})}


def _call(part: JsonObject) -> JsonObject:
    function = {"name": text_of(part.get("name")), "arguments": part.get("arguments", {})}
    return {"id": text_of(part.get("id")), "type": "function", "function": function}


def _text(parts: Sequence[JsonObject]) -> str:
    return "\n".join(text_of(part.get("content")) for part in parts)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
