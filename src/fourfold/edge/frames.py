"""The JSON in raw bytes off the wire: lines of a process, the body of an answer, the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import cast

from fourfold.model.contract import JsonObject

__all__ = ["MAX_ANSWER_BYTES", "events", "id_of", "is_answer", "method_of", "values"]

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""Bytes of an answer that are read; more are left."""

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def values(texts: Iterable[bytes]) -> Iterator[object]:
    """What is JSON among `texts`, decoded."""
    for text in texts:
        with suppress(ValueError, RecursionError):
            yield json.loads(text)


def events(body: bytes) -> Iterator[object]:
    """The data of the events of a stream that are JSON (WHATWG HTML, "Server-sent events")."""
    for event in body.replace(b"\r\n", b"\n").split(b"\n\n"):
        lines = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
        yield from values([b"\n".join(lines)])


def is_answer(message: object) -> bool:
    """Whether a message is what a request was sent for: a response, or the confirmation of a subscription."""
    if not isinstance(message, dict):
        return False
    return "result" in message or "error" in message or method_of(cast("object", message)) == _ACKNOWLEDGED


def method_of(message: object) -> str:
    """The method of a message; empty if it has none."""
    return str(cast("JsonObject", message).get("method", "")) if isinstance(message, dict) else ""


def id_of(frame: bytes) -> str | int | None:
    """The id that an answer to this frame will carry; `None` if no answer is due."""
    value = next(values([frame]), None)
    if not method_of(value):
        return None
    found: object = cast("JsonObject", value).get("id")
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None
