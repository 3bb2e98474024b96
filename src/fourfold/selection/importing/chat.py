"""Decisions out of chat messages: the answer to a request, or each answer in a whole conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourfold.model.chosen import Choice, OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.importing.decision import Decision, Found, Hindrance
from fourfold.selection.importing.messages import MOST_MESSAGES
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import text_of

__all__ = ["as_completion", "decided", "decisions_in", "ids_of"]

_FAILURES: dict[str, Hindrance] = {"truncated": "truncated", "malformed": "no_decision"}
_IDS = ("id", "trace_id", "traceId", "request_id", "session_id", "conversation_id", "thread_id")
_LONGEST_ID = 200


def decided(
    choice: Choice, messages: Sequence[JsonObject], *, tools: tuple[OfferedTool, ...], ids: JsonObject
) -> Found:
    """The decision that `choice` is, after `messages`."""
    if choice.failure:
        return _FAILURES.get(choice.failure, "failed")
    if not choice.calls and not choice.text:
        return "no_decision"
    return Decision(messages=tuple(messages), calls=choice.calls, tools=tools, ids=ids)


def decisions_in(messages: Sequence[JsonObject], *, tools: tuple[OfferedTool, ...], ids: JsonObject) -> Iterator[Found]:
    """Each answer of the assistant in a conversation; `message` tells which one, from 0."""
    answers = [at for at, message in enumerate(messages) if message.get("role") == "assistant"]
    if not answers:
        yield "no_decision"
    for at in answers:
        if at > MOST_MESSAGES:
            yield "too_long"
            continue
        # A message in a conversation does not tell how it ended, so that none of them counts as cut.
        choice = OPENAI_CHAT.read(as_completion(messages[at]))
        yield decided(choice, messages[:at], tools=tools, ids={**ids, "message": at})


def as_completion(message: JsonObject, *, ended: str = "") -> JsonObject:
    """A chat completion whose answer is `message`."""
    return {"choices": [{"message": message, "finish_reason": ended}]}


def ids_of(*records: JsonObject) -> JsonObject:
    """What identifies a decision in records that have no names of their own for it; the first that has it wins."""
    found = {
        key: text_of(record.get(key))[:_LONGEST_ID] for record in reversed(records) for key in _IDS if record.get(key)
    }
    return {key: found[key] for key in _IDS if found.get(key)}
