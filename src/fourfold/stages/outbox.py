"""The outbox of one call: messages that are stored in its transaction, sealed, to be sent after its commit.

`Bell` tells whoever sends them that there may be some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import anyio

from fourfold.model.message import Delivery, Message
from fourfold.ports.clock import Clock
from fourfold.ports.outbox import Messages
from fourfold.ports.sealer import Purpose, Sealer
from fourfold.ports.units import Unit

__all__ = ["Bell", "BoundOutbox", "UnknownTopic", "binding", "opened"]

_PURPOSE: Purpose = "message"
"""What a payload is sealed for."""

_DEDUPE_KEY = re.compile(r"[!-~](?:[ -~]{0,198}[!-~])?")
"""What travels in a header as it is."""


class UnknownTopic(Exception):
    """A handler sent a message that nobody was declared to send."""


@dataclass(slots=True, kw_only=True)
class BoundOutbox:
    """`Outbox` for one operation in one unit. `make_id` makes the id of a message."""

    unit: Unit
    messages: Messages
    sealer: Sealer
    clock: Clock
    topics: frozenset[str]
    tenant: str
    operation_id: str
    make_id: Callable[[], str]
    _count: int = 0

    def send(self, topic: str, payload: dict[str, object], *, dedupe_key: str | None = None) -> None:
        """Store a message; `ports.outbox.Outbox` says more.

        Raises:
            UnknownTopic: the catalog has no sender for the topic.
            TypeError, ValueError: the payload is not JSON, or too large, or the key is none.
        """
        if topic not in self.topics:
            raise UnknownTopic(f"no sender is declared for topic {topic!r}: give the catalog one")
        # Counted in each transaction anew, so that one that runs again makes the same keys.
        self._count += 1
        key = dedupe_key if dedupe_key is not None else f"{self.operation_id}:{self._count}"
        if not _DEDUPE_KEY.fullmatch(key):
            raise ValueError("a dedupe_key is 1 to 200 characters of printable ASCII")
        now = self.clock.now_ms()
        message = Message(
            message_id=self.make_id(),
            tenant=self.tenant,
            operation_id=self.operation_id,
            topic=topic,
            dedupe_key=key,
            payload="",
            created_ms=now,
            next_ms=now,
        )
        sealed = self.sealer.seal(_PURPOSE, _written(payload), bind=binding(message))
        self.messages.add(self.unit, replace(message, payload=sealed))


class Bell:
    """Rung on the event loop after a commit with messages; one waits for it."""

    def __init__(self) -> None:
        self._rung = False
        self._event: anyio.Event | None = None

    def ring(self) -> None:
        """Wake who waits, or let the next wait end at once."""
        self._rung = True
        if self._event is not None:
            self._event.set()

    async def wait(self, seconds: float) -> None:
        """Return when it was rung since the last wait, or after `seconds`."""
        if not self._rung:
            self._event = anyio.Event()
            with anyio.move_on_after(seconds):
                await self._event.wait()
            self._event = None
        self._rung = False


def binding(message: Message) -> tuple[str, ...]:
    """What a payload is bound to: a row whose topic or tenant was changed by hand does not open."""
    return (message.message_id, message.tenant, message.topic, message.dedupe_key)


def opened(message: Message, sealer: Sealer, *, now_ms: int) -> Delivery:
    """`message` as its sender gets it on the next attempt.

    Raises:
        SealError: its key is not in the ring, or the row is not what was written.
    """
    payload = sealer.open(_PURPOSE, message.payload, bind=binding(message), now_ms=now_ms)
    return Delivery(
        message_id=message.message_id,
        tenant=message.tenant,
        operation_id=message.operation_id,
        topic=message.topic,
        dedupe_key=message.dedupe_key,
        payload=json.loads(payload),
        created_ms=message.created_ms,
        attempt=message.attempts + 1,
    )


def _written(payload: dict[str, object]) -> bytes:
    return json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
