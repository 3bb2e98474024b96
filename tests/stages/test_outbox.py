"""The outbox as handlers see it: a message is there if, and only if, its effect is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fourfold import Create, Unit
from fourfold.effects import Outside
from fourfold.errors import SealError
from fourfold.model.contract import Waiver
from fourfold.ports.outbox import Outbox
from fourfold.ports.upstream import Keyed
from fourfold.stages.outbox import binding
from tests.stages.post import Letter, Posted, Postman, Torn, messages_in, office
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio

KEY = "key-for-one-letter"
ADA: dict[str, Any] = {"to": "ada@example.com", "copies": 2}


async def post(served: Served, arguments: dict[str, Any] | None = None, key: str | None = KEY) -> Any:
    """Post a letter."""
    return await served.call("letter_post", arguments or ADA, key=key)


async def test_a_message_waits_with_the_operation_that_sent_it() -> None:
    """B4: the key is the operation with the number of the message, and nothing is sent by the call itself."""
    postman = Postman()
    async with serving(office(postman)) as served:
        answer = await post(served)
        first, second = await messages_in(served)

        assert [first.dedupe_key, second.dedupe_key] == [f"{answer.operation_id}:1", f"{answer.operation_id}:2"]
        assert {(each.tenant, each.operation_id, each.topic, each.state) for each in (first, second)} == {
            ("acme", answer.operation_id, "mail", "waiting")
        }
        assert first.message_id.startswith("msg_")
        assert not postman.got


async def test_a_replayed_call_sends_nothing_again() -> None:
    """B4, D1: nothing runs, so nothing is posted."""
    async with serving(office(Postman())) as served:
        await post(served)
        again = await post(served)

        assert again.replayed
        assert len(await messages_in(served)) == 2


async def test_what_is_undone_is_not_sent() -> None:
    """B4: a fault that settles, one that does not, and a handler that breaks leave no message."""

    def torn(request: Letter, outbox: Outbox) -> Posted:
        outbox.send("mail", {"to": request.to})
        raise Torn if request.copies else RuntimeError(request.to)

    async with serving(office(Postman(), torn)) as served:
        assert (await post(served)).code == "torn"
        assert (await post(served, {**ADA, "copies": 0}, key="another-key-entirely")).code == "internal"
        assert await messages_in(served) == []


async def test_a_payload_is_stored_sealed_and_bound_to_its_row() -> None:
    """A5, B10: neither readable in the database, nor to be moved to another message, tenant or topic."""
    async with serving(office(Postman())) as served:
        await post(served)
        message = (await messages_in(served))[0]
        sealer = served.service.ports.sealer

        assert "ada" not in message.payload
        opened = sealer.open("message", message.payload, bind=binding(message), now_ms=0)
        assert opened == b'{"to":"ada@example.com","copy":1}'
        for moved in ({"tenant": "globex"}, {"topic": "webhook"}, {"message_id": "msg_1"}, {"dedupe_key": "op_1:1"}):
            with pytest.raises(SealError):
                sealer.open("message", message.payload, bind=binding(replace(message, **moved)), now_ms=0)


async def test_a_key_of_the_author_is_sent_once_in_its_tenant() -> None:
    """B4, D1: two operations that both announce the same thing send one message."""

    def announcing(request: Letter, outbox: Outbox) -> Posted:
        outbox.send("mail", {"to": request.to}, dedupe_key="invoice INV-1 is due")
        return Posted(copies=1)

    async with serving(office(Postman(), announcing)) as served:
        await post(served)
        await post(served, {"to": "bob@example.com"}, key="another-key-entirely")

        assert [message.dedupe_key for message in await messages_in(served)] == ["invoice INV-1 is due"]


def to_nobody(outbox: Outbox) -> None:
    """Send to a topic without a sender."""
    outbox.send("pigeon", {})


def of_no_json(outbox: Outbox) -> None:
    """Send what JSON cannot say."""
    outbox.send("mail", {"to": object()})


def of_no_number(outbox: Outbox) -> None:
    """Send what no number is."""
    outbox.send("mail", {"amount": float("nan")})


def under_a_long_key(outbox: Outbox) -> None:
    """Send under a key that no header takes."""
    outbox.send("mail", {}, dedupe_key="k" * 201)


def under_two_lines(outbox: Outbox) -> None:
    """Send under a key that would be another header."""
    outbox.send("mail", {}, dedupe_key="key\r\nx-admin: yes")


def under_no_key(outbox: Outbox) -> None:
    """Send under an empty key."""
    outbox.send("mail", {}, dedupe_key="")


@pytest.mark.parametrize(
    ("send", "said"),
    [
        (to_nobody, "UnknownTopic: no sender is declared for topic 'pigeon'"),
        (of_no_json, "not JSON serializable"),
        (of_no_number, "not JSON compliant"),
        (under_a_long_key, "a dedupe_key is 1 to 200 characters of printable ASCII"),
        (under_two_lines, "a dedupe_key is 1 to 200 characters of printable ASCII"),
        (under_no_key, "a dedupe_key is 1 to 200 characters of printable ASCII"),
    ],
)
async def test_a_message_that_nobody_could_send_undoes_the_call(send: Callable[[Outbox], None], said: str) -> None:
    """B4, A5: the caller sees internal, the run says why, and the letter is not kept either."""

    def sending(request: Letter, unit: Unit, outbox: Outbox) -> Posted:
        unit.execute("INSERT INTO letter (recipient) VALUES (?)", (request.to,))
        send(outbox)
        return Posted(copies=1)

    async with serving(office(Postman(), sending)) as served:
        answer = await post(served)
        (run,) = [record.run for record in await served.records()]

        assert (answer.code, answer.writes) == ("internal", None)
        assert said in run.note
        assert await messages_in(served) == []


async def test_an_effect_outside_sends_when_it_is_recorded() -> None:
    """B4, D1: in the transaction that settles, under the operation's own id."""

    async def reaching(request: Letter, upstream: Keyed) -> Posted:
        return Posted(copies=request.copies)

    def record(request: Letter, posted: Posted, outbox: Outbox) -> Posted:
        outbox.send("mail", {"to": request.to})
        return posted

    waiver = Waiver(rule="no_plan", where="letter_post", reason="the tests are about what is not planned")
    catalog = office(
        Postman(), reaching, effect=Create(reach="outside"), outside=Outside(record=record), waivers=[waiver]
    )
    async with serving(catalog) as served:
        answer = await post(served)

        assert [message.dedupe_key for message in await messages_in(served)] == [f"{answer.operation_id}:1"]
