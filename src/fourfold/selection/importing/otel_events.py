"""OpenTelemetry GenAI before 1.37: one event for each message, as events of the span or as log records beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import as_completion
from fourfold.selection.importing.spans import Event, loaded
from fourfold.selection.wire.values import is_object, object_of, text_of

__all__ = ["Exchange", "chat_of_events"]

_ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
_CHOICE = "gen_ai.choice"
_CONTENT = "gen_ai.event.content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A conversation, and the completion that answered it."""

    messages: tuple[JsonObject, ...]
    answer: JsonObject


def chat_of_events(events: Sequence[Event]) -> Exchange | None:
    """What events tell; `None` if no choice is among them."""
    choices = [_facts(event) for event in events if event.name == _CHOICE]
    if not choices:
        return None
    messages = tuple(_message(_facts(event), _ROLES[event.name]) for event in events if event.name in _ROLES)
    first = choices[0]
    inner = first.get("message")
    said = object_of(inner) if is_object(inner) else {"content": inner, "tool_calls": first.get("tool_calls")}
    answer = _message(said, "assistant")
    return Exchange(messages=messages, answer=as_completion(answer, ended=text_of(first.get("finish_reason"))))


def _facts(event: Event) -> JsonObject:
    """What the event says: its attributes, or the JSON text that some libraries put into one of them."""
    inner = loaded(event.facts.get(_CONTENT))
    facts = {**event.facts, **object_of(inner)}
    for name in ("message", "tool_calls"):
        if isinstance(facts.get(name), str) and (found := loaded(facts[name])) is not None:
            facts[name] = found
    return facts


def _message(facts: JsonObject, role: str) -> JsonObject:
    kept = {"role": text_of(facts.get("role")) or role, "content": facts.get("content")}
    if calls := facts.get("tool_calls"):
        kept["tool_calls"] = calls
    if kept["role"] == "tool":
        kept["tool_call_id"] = facts.get("id") or facts.get("tool_call_id")
    return kept
