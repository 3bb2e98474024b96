"""OpenAI chat messages as turns of Anthropic Messages, and back: the same conversation in the other words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from fourfold.model.contract import JsonObject
from fourfold.selection.wire.values import arguments_of, object_of, objects_of, text_of

__all__ = ["from_turns", "to_turns"]

_INSTRUCTIONS = frozenset({"system", "developer"})
_REFUSED = re.compile(r"[^a-zA-Z0-9_-]")
_DATA_URL = re.compile(r"data:([\w.+/-]+);base64,(.*)", re.DOTALL)


def to_turns(messages: Sequence[JsonObject]) -> tuple[str, list[JsonObject]]:
    """The instructions, and the turns: what follows in one role is one turn, as the API wants it."""
    instructions = [_plain(each.get("content")) for each in messages if each.get("role") in _INSTRUCTIONS]
    turns: list[JsonObject] = []
    for message in messages:
        if message.get("role") in _INSTRUCTIONS:
            continue
        role, blocks = "assistant" if message.get("role") == "assistant" else "user", [*_blocks(message)]
        if turns and turns[-1]["role"] == role:
            turns[-1] = {"role": role, "content": [*objects_of(turns[-1]["content"]), *blocks]}
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return "\n\n".join(filter(None, instructions)), turns


def _blocks(message: JsonObject) -> Iterator[JsonObject]:
    if message.get("role") == "tool":
        yield {
            "type": "tool_result",
            "tool_use_id": _id(message.get("tool_call_id")),
            "content": _plain(message.get("content")),
            **_flag(message),
        }
        return
    yield from _said(message.get("content"))
    for call in objects_of(message.get("tool_calls")):
        function = object_of(call.get("function"))
        given = arguments_of(text_of(function.get("arguments"))) or {}
        yield {
            "type": "tool_use",
            "id": _id(call.get("id")),
            "name": text_of(function.get("name")),
            "input": given,
        }


def _said(content: object) -> Iterator[JsonObject]:
    """The blocks of what was said; an empty text is refused, so it is left out."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else objects_of(content)
    for part in parts:
        if text := text_of(part.get("text")):
            yield {"type": "text", "text": text}
        elif url := text_of(object_of(part.get("image_url")).get("url")):
            yield {"type": "image", "source": _source(url)}


def _source(url: str) -> JsonObject:
    found = _DATA_URL.fullmatch(url)
    return {"type": "base64", "media_type": found[1], "data": found[2]} if found else {"type": "url", "url": url}


def _id(value: object) -> str:
    return _REFUSED.sub("_", text_of(value)) or "call"


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text for part in objects_of(content) if (text := text_of(part.get("text"))))


def from_turns(system: object, turns: Sequence[JsonObject]) -> list[JsonObject]:
    """The chat messages that say the same, without what is neither text, image, call nor result, such as thinking."""
    instructions = _plain(system)
    messages: list[JsonObject] = [{"role": "system", "content": instructions}] if instructions else []
    for turn in turns:
        content = turn.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects_of(content)
        messages += _answers(blocks) if turn.get("role") == "assistant" else _asks(blocks)
    return messages


def _answers(blocks: Sequence[JsonObject]) -> Iterator[JsonObject]:
    calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
    text = _plain([*blocks])
    if text or calls:
        yield {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}


def _call(block: JsonObject) -> JsonObject:
    arguments = json.dumps(block.get("input"), ensure_ascii=False)
    function = {"name": text_of(block.get("name")), "arguments": arguments}
    return {"id": text_of(block.get("id")), "type": "function", "function": function}


def _asks(blocks: Sequence[JsonObject]) -> Iterator[JsonObject]:
    for block in blocks:
        if block.get("type") == "tool_result":
            yield {
                "role": "tool",
                "tool_call_id": text_of(block.get("tool_use_id")),
                "content": _plain(block.get("content")),
                **_flag(block),
            }
    parts = [part for block in blocks if (part := _part(block))]
    if len(parts) == 1 and "text" in parts[0]:
        yield {"role": "user", "content": parts[0]["text"]}
    elif parts:
        yield {"role": "user", "content": parts}


def _flag(result: JsonObject) -> JsonObject:
    """What says that a call has failed. OpenAI's format has no word for it, so that it stays Anthropic's."""
    return {"is_error": True} if result.get("is_error") is True else {}


def _part(block: JsonObject) -> JsonObject:
    if block.get("type") == "text":
        return {"type": "text", "text": text_of(block.get("text"))}
    if block.get("type") != "image":
        return {}
    source = object_of(block.get("source"))
    inline = f"data:{text_of(source.get('media_type'))};base64,{text_of(source.get('data'))}"
    return {"type": "image_url", "image_url": {"url": text_of(source.get("url")) or inline}}
