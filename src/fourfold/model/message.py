"""`Message`: an effect that follows a commit: a mail, a webhook. Sent at least once, each time with the same key.

`Delivery` is a message as its sender gets it, with the payload open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = ["Delivery", "Message", "MessageState"]

MessageState = Literal["waiting", "sent", "dead"]
"""`dead` was tried as often as it may be; a person decides (`fourfold outbox retry`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message in the outbox.

    Attributes:
        dedupe_key: unique in its tenant; the receiver can drop a second delivery by it.
        topic: which sender takes it: `mail`, `webhook`, or the catalog's own word.
        payload: compact JSON, sealed.
        next_ms: not before this time.
        attempts: deliveries tried so far.
        error: the last failure in one line, without the payload.
    """

    message_id: str
    tenant: str
    operation_id: str
    topic: str
    dedupe_key: str
    payload: str
    created_ms: int
    next_ms: int
    state: MessageState = "waiting"
    attempts: int = 0
    sent_ms: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One attempt to send a message.

    Attributes:
        dedupe_key: the same in every attempt; pass it on, so that the receiver can drop a second delivery.
        attempt: 1 the first time.
    """

    message_id: str
    tenant: str
    operation_id: str
    topic: str
    dedupe_key: str
    payload: JsonObject
    created_ms: int
    attempt: int
