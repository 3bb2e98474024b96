"""A domain that sends: letters in a table, with a mail for each copy, and a sender that can be told how to fare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import anyio
from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Retry, Unit
from fourfold.model.message import Delivery, Message
from fourfold.ports.outbox import Outbox
from fourfold.ports.units import Transaction
from fourfold.stages.relay import Relay, RelayTerms
from tests.stages.serving import Served

__all__ = ["Letter", "Posted", "Postman", "Torn", "inside", "messages_in", "office", "posting", "relay_of"]


class Torn(Fault):
    """The letter is torn."""

    code, retry, next_step = "torn", Retry.NEVER, "Ask the user for another letter."


class Letter(Input):
    """A letter to send."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    copies: Annotated[int, Field(ge=0, le=5)] = 1


class Posted(Output):
    """How many copies were posted."""

    copies: Annotated[int, Field(ge=0, le=5)]


@dataclass(slots=True)
class Postman:
    """Sends what it is given, or raises what it was told to."""

    moods: list[Exception] = field(default_factory=list[Exception])
    got: list[Delivery] = field(default_factory=list[Delivery])
    gate: anyio.Event | None = None

    async def send(self, delivery: Delivery) -> None:
        """Take it, or fail as the next mood says."""
        self.got.append(delivery)
        if self.gate is not None:
            await self.gate.wait()
        if self.moods:
            raise self.moods.pop(0)

    @property
    def keys(self) -> list[str]:
        """The dedupe keys of what came, each attempt by itself."""
        return [delivery.dedupe_key for delivery in self.got]


def posting(request: Letter, unit: Unit, outbox: Outbox) -> Posted:
    """Keep a letter, and send a mail for each copy."""
    unit.execute("INSERT INTO letter (recipient) VALUES (?)", (request.to,))
    for number in range(request.copies):
        outbox.send("mail", {"to": request.to, "copy": number + 1})
    return Posted(copies=request.copies)


def office(postman: Postman, handler: Callable[..., Any] = posting, **declared: Any) -> Catalog:
    """A catalog with `letter_post`, whose mails `postman` sends."""
    catalog = Catalog("office", version="1")
    catalog.prepare(_tables)
    catalog.sender("mail")(postman)
    parts: dict[str, Any] = {"effect": Create(), "faults": [Torn], **declared}
    catalog.tool(
        name="letter_post",
        version="1.0",
        does="Posts a letter",
        use_when="the user wants a letter to go out",
        not_for="anything else in this office",
        **parts,
    )(handler)
    return catalog


def _tables(unit: Unit) -> None:
    unit.execute("CREATE TABLE IF NOT EXISTS letter (recipient TEXT NOT NULL)")


def relay_of(served: Served, postman: Postman | None, **terms: Any) -> Relay:
    """A relay over the store of `served`; without a postman, one of a process that knows no sender."""
    ports = served.service.ports
    return Relay(
        units=ports.units,
        messages=ports.messages,
        sealer=ports.sealer,
        clock=ports.clock,
        senders={} if postman is None else {"mail": postman.send},
        terms=RelayTerms(**terms),
    )


async def inside(served: Served, work: Callable[[Transaction], Any]) -> Any:
    """What `work` gives in one write transaction."""
    ports = served.service.ports
    return await ports.units.write(work, deadline=ports.clock.ticks() + 10)


async def messages_in(served: Served) -> list[Message]:
    """Every message of the store, the oldest first."""
    stored = served.service.ports.messages
    found = await inside(served, lambda at: stored.list(at.unit, state=None, tenant=None, limit=100))
    return list(reversed(found))
