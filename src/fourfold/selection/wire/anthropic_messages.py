"""Anthropic Messages: requests, answers and streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling, Usage
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.format import Asked, WireFormat, conversation
from fourfold.selection.wire.turns import from_turns, to_turns
from fourfold.selection.wire.values import arguments_of, count_of, is_object, object_of, objects_of, text_of

__all__ = ["ANTHROPIC_MESSAGES", "MessageGathering"]

_FAILURES = {"max_tokens": "truncated", "model_context_window_exceeded": "truncated", "refusal": "refused"}


def _request(
    messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, model: str, sampling: Sampling
) -> JsonObject:
    system, turns = to_turns(conversation(messages, sampling.system))
    offered = {"tools": [_tool(tool) for tool in tools], "tool_choice": {"type": "auto"}} if tools else {}
    heat = {} if sampling.temperature is None else {"temperature": float(sampling.temperature)}
    instructions = {"system": system} if system else {}
    return {
        "model": model,
        **instructions,
        "messages": turns,
        **offered,
        **heat,
        "max_tokens": sampling.max_tokens,
        "stream": True,
    }


def _tool(tool: OfferedTool) -> JsonObject:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}


def _choice(body: JsonObject) -> Choice:
    model, usage = text_of(body.get("model")), _usage(object_of(body.get("usage")))
    if body.get("type") == "error":
        said = text_of(object_of(body.get("error")).get("message"))
        return Choice(model=model, usage=usage, text=said, failure="provider_error")
    if not isinstance(body.get("content"), list):
        return Choice(model=model, usage=usage, failure="malformed")
    blocks = objects_of(body["content"])
    return Choice(
        calls=tuple(_call(block) for block in blocks if block.get("type") == "tool_use"),
        text="\n".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text"),
        model=model,
        usage=usage,
        failure=_FAILURES.get(text_of(body.get("stop_reason")), ""),
    )


def _call(block: JsonObject) -> ChosenCall:
    name, given = text_of(block.get("name")), block.get("input")
    if isinstance(given, str):  # from a stream, where it came in pieces
        return ChosenCall(name=name, arguments=arguments_of(given), raw=given)
    return ChosenCall(name=name, arguments=object_of(given) if is_object(given) else None)


def _usage(usage: JsonObject) -> Usage:
    """As OpenAI counts: the input with what was read from the cache and written into it."""
    fresh, read = count_of(usage.get("input_tokens")), count_of(usage.get("cache_read_input_tokens"))
    written = count_of(usage.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
        output_tokens=count_of(usage.get("output_tokens")),
        cached_tokens=read,
    )


def _asked(body: JsonObject) -> Asked:
    return Asked(
        messages=tuple(from_turns(body.get("system"), objects_of(body.get("messages")))),
        tools=tuple(
            OfferedTool(
                name=text_of(each.get("name")),
                description=text_of(each.get("description")),
                input_schema=object_of(each.get("input_schema")),
            )
            for each in objects_of(body.get("tools"))
            if "input_schema" in each  # the others are the provider's own, such as a web search
        ),
        model=text_of(body.get("model")),
    )


@dataclass(slots=True)
class MessageGathering:
    """The events of one streamed message."""

    message: dict[str, object] = field(default_factory=dict[str, object])
    blocks: dict[int, dict[str, object]] = field(default_factory=dict[int, "dict[str, object]"])
    usage: dict[str, object] = field(default_factory=dict[str, object])
    ended: str = ""
    error: JsonObject | None = None

    @property
    def begun(self) -> bool:
        """Whether text or a call has come."""
        return any(block.get("type") == "tool_use" or block.get("text") for block in self.blocks.values())

    def take(self, event: JsonObject) -> None:
        """Add one event; those of other types, such as `ping`, say nothing."""
        kind, index = event.get("type"), count_of(event.get("index")) or 0
        if kind == "message_start":
            self.message = {**object_of(event.get("message"))}
            self.usage.update(object_of(self.message.get("usage")))
        elif kind == "content_block_start":
            self.blocks[index] = {**object_of(event.get("content_block"))}
        elif kind == "content_block_delta":
            self._take_delta(self.blocks.setdefault(index, {}), object_of(event.get("delta")))
        elif kind == "message_delta":
            self.ended = text_of(object_of(event.get("delta")).get("stop_reason")) or self.ended
            self.usage.update(object_of(event.get("usage")))
        elif kind == "error":
            self.error = event

    def _take_delta(self, block: dict[str, object], delta: JsonObject) -> None:
        if delta.get("type") == "text_delta":
            block["text"] = text_of(block.get("text")) + text_of(delta.get("text"))
        elif delta.get("type") == "input_json_delta":
            block["input"] = text_of(block.get("input")) + text_of(delta.get("partial_json"))

    def body(self) -> JsonObject:
        """The message that the events make."""
        if self.error is not None:
            return self.error
        # As in the other format: what names no end was cut.
        content = [block for _, block in sorted(self.blocks.items())]
        ended = self.ended or "max_tokens"
        return {**self.message, "content": content, "stop_reason": ended, "usage": self.usage}


ANTHROPIC_MESSAGES = WireFormat(
    name="anthropic",
    path="messages",
    ending="/messages",
    write=_request,
    read=_choice,
    gather=MessageGathering,
    asked=_asked,
)
