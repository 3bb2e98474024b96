"""A domain that reaches outside: refunds at a bank, which is an object here, and a table of receipts in the store.

The bank can be told to lose its answer after it paid, to refuse, to break, or to wait. Billing's own gateway is a
real HTTP service; this one is for histories that no real service would take part in.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

import anyio
from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Read, Retry, Unit, Waiver
from fourfold.effects import Outside
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.upstream import CannotTell, DidNotHappen, Happened, Reconciled
from fourfold.ports.upstream import Blind, Keyed, Probe
from tests.stages.serving import Served, serving

__all__ = ["PAYMENT", "Bank", "CardClosed", "Refund", "Refunded", "banking", "catalog_of", "receipts"]

PAYMENT = "pay-1"


class CardClosed(Fault):
    """The card does not exist any more."""

    code, retry, next_step = "card_closed", Retry.NEVER, "Ask the user for another way to pay it back."


class Refund(Input):
    """What to pay back."""

    payment_id: Annotated[str, Field(pattern=r"^pay-\d{1,6}$", max_length=10)]


class Refunded(Output):
    """What was paid back."""

    refund: Annotated[str, Field(max_length=20)]


class Counted(Output):
    """How many receipts there are."""

    receipts: Annotated[int, Field(ge=0, le=1_000_000)]


@dataclass(slots=True)
class Bank:
    """Pays, and remembers by key what it paid."""

    mood: str = "calm"
    paid: dict[str, str] = field(default_factory=dict[str, str])
    requests: int = 0
    keys: list[str] = field(default_factory=list[str])
    tells: bool = True
    gate: anyio.Event | None = None

    async def pay(self, key: str) -> str:
        """Pay once for each key, however it answers."""
        self.requests += 1
        self.keys.append(key)
        if self.gate is not None:
            await self.gate.wait()
        if self.mood == "refuses":
            raise UpstreamRejected
        if self.mood == "closed":
            raise CardClosed
        if self.mood == "down":
            raise UpstreamUnavailable
        self.paid.setdefault(key, f"re-{len(self.paid) + 1}")
        if self.mood == "loses answers":
            raise UpstreamUnavailable
        if self.mood == "hangs":
            await anyio.sleep_forever()
        if self.mood == "breaks":
            raise RuntimeError("the answer could not be read")
        return self.paid[key]


def catalog_of(bank: Bank, *, kind: str = "keyed", effect: Any = None, **declared: Any) -> Catalog:
    """A catalog whose `refund_create` reaches `bank` in one of three ways."""
    catalog = Catalog("bank", version="1")

    async def keyed(request: Refund, upstream: Keyed) -> Refunded:
        return Refunded(refund=await bank.pay(upstream.key("pay")))

    async def probing(request: Refund, upstream: Probe) -> Refunded:
        return Refunded(refund=await bank.pay(upstream.key("pay")))

    async def blind(request: Refund, upstream: Blind) -> Refunded:
        async with upstream.once():
            refund = await bank.pay(f"no key {bank.requests}")
        return Refunded(refund=refund)

    async def reconcile(request: Refund, upstream: Probe) -> Reconciled:
        if not bank.tells:
            return CannotTell()
        found = bank.paid.get(upstream.key("pay"))
        return Happened(Refunded(refund=found)) if found else DidNotHappen()

    def count(request: Nothing, unit: Unit) -> Counted:
        row = unit.row("SELECT count(*) AS n FROM receipt") or {"n": 0}
        return Counted(receipts=row["n"])

    handlers: dict[str, Any] = {"keyed": keyed, "probe": probing, "blind": blind}
    asked = declared.pop("reconcile", reconcile if kind == "probe" else None)
    catalog.tool(
        name="refund_create",
        version="1.0",
        does="Pays a payment back",
        use_when="the user wants money back",
        not_for="counting receipts (receipt_count)",
        effect=effect or Create(reach="outside"),
        faults=[CardClosed],
        outside=Outside(record=declared.pop("record", record), reconcile=asked),
        waivers=[Waiver(rule="no_plan", where="refund_create", reason="the tests are about what is not planned")],
        **declared,
    )(handlers[kind])
    catalog.tool(
        name="receipt_count",
        version="1.0",
        does="Counts receipts",
        use_when="the user asks how many there are",
        not_for="paying back (refund_create)",
        effect=Read(),
    )(count)
    catalog.prepare(_tables)
    return catalog


class Nothing(Input):
    """No arguments."""


def record(request: Refund, refunded: Refunded, unit: Unit) -> Refunded:
    """Store the receipt in the transaction that settles."""
    unit.execute("INSERT INTO receipt (payment, refund) VALUES (?, ?)", (request.payment_id, refunded.refund))
    return refunded


def _tables(unit: Unit) -> None:
    unit.execute("CREATE TABLE IF NOT EXISTS receipt (payment TEXT NOT NULL, refund TEXT NOT NULL)")


@asynccontextmanager
async def banking(bank: Bank, **declared: Any) -> AsyncGenerator[Served]:
    """Serve refunds at `bank`."""
    async with serving(catalog_of(bank, **declared)) as served:
        yield served


async def receipts(served: Served) -> int:
    """How many receipts the store has."""
    return (await served.call("receipt_count")).structured["receipts"]
