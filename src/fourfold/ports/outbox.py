"""The outbox: messages that commit with an effect and are sent after it, as functions over a `Unit`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.message import Message, MessageState
from fourfold.ports.units import Unit

__all__ = ["Messages", "Outbox"]


class Outbox(Protocol):
    """What a handler takes to send something once its transaction has committed."""

    def send(self, topic: str, payload: dict[str, object], *, dedupe_key: str | None = None) -> None:
        """Put a message into the outbox, in the open transaction.

        `dedupe_key` is the operation with the number of the message in it when left out, so that a retry of the
        operation cannot send it twice.
        """
        ...


class Messages(Protocol):
    """The stored messages."""

    def add(self, unit: Unit, message: Message) -> bool:
        """Store `message`; `False` if its tenant already has one with that dedupe key."""
        ...

    def due(self, unit: Unit, *, now_ms: int, until_ms: int, limit: int) -> Sequence[Message]:
        """Take messages that are due, oldest first, and keep them from other relays until `until_ms`."""
        ...

    def sent(self, unit: Unit, message_id: str, *, sent_ms: int) -> None:
        """Note that the receiver took it."""
        ...

    def failed(self, unit: Unit, message_id: str, *, next_ms: int | None, error: str) -> None:
        """Note a failed delivery, to be tried again at `next_ms`, or never for `None`."""
        ...

    def list(self, unit: Unit, *, state: MessageState | None, tenant: str | None, limit: int) -> Sequence[Message]:
        """Messages, newest first, for operators."""
        ...

    def retry(self, unit: Unit, message_id: str, *, now_ms: int) -> bool:
        """Make a dead message due now; `False` if it isn't dead."""
        ...

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop messages that were sent before then; how many."""
        ...
