"""The relay: sends what is in the outbox, at least once, with the same dedupe key each time.

A message that is taken is kept from other relays for a while. A relay that dies in the middle leaves it to the next
one, so the receiver may get it twice and never not at all.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Literal

import anyio

from fourfold.errors import SealError, StoreError
from fourfold.model.fault import Fault, UpstreamRejected
from fourfold.model.message import Message
from fourfold.model.redact import redact
from fourfold.ports.clock import Clock
from fourfold.ports.outbox import Messages, Send
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Units
from fourfold.stages.flow import Ports
from fourfold.stages.outbox import Bell, opened

__all__ = ["Relay", "RelayTerms", "Relayed"]

Ending = Literal["sent", "waiting", "dead"]
"""What one attempt made of a message."""

_STORING_S = 30.0
"""Seconds for noting what became of a batch."""

_MAX_ERROR = 200

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayTerms:
    """How messages are sent.

    Attributes:
        batch: messages that are sent at the same time.
        attempts: how often a message is tried before it is dead.
        base_ms: the longest wait after the first attempt; it doubles with each, and the wait is drawn below it.
        cap_ms: the longest wait of all, also where the receiver asks for a longer one.
        send_s: seconds that one attempt may take.
        keep_ms: how long a message is kept from other relays; more than an attempt takes, with noting it.
        idle_s: seconds until it looks again when nobody rang.
    """

    batch: int = 8
    attempts: int = 20
    base_ms: int = 1_000
    cap_ms: int = 3_600_000
    send_s: float = 20.0
    keep_ms: int = 60_000
    idle_s: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """How many messages were sent, wait to be tried again, and are dead."""

    sent: int = 0
    waiting: int = 0
    dead: int = 0

    @property
    def total(self) -> int:
        """How many were tried."""
        return self.sent + self.waiting + self.dead

    def __add__(self, other: Relayed) -> Relayed:
        return Relayed(sent=self.sent + other.sent, waiting=self.waiting + other.waiting, dead=self.dead + other.dead)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """Why a message was not sent, in words without its payload."""

    error: str
    is_final: bool = False
    retry_after_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay:
    """Sends the messages of one store. Several may work on the same one."""

    units: Units
    messages: Messages
    sealer: Sealer
    clock: Clock
    senders: Mapping[str, Send]
    terms: RelayTerms = field(default_factory=RelayTerms)
    random: Random = field(default_factory=SystemRandom)

    @classmethod
    def over(cls, ports: Ports, *, terms: RelayTerms | None = None) -> Relay:
        """The relay of a service: with the senders of its catalog, over its store."""
        return cls(
            units=ports.units,
            messages=ports.messages,
            sealer=ports.sealer,
            clock=ports.clock,
            senders=ports.catalog.source.senders,
            terms=terms or RelayTerms(),
        )

    async def run(self, bell: Bell) -> None:
        """Send until cancelled, whenever `bell` is rung and every few seconds. A store that fails is asked again."""
        while True:
            try:
                await self.drain()
            except StoreError as error:
                _log.warning("the outbox could not be read; it is tried again", exc_info=error)
            await bell.wait(self.terms.idle_s)

    async def drain(self) -> Relayed:
        """Send everything that is due, batch after batch.

        Raises:
            StoreError: the outbox could not be read.
        """
        relayed = batch = await self.once()
        while batch.total == self.terms.batch:
            batch = await self.once()
            relayed += batch
        return relayed

    async def once(self) -> Relayed:
        """Send one batch of what is due.

        Raises:
            StoreError: the outbox could not be read.
        """
        now, terms = self.clock.now_ms(), self.terms
        batch = await self.units.write(
            lambda found: self.messages.due(found.unit, now_ms=now, until_ms=now + terms.keep_ms, limit=terms.batch),
            deadline=self.clock.ticks() + _STORING_S,
        )
        endings: list[Ending] = []

        async def deliver(message: Message) -> None:
            endings.append(await self._delivered(message))

        async with anyio.create_task_group() as tasks:
            for message in batch:
                tasks.start_soon(deliver, message)
        return Relayed(**{ending: endings.count(ending) for ending in ("sent", "waiting", "dead")})

    async def _delivered(self, message: Message) -> Ending:
        # At shutdown as well: what is sent and not noted is sent again.
        ending: Ending = "waiting"
        with anyio.CancelScope(shield=True):
            failure = await self._attempted(message)
            try:
                ending = await self._noted(message, failure)
            except StoreError as error:
                _log.warning("message %s could not be noted; it comes again", message.message_id, exc_info=error)
        return ending

    async def _attempted(self, message: Message) -> _Failure | None:
        """Send it; why not, if it was not sent."""
        send = self.senders.get(message.topic)
        if send is None:
            return _Failure(error="no sender is declared for its topic here")
        try:
            delivery = opened(message, self.sealer, now_ms=self.clock.now_ms())
        except SealError:
            return _Failure(error="its payload does not open: was its key dropped from the ring?", is_final=True)
        try:
            with anyio.fail_after(self.terms.send_s):
                await send(delivery)
        except UpstreamRejected as fault:
            return _Failure(error=_line(fault), is_final=True)
        except Fault as fault:
            return _Failure(error=_line(fault), retry_after_ms=fault.retry_after_ms or 0)
        except TimeoutError:
            return _Failure(error=f"no answer in {self.terms.send_s:g} seconds")
        except (
            Exception
        ) as error:  # a sender is the author's code; whatever it raises, the message waits for the next try
            return _Failure(error=type(error).__name__)
        return None

    async def _noted(self, message: Message, failure: _Failure | None) -> Ending:
        messages, clock, at = self.messages, self.clock, message.message_id
        deadline = clock.ticks() + _STORING_S
        if failure is None:
            await self.units.write(
                lambda found: messages.sent(found.unit, at, sent_ms=clock.now_ms()), deadline=deadline
            )
            return "sent"
        next_ms, error = self._next_ms(message.attempts + 1, failure), failure.error
        await self.units.write(
            lambda found: messages.failed(found.unit, at, next_ms=next_ms, error=error), deadline=deadline
        )
        _log.warning("message %s was not sent (attempt %d): %s", at, message.attempts + 1, error)
        return "dead" if next_ms is None else "waiting"

    def _next_ms(self, attempt: int, failure: _Failure) -> int | None:
        """When to try again: full jitter below a bound that doubles, and not before the receiver said."""
        terms = self.terms
        if failure.is_final or attempt >= terms.attempts:
            return None
        most = min(terms.cap_ms, terms.base_ms * 2 ** (attempt - 1))
        drawn = round(self.random.uniform(0, most))
        return self.clock.now_ms() + max(drawn, min(failure.retry_after_ms, terms.cap_ms))


def _line(fault: Fault) -> str:
    return redact(fault.message).replace("\n", " ")[:_MAX_ERROR]
