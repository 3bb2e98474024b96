"""Observations of Langfuse, one by one or many in a trace or an answer of its API: unwrapped, then read as a chat."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.anthropic import is_anthropic, read_anthropic
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.openai import read_openai
from fourfold.selection.importing.spans import loaded
from fourfold.selection.wire.values import is_object, object_of, objects_of, text_of

__all__ = ["is_langfuse", "read_langfuse"]

_TYPES = frozenset(
    {"GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
)
_MANY = ("observations", "data")


def is_langfuse(record: JsonObject) -> bool:
    """Whether a record is an observation, or holds several."""
    if text_of(record.get("type")) in _TYPES:
        return True
    return any(text_of(each.get("type")) in _TYPES for name in _MANY for each in objects_of(record.get(name)))


def read_langfuse(record: JsonObject) -> Iterator[Found]:
    """The decisions of one record; nothing for observations that ask no model."""
    for name in _MANY:
        for each in objects_of(record.get(name)):
            yield from _observation(each)
    yield from _observation(record)


def _observation(facts: JsonObject) -> Iterator[Found]:
    if facts.get("type") != "GENERATION":
        return
    if facts.get("level") == "ERROR":
        yield "failed"
        return
    asked, answered = _value(facts.get("input")), _value(facts.get("output"))
    if not asked or not answered:
        yield "no_content"
        return
    # The tools of the input win over those beside it.
    request = object_of(asked) if is_object(asked) else {"messages": asked}
    named = {"id": text_of(facts.get("id")), "trace_id": text_of(facts.get("traceId"))}
    exchange = {**named, "request": {**_offered(facts), **request}, "response": _response(answered)}
    yield from read_anthropic(exchange) if is_anthropic(exchange) else read_openai(exchange)


def _value(value: object) -> object:
    """What was kept, which the API gives as JSON text; a text that is none is what was said."""
    found = loaded(value)
    return value if found is None else found


def _offered(facts: JsonObject) -> JsonObject:
    """The tools, where they stand beside the input and not in it."""
    places = (facts, object_of(facts.get("modelParameters")), object_of(facts.get("metadata")))
    found = (loaded(place["tools"]) for place in places if "tools" in place)
    return {"tools": tools} if (tools := next(found, None)) else {}


def _response(answered: object) -> JsonObject:
    if is_object(answered):
        return object_of(answered)
    last = objects_of(answered)[-1:]
    return last[0] if last else {"role": "assistant", "content": answered}
