"""OpenAI Chat Completions, as OpenAI and the many servers that copy it speak it: requests, answers and streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling, Usage
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.format import Asked, WireFormat, conversation
from fourfold.selection.wire.values import arguments_of, count_of, is_object, object_of, objects_of, text_of

__all__ = ["OPENAI_CHAT", "ChatGathering"]

_SENT = ("role", "content", "name", "tool_calls", "tool_call_id", "refusal")
"""Fields of a message that the API knows; a recorded one may have others, and a strict server refuses those."""

_FAILURES = {"length": "truncated", "content_filter": "refused"}


def _request(
    messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, model: str, sampling: Sampling
) -> JsonObject:
    offered = {"tools": [_tool(tool) for tool in tools], "tool_choice": "auto"} if tools else {}
    heat = {} if sampling.temperature is None else {"temperature": float(sampling.temperature)}
    said = conversation(messages, sampling.system)
    return {
        "model": model,
        "messages": [{key: each[key] for key in _SENT if key in each} for each in said],
        **offered,
        **heat,
        "max_tokens": sampling.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def _tool(tool: OfferedTool) -> JsonObject:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}


def _choice(body: JsonObject) -> Choice:
    model, usage = text_of(body.get("model")), _usage(object_of(body.get("usage")))
    first = next(iter(objects_of(body.get("choices"))), None)
    if body.get("error") is not None:
        said = text_of(object_of(body["error"]).get("message"))
        return Choice(model=model, usage=usage, text=said, failure="provider_error")
    if first is None or not is_object(first.get("message")):
        return Choice(model=model, usage=usage, failure="malformed")
    message, ended = object_of(first["message"]), text_of(first.get("finish_reason"))
    refusal = text_of(message.get("refusal"))
    return Choice(
        calls=tuple(_call(each) for each in objects_of(message.get("tool_calls"))),
        text=_text(message.get("content")) or refusal,
        model=model,
        usage=usage,
        failure=_FAILURES.get(ended, "refused" if refusal else ""),
    )


def _call(call: JsonObject) -> ChosenCall:
    function = object_of(call.get("function"))
    given = function.get("arguments")
    name = text_of(function.get("name"))
    # Some servers that copy the format send an object where it has a text.
    if is_object(given):
        return ChosenCall(name=name, arguments=object_of(given))
    raw = text_of(given)
    return ChosenCall(name=name, arguments=arguments_of(raw), raw=raw)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text for part in objects_of(content) if (text := text_of(part.get("text"))))


def _usage(usage: JsonObject) -> Usage:
    return Usage(
        input_tokens=count_of(usage.get("prompt_tokens")),
        output_tokens=count_of(usage.get("completion_tokens")),
        cached_tokens=count_of(object_of(usage.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _asked(body: JsonObject) -> Asked:
    functions = [object_of(each.get("function")) for each in objects_of(body.get("tools"))]
    return Asked(
        messages=tuple(objects_of(body.get("messages"))),
        tools=tuple(
            OfferedTool(
                name=text_of(each.get("name")),
                description=text_of(each.get("description")),
                input_schema=object_of(each.get("parameters")),
            )
            for each in functions
            if each
        ),
        model=text_of(body.get("model")),
    )


@dataclass(slots=True)
class ChatGathering:
    """The chunks of one streamed completion; of several choices only the first counts."""

    text: list[str] = field(default_factory=list[str])
    refusal: list[str] = field(default_factory=list[str])
    calls: dict[int, dict[str, str]] = field(default_factory=dict[int, "dict[str, str]"])
    ended: str = ""
    facts: dict[str, object] = field(default_factory=dict[str, object])

    @property
    def begun(self) -> bool:
        """Whether text or a call has come."""
        return bool(self.text or self.refusal or self.calls)

    def take(self, event: JsonObject) -> None:
        """Add one chunk."""
        self.facts.update({key: event[key] for key in ("model", "usage", "error") if event.get(key)})
        for choice in objects_of(event.get("choices"))[:1]:
            delta = object_of(choice.get("delta"))
            for pieces, name in ((self.text, "content"), (self.refusal, "refusal")):
                if piece := text_of(delta.get(name)):
                    pieces.append(piece)
            for call in objects_of(delta.get("tool_calls")):
                self._take_call(call)
            self.ended = text_of(choice.get("finish_reason")) or self.ended

    def _take_call(self, call: JsonObject) -> None:
        # A server that gives no index sends each call whole.
        index = count_of(call.get("index"))
        known = self.calls.setdefault(len(self.calls) if index is None else index, {"id": "", "name": "", "raw": ""})
        function = object_of(call.get("function"))
        known["id"] = known["id"] or text_of(call.get("id"))
        known["name"] = known["name"] or text_of(function.get("name"))
        known["raw"] += text_of(function.get("arguments"))

    def body(self) -> JsonObject:
        """The completion that the chunks make."""
        # An answer that names no end broke off, which is the same to whoever asked as one that was cut.
        message: dict[str, object] = {"role": "assistant", "content": "".join(self.text) or None}
        if self.refusal:
            message["refusal"] = "".join(self.refusal)
        if self.calls:
            message["tool_calls"] = [
                {"id": each["id"], "type": "function", "function": {"name": each["name"], "arguments": each["raw"]}}
                for _, each in sorted(self.calls.items())
            ]
        return {**self.facts, "choices": [{"message": message, "finish_reason": self.ended or "length"}]}


OPENAI_CHAT = WireFormat(
    name="openai",
    path="chat/completions",
    ending="/chat/completions",
    write=_request,
    read=_choice,
    gather=ChatGathering,
    asked=_asked,
)
