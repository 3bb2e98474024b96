"""Recorded chat messages as a case keeps them: plain text, calls with their results, nothing else; redacted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject
from fourfold.selection.importing.decision import Hindrance
from fourfold.selection.importing.offered import OfferedSet
from fourfold.selection.importing.redaction import Redaction
from fourfold.selection.wire.values import is_object, list_of, object_of, objects_of, text_of

__all__ = [
    "MOST_CHARACTERS",
    "MOST_MESSAGES",
    "Hindered",
    "exact_arguments",
    "kept_messages",
    "last_user_text",
    "plain_text",
]

MOST_MESSAGES = 2_000
MOST_CHARACTERS = 1024 * 1024
"""Of one conversation; both are the bounds of a case."""

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})


class Hindered(Exception):
    """The conversation makes no case, for `reason`."""

    def __init__(self, reason: Hindrance) -> None:
        self.reason: Hindrance = reason
        super().__init__(reason)


def kept_messages(messages: Sequence[JsonObject], *, offered: OfferedSet, redaction: Redaction) -> list[JsonObject]:
    """The messages as a case keeps them; names of tools as in `offered` where they are there.

    Raises:
        Hindered: a model could not be asked with them again.
    """
    # Before anything is redacted: what is too long for a case takes the longest to redact.
    if len(messages) > MOST_MESSAGES:
        raise Hindered("too_long")
    keeping = _Keeping(offered=offered, redaction=redaction)
    for message in messages:
        keeping.keep(message)
    if keeping.waiting:
        raise Hindered("no_result")
    return keeping.kept


def plain_text(content: object) -> str:
    """The text of a message's content.

    Raises:
        Hindered: it holds something else.
    """
    if content is None or isinstance(content, str):
        return content or ""
    parts = objects_of(content)
    if (
        not isinstance(content, list)
        or len(parts) < len(list_of(cast("object", content)))
        or any(text_of(part.get("type", "text")) not in _TEXTS for part in parts)
    ):
        raise Hindered("media")
    return "\n".join(text_of(part.get("text")) or text_of(part.get("refusal")) for part in parts)


def exact_arguments(raw: str) -> JsonObject | None:
    """The arguments of a call as they were written; `None` if they are no JSON object, or reading would change them."""
    try:
        parsed = parse((raw.strip() or "{}").encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        return None
    return None if parsed.faults or not is_object(parsed.value) else object_of(parsed.value)


def last_user_text(messages: Sequence[JsonObject]) -> str | None:
    """What the user said last; `None` if no user has said anything."""
    return next((text_of(each.get("content")) for each in reversed(messages) if each.get("role") == "user"), None)


@dataclass(slots=True, kw_only=True)
class _Keeping:
    """Goes through a conversation; `waiting` holds the ids of calls whose results have not come."""

    offered: OfferedSet
    redaction: Redaction
    kept: list[JsonObject] = field(default_factory=list[JsonObject])
    waiting: list[str] = field(default_factory=list[str])
    calls: int = 0
    size: int = 0

    def keep(self, message: JsonObject) -> None:
        role = text_of(message.get("role"))
        if role not in _ROLES:
            raise Hindered("unknown_role")
        # No provider takes a conversation in which a call stays open.
        if role != "tool" and self.waiting:
            raise Hindered("no_result")
        text = plain_text(message.get("content"))
        self._grow(len(text))
        facts: dict[str, object] = {"role": role, "content": self.redaction.text(text)}
        if role == "tool":
            facts["tool_call_id"] = self._answered(text_of(message.get("tool_call_id")))
            facts |= {"is_error": True} if message.get("is_error") is True else {}
        calls = objects_of(message.get("tool_calls")) if role == "assistant" else []
        if calls:
            facts["content"] = facts["content"] or None
            facts["tool_calls"] = [self._call(call) for call in calls]
        self.kept.append(facts)

    def _grow(self, characters: int) -> None:
        self.size += characters
        if self.size > MOST_CHARACTERS:
            raise Hindered("too_long")

    def _answered(self, call: str) -> str:
        """The call that a result is of; one that names none is of the earliest that waits."""
        if not self.waiting or (call and call not in self.waiting):
            raise Hindered("no_conversation")
        found = call or self.waiting[0]
        self.waiting.remove(found)
        return found

    def _call(self, call: JsonObject) -> JsonObject:
        self.calls += 1
        called = text_of(call.get("id")) or f"call_{self.calls}"
        self.waiting.append(called)
        function = object_of(call.get("function"))
        name = text_of(function.get("name"))
        kept = {"name": self.offered.named(name) or name, "arguments": self._arguments(function.get("arguments"))}
        return {"id": called, "type": "function", "function": kept}

    def _arguments(self, given: object) -> str:
        raw = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        self._grow(len(raw))
        arguments = object_of(given) if is_object(given) else exact_arguments(raw)
        # Redacted member by member where they are JSON, so that they stay JSON.
        if arguments is None:
            return self.redaction.text(raw)
        return json.dumps(self.redaction.value(arguments), ensure_ascii=False)
