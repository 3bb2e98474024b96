"""The outbox: messages that commit with an effect and are sent after it.

Handlers see `Outbox`, whoever sends is a `Sender`, and the stored messages are functions over a `Unit`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, runtime_checkable

from fourfold.model.message import Delivery, Message, MessageState
from fourfold.ports.units import Unit

__all__ = ["Messages", "Outbox", "Send", "Sender"]


class Outbox(Protocol):
    """What a handler takes to send something once its transaction has committed."""

    def send(self, topic: str, payload: dict[str, object], *, dedupe_key: str | None = None) -> None:
        """Put a message into the outbox, in the open transaction.

        Args:
            topic: which sender takes it; the catalog declares one with `catalog.sender(topic)`.
            payload: what the sender needs, as JSON.
            dedupe_key: the operation with the number of the message in it when left out, so that a retry of the
                operation cannot send it twice. A key that its tenant has used before sends nothing.
        """
        ...


Send = Callable[[Delivery], Awaitable[None]]
"""Sends one message, as `Sender.send` does."""


@runtime_checkable
class Sender(Protocol):
    """Sends the messages of one topic. A message may come again, with the same `dedupe_key`."""

    async def send(self, delivery: Delivery) -> None:
        """Hand one message over, and return once the receiver has it.

        Raises:
            UpstreamRejected: the receiver will never take it; it is not tried again.
            UpstreamUnavailable: not now; its `retry_after_ms` is honoured. Any other error is tried again as well.
        """
        ...


class Messages(Protocol):
    """The stored messages."""

    def add(self, unit: Unit, message: Message) -> bool:
        """Store `message`; `False` if its tenant already has one with that dedupe key."""
        ...

    def find(self, unit: Unit, message_id: str) -> Message | None:
        """The message. The caller of this compares the tenant, or asks as an operator."""
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
