"""Runs of LangSmith: what a model was asked and answered, as OpenAI writes it or as LangChain serializes messages."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.anthropic import read_anthropic
from fourfold.selection.importing.chat import as_completion, decided
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import is_object, list_of, object_of, objects_of, text_of

__all__ = ["is_langsmith", "read_langsmith"]

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
}
_UNSAID = frozenset({"tool_use", "thinking", "reasoning"})
_ENDS = {"max_tokens": "length", "length": "length", "content_filter": "content_filter", "refusal": "content_filter"}


def is_langsmith(record: JsonObject) -> bool:
    """Whether a record is a run."""
    return "run_type" in record


def read_langsmith(record: JsonObject) -> Iterator[Found]:
    """The decision of one run; nothing for runs that ask no model."""
    if record.get("run_type") != "llm":
        return
    if record.get("error"):
        yield "failed"
        return
    inputs, outputs = object_of(record.get("inputs")), object_of(record.get("outputs"))
    offered = object_of(object_of(record.get("extra")).get("invocation_params")).get("tools") or inputs.get("tools")
    ids = {
        name: record[key] for name, key in (("run", "id"), ("trace", "trace_id")) if isinstance(record.get(key), str)
    }
    if outputs.get("type") == "message":
        yield from read_anthropic({"request": {**inputs, "tools": offered}, "response": outputs, **_named(record)})
        return
    # Anthropic's own client is wrapped as it is; everything else comes in chat messages.
    messages = [_message(each) for each in _flat(inputs.get("messages"))]
    completion = _completion(outputs)
    if not messages or not completion:
        yield "no_content"
        return
    yield decided(OPENAI_CHAT.read(completion), messages, tools=offered_tools(offered), ids=ids)


def _named(record: JsonObject) -> JsonObject:
    return {key: record[key] for key in ("id", "trace_id") if key in record}


def _flat(messages: object) -> list[JsonObject]:
    """The messages of one prompt; a run may hold several prompts in a list of lists, and then the first counts."""
    found = list_of(messages)
    return objects_of(found[0]) or objects_of(found) if found else []


def _completion(outputs: JsonObject) -> JsonObject:
    if "choices" in outputs:
        return outputs
    generations = _flat(outputs.get("generations"))
    if generations:
        ended = _ended(object_of(generations[0].get("generation_info")))
        said = object_of(generations[0].get("message"))
        facts = object_of(said.get("kwargs")) or said
        ended = ended or _ended(object_of(facts.get("response_metadata")))
        return as_completion(_message(said), ended=ended) if said else {}
    answers = [_message(each) for each in _flat(outputs.get("messages"))] or (
        [_message(outputs)] if is_object(outputs.get("message")) or "role" in outputs else []
    )
    return as_completion(answers[-1]) if answers else {}


def _ended(facts: JsonObject) -> str:
    reason = text_of(facts.get("finish_reason")) or text_of(facts.get("stop_reason"))
    return _ENDS.get(reason, "")


def _message(message: JsonObject) -> JsonObject:
    """A chat message out of OpenAI's form or LangChain's, serialized or not."""
    wrapped = object_of(message.get("message")) or message
    facts = object_of(wrapped.get("kwargs")) or object_of(wrapped.get("data")) or wrapped
    named = next(reversed(list_of(wrapped.get("id"))), None) or wrapped.get("role") or wrapped.get("type")
    kept: dict[str, object] = {"role": _ROLES.get(text_of(named), text_of(named)), "content": _content(facts)}
    if facts.get("tool_call_id"):
        kept["tool_call_id"] = facts["tool_call_id"]
    calls = objects_of(facts.get("tool_calls")) or objects_of(
        object_of(facts.get("additional_kwargs")).get("tool_calls")
    )
    return {**kept, "tool_calls": [_call(each) for each in calls]} if calls else kept


def _content(facts: JsonObject) -> object:
    """What was said; the calls that Anthropic writes among it stand in `tool_calls` as well."""
    parts = list_of(facts.get("content"))
    said = [each for each in parts if text_of(object_of(each).get("type")) not in _UNSAID]
    return facts.get("content") if not parts else said or None


def _call(call: JsonObject) -> JsonObject:
    if is_object(call.get("function")):
        return call
    function = {"name": text_of(call.get("name")), "arguments": call.get("args", {})}
    return {"id": text_of(call.get("id")), "type": "function", "function": function}
