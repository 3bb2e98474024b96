"""What a tool sends through the outbox, tested with the kit alone: no mail server, no wait."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Retry, Unit
from fourfold.effects import Delivery, Outbox
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.stages.relay import Relayed
from fourfold.testing import open_kit

Name = Annotated[str, Field(min_length=1, max_length=40)]
KEY = "an-invitation-for-ada"


class Full(Fault):
    """No seat is left."""

    code, retry, next_step = "full", Retry.NEVER, "Tell the user that nobody else can come."


class Guest(Input):
    """Somebody to be invited."""

    name: Name


class Invited(Output):
    """Who was invited."""

    name: Name


def invite(request: Guest, unit: Unit, outbox: Outbox) -> Invited:
    """Keep a guest, and send a mail about it."""
    outbox.send("mail", {"to": request.name})
    if unit.execute("INSERT INTO guest SELECT ? WHERE (SELECT count(*) FROM guest) < 2", (request.name,)) == 0:
        raise Full
    return Invited(name=request.name)


def tables(unit: Unit) -> None:
    """The one table."""
    unit.execute("CREATE TABLE IF NOT EXISTS guest (name TEXT)")


def party(sent: list[Delivery] | None = None) -> Catalog:
    """A catalog with `guest_invite`, whose mails go into `sent`."""
    catalog = Catalog("party")
    catalog.prepare(tables)

    @catalog.sender("mail")
    async def send(delivery: Delivery) -> None:
        if sent is None:
            raise UpstreamUnavailable("there is no mail server in a test")
        sent.append(delivery)

    assert callable(send)
    catalog.tool(
        name="guest_invite",
        version="1.0",
        does="Invites a guest by mail",
        use_when="the user wants somebody at the party",
        not_for="telling who comes",
        effect=Create(),
        faults=[Full],
    )(invite)
    return catalog


def test_what_waits_can_be_read_without_sending_it() -> None:
    """A7, C3: with the payload open, and as often as a test likes."""
    with open_kit(party()) as kit:
        kit.call("guest_invite", {"name": "ada"})
        kit.call("guest_invite", {"name": "bob"})

        assert [(each.topic, each.payload) for each in kit.outbox()] == [
            ("mail", {"to": "ada"}),
            ("mail", {"to": "bob"}),
        ]
        assert len(kit.outbox()) == 2


def test_a_repeat_and_a_refusal_send_nothing() -> None:
    """A7, D1: what is undone was never sent."""
    with open_kit(party()) as kit:
        for _ in range(2):
            kit.call("guest_invite", {"name": "ada"}, key=KEY)
        kit.call("guest_invite", {"name": "bob"})

        assert kit.call("guest_invite", {"name": "eve"}).code == "full"
        assert [each.payload["to"] for each in kit.outbox()] == ["ada", "bob"]


def test_the_catalogs_own_senders_get_each_message_once() -> None:
    """A7, B4: as a server relays after the commit, at the moment that the test says."""
    sent: list[Delivery] = []
    with open_kit(party(sent)) as kit:
        answer = kit.call("guest_invite", {"name": "ada"})
        assert sent == []

        assert (kit.relay(), kit.relay(), kit.outbox()) == (Relayed(sent=1), Relayed(), [])
    assert [(each.dedupe_key, each.attempt) for each in sent] == [(f"{answer.operation_id}:1", 1)]


def test_another_sender_can_stand_in() -> None:
    """A7: one that collects, where the catalog's own would need a mail server."""
    sent: list[Delivery] = []

    async def collect(delivery: Delivery) -> None:
        sent.append(delivery)

    with open_kit(party()) as kit:
        kit.call("guest_invite", {"name": "ada"})

        assert kit.relay({"mail": collect}) == Relayed(sent=1)
    assert [each.payload for each in sent] == [{"to": "ada"}]


def test_a_failed_message_is_due_again_later() -> None:
    """A7, C4: with the same key; the test's clock is the relay's."""
    sent: list[Delivery] = []

    async def collect(delivery: Delivery) -> None:
        sent.append(delivery)

    with open_kit(party()) as kit:
        kit.call("guest_invite", {"name": "ada"})
        (before,) = kit.outbox()
        assert kit.relay() == Relayed(waiting=1)
        kit.clock.advance(seconds=2)
        assert kit.relay({"mail": collect}) == Relayed(sent=1)
    assert [(each.dedupe_key, each.attempt) for each in sent] == [(before.dedupe_key, 2)]


def test_a_refused_message_is_dead() -> None:
    """A7: nothing waits any more."""

    async def refuse(delivery: Delivery) -> None:
        raise UpstreamRejected(f"nobody is called {delivery.payload['to']}")

    with open_kit(party()) as kit:
        kit.call("guest_invite", {"name": "ada"})

        assert (kit.relay({"mail": refuse}), kit.outbox()) == (Relayed(dead=1), [])
