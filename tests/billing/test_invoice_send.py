"""`invoice_plan_send` and `invoice_execute_send`: one mail for one invoice, after the commit, through a real server."""

from __future__ import annotations

import os
from typing import Any

import pytest

from billing import catalog
from fourfold.model.plan import Decision
from fourfold.stages.relay import Relay, Relayed
from fourfold.testing import Answer, Kit, caller
from tests.adapters.receiving import mailbox
from tests.billing.books import GLOBEX, agreed, arrange, draft, drafted, executed, finalized, read
from tests.stages.serving import Served, serving


def _plan(kit: Kit, reference: str, *, version: str = "2") -> Answer:
    return kit.call("invoice_plan_send", {"invoice_reference": reference, "expected_version": version})


def _execute(kit: Kit, plan: Answer) -> Answer:
    return executed(kit, "invoice_execute_send", plan)


def _messages(kit: Kit) -> int:
    """How many mails are in the outbox."""
    found: list[int] = []
    messages = kit.service.ports.messages
    kit.arrange(lambda unit: found.append(len(messages.list(unit, state=None, tenant=None, limit=100))))
    return found[0]


def test_a_plan_says_what_is_mailed_and_whom_to_ask(kit: Kit) -> None:
    """C7, B3: a person at the caller agrees; enough of the address to recognise it, and not all."""
    plan = _plan(kit, finalized(kit))

    assert plan.structured["impact"] == (
        "Mails invoice INV-2026-0161 (588.97 EUR, due 2026-12-01) to customer C-000006 at c***@papeleria-sol.example."
    )
    assert (plan.structured["approval"], _messages(kit)) == ("caller", 0)


def test_an_agreed_plan_puts_one_mail_into_the_outbox(kit: Kit) -> None:
    """C3, C7, C8: with the day on the invoice, whose version goes up."""
    plan = _plan(kit, finalized(kit))
    waiting = _execute(kit, plan)
    done = _execute(kit, agreed(kit, plan))

    assert (waiting.kind, done.ok, _messages(kit)) == ("needs_input", True, 1)
    assert (done.structured["sent_on"], done.structured["version"]) == ("2026-11-01", "3")


def test_a_repeat_sends_nothing_and_answers_the_same(kit: Kit) -> None:
    """D1, C7: the plan is the key."""
    plan = agreed(kit, _plan(kit, finalized(kit)))
    first, again = _execute(kit, plan), _execute(kit, plan)

    assert (again.structured, again.replayed, _messages(kit)) == (first.structured, True, 1)


def test_a_second_mail_is_another_plan_that_says_so(kit: Kit) -> None:
    """C7: an intended second one is possible, and whoever agrees knows that it is one."""
    number = finalized(kit)
    _execute(kit, agreed(kit, _plan(kit, number)))
    second = _plan(kit, number, version="3")

    assert second.structured["impact"].endswith(" It was sent before, on 2026-11-01.")
    assert (_execute(kit, agreed(kit, second)).ok, _messages(kit)) == (True, 2)


def test_a_draft_is_not_sent(kit: Kit) -> None:
    """C5: the message names the action that comes first."""
    answer = _plan(kit, drafted(kit), version="1")

    assert answer.code == "wrong_state"
    assert answer.fault is not None
    assert answer.fault.message == (
        "The invoice is draft: finalize the invoice before sending it (invoice_finalize comes first)"
    )


def test_a_customer_without_an_address_is_a_fault_of_its_own(kit: Kit) -> None:
    """A4: C-000005 has none; nothing is planned."""
    answer = _plan(kit, finalized(kit, customer="C-000005"))

    assert (answer.kind, answer.code) == ("rejected", "no_mail_address")


def test_another_address_after_the_plan_is_another_decision(kit: Kit) -> None:
    """C7: what somebody agreed to is where it goes, or it goes nowhere."""
    plan = agreed(kit, _plan(kit, finalized(kit)))
    arrange(kit, "UPDATE customer SET email = 'x@elsewhere.example' WHERE customer_reference = 'C-000006'")

    assert (_execute(kit, plan).code, _messages(kit)) == ("plan_mismatch", 0)


def test_a_denied_or_stale_plan_sends_nothing(kit: Kit) -> None:
    """C7, C8: a no is final, and an old version is told at planning."""
    number = finalized(kit)
    plan = _plan(kit, number)
    agreed(kit, plan, "denied")

    assert (_execute(kit, plan).code, _plan(kit, number, version="1").code) == ("approval_denied", "stale_version")
    assert (_messages(kit), "sent_on" in read(kit, number)) == (0, False)


def test_another_tenants_invoice_is_unknown(kit: Kit) -> None:
    """B18: like one that nobody has."""
    answers = [
        kit.call("invoice_plan_send", {"invoice_reference": reference, "expected_version": "2"}, by=GLOBEX)
        for reference in (finalized(kit), "INV-1999-0001")
    ]

    assert (answers[0].code, answers[0].fault) == ("unknown_invoice", answers[1].fault)


_CLERK = caller("clerk@acme", scopes=["invoices:write", "invoices:send"])


async def _sent(served: Served) -> dict[str, Any]:
    """Draft, issue, plan, agree and execute; what came of it."""
    order = await served.call("invoice_create", draft(), by=_CLERK)
    key = {"invoice_reference": order.structured["invoice_reference"]}
    issued = await served.call("invoice_finalize", {**key, "expected_version": "1"}, by=_CLERK)
    wanted = {**key, "expected_version": issued.structured["version"]}
    plan = await served.call("invoice_plan_send", wanted, by=_CLERK)
    ports, made = served.service.ports, {name: plan.structured[name] for name in ("plan_id", "digest")}
    yes = Decision(
        approver="manager@acme", verdict="approved", channel="cli", comment="", at_ms=ports.clock.now_ms(), **made
    )
    await ports.units.write(
        lambda transaction: ports.plans.decide(transaction.unit, yes, tenant="acme"),
        deadline=ports.clock.ticks() + 10,
    )
    done = await served.call("invoice_execute_send", made, by=_CLERK)
    assert done.ok, done.fault
    return done.structured


@pytest.mark.anyio
async def test_the_mail_arrives_once_at_the_customers_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """C3, B4: from the outbox over SMTP; what the invoice says, and nothing that a model wrote."""
    async with mailbox() as sink, serving(catalog) as served:
        monkeypatch.setitem(os.environ, "BILLING_SMTP", f"127.0.0.1:{sink.port}")
        await _sent(served)
        relay = Relay.over(served.service.ports)

        assert (await relay.once(), await relay.once()) == (Relayed(sent=1), Relayed())
        (mail,) = sink.mails
        assert [heard.lower() for heard in sink.recipients] == ["rcpt to:<compras@papeleria-sol.example>"]
        assert "Subject: Invoice INV-2026-0161\r\n" in mail
        assert "Amount payable: 588.97 EUR\r\nDue: 2026-12-01\r\n" in mail


@pytest.mark.anyio
async def test_a_mail_server_that_is_away_gets_the_mail_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """B4: the invoice is sent all the same; the mail waits."""
    async with serving(catalog) as served:
        monkeypatch.setitem(os.environ, "BILLING_SMTP", "127.0.0.1:9")
        sent = await _sent(served)

        assert (await Relay.over(served.service.ports).once(), sent["sent_on"]) == (Relayed(waiting=1), "2026-11-01")
