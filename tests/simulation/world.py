"""A world in which everything that may go wrong does: processes that die, clocks that jump, a bank in every mood.

It runs the production stages over one memory store. What happens is decided by a seed and by nothing else: one
event loop, an injected clock, and a random source of its own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
from anyio.lowlevel import checkpoint

from fourfold.adapters.memory.store import MemoryStore, open_memory
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.errors import StoreError
from fourfold.model.call import Call
from fourfold.model.outcome import Outcome
from fourfold.ports.units import Units
from fourfold.stages.service import Service
from fourfold.testing import Answer, FixedClock, caller
from tests.stages.bank import Bank, catalog_of

__all__ = ["History", "Said", "simulate"]

KEYS = ("key-one-of-the-agent", "key-two-of-the-agent", None)
PAYMENTS = ("pay-1", "pay-2")
MOODS = ("calm", "calm", "calm", "loses answers", "refuses", "down", "breaks")
JUMPS_S = (0, 0, 1, 29.999, 30, 31, 600)
"""Around a lease, and over the window of twins."""

_SEALER = AesGcmSealer(KeyRing.of(("k", b"the key ring of the simulation!!")))


@dataclass(frozen=True, slots=True)
class Said:
    """One call and its answer."""

    key: str | None
    payment: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class History:
    """What was said, and what is true at the end."""

    kind: str
    said: Sequence[Said]
    paid: Counter[str]
    states: Counter[str]
    receipts: int


@dataclass(slots=True)
class MoodyBank(Bank):
    """A bank that takes its time and changes its mood; it drops a second request only if it takes keys."""

    dice: random.Random = field(default_factory=random.Random)
    drops: bool = True
    careless: bool = False
    payments: Counter[str] = field(default_factory=Counter[str])

    async def pay(self, key: str) -> str:
        """Pay, after a while, in some mood; again for a key that it has seen, unless it takes keys."""
        key = f"{key} {self.requests}" if self.careless else key
        mood = self.dice.choice(MOODS)
        for _ in range(self.dice.randrange(4)):
            await checkpoint()
        self.mood = mood
        pays = mood not in ("refuses", "down") and not (self.drops and key in self.paid)
        self.payments[key] += pays
        return await super(MoodyBank, self).pay(key)


@dataclass(slots=True)
class Mortal:
    """Units of a process that may die before one of its writes."""

    real: Units
    lives: int

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones, while it lives."""
        return await self.real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones, while it lives."""
        await checkpoint()
        self.lives -= 1
        if self.lives < 0:
            raise StoreError("killed")
        return await self.real.write(*arguments, **more)


def simulate(seed: int, *, careless: bool = False) -> History:
    """The history of that seed; the same each time. A `careless` handler makes up a key for each attempt."""
    return anyio.run(_history, seed, careless)


async def _history(seed: int, careless: bool) -> History:
    dice = random.Random(seed)  # noqa: S311  # a history, not a secret
    kind = dice.choice(("keyed", "probe", "blind"))
    clock, bank = FixedClock(), MoodyBank(dice=dice, drops=kind == "keyed", careless=careless)
    store = open_memory(clock=clock)
    catalog = catalog_of(bank, kind=kind)
    for work in catalog.preparations:
        await store.units.prepare(work)
    service = Service.over(catalog.build(), store, sealer=_SEALER, clock=clock)
    said: list[Said] = []
    try:
        for _ in range(8):
            await _moment(service, dice, clock=clock, said=said)
        return await _history_of(store, kind, said=said, bank=bank)
    finally:
        service.ports.threads.shutdown()
        await store.aclose()


async def _moment(service: Service, dice: random.Random, *, clock: FixedClock, said: list[Said]) -> None:
    """One to three calls at once, from processes of different lifetimes, while time may jump."""

    async def time_jumps() -> None:
        for _ in range(dice.randrange(6)):
            await checkpoint()
        clock.advance(dice.choice(JUMPS_S))

    # "It did not happen and will not any more" is not true while an owner that is thought dead is about to do it.
    outlives = service.ports.catalog.tools["refund_create"].contract.recovery != "external_probe"
    async with anyio.create_task_group() as tasks:
        for _ in range(dice.randint(1, 3)):
            tasks.start_soon(_call, service, dice, said)
        if outlives:
            tasks.start_soon(time_jumps)
    if not outlives:
        await time_jumps()


async def _call(service: Service, dice: random.Random, said: list[Said]) -> None:
    lives = dice.choice((1, 2, 3, 99, 99, 99))
    key, payment = dice.choice(KEYS), dice.choice(PAYMENTS)
    ports = service.ports
    process = Service(replace(ports, units=Mortal(ports.units, lives), owner=f"process {dice.random()}"))
    call = Call(tool="refund_create", arguments={"payment_id": payment}, caller=caller(), meta_key=key)
    outcome: Outcome = await process.call(call)
    said.append(Said(key, payment, Answer(outcome)))


async def _history_of(store: MemoryStore, kind: str, *, said: list[Said], bank: MoodyBank) -> History:
    far = store.units
    claims = await far.write(
        lambda found: store.claims.list(found.unit, state=None, tenant=None, limit=1_000), deadline=1e18
    )
    rows = await far.read(lambda unit: unit.row("SELECT count(*) AS n FROM receipt"), deadline=1e18, subject=_nobody)
    return History(
        kind=kind,
        said=said,
        paid=bank.payments,
        states=Counter(claim.state for claim in claims),
        receipts=rows["n"] if rows else 0,
    )


def _nobody(_: str) -> None:
    """Receive a Subject that nobody wants."""
