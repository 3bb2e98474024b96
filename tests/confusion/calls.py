"""A call of every tool that would go well, made of what the caller's own tenant has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from billing import catalog
from fourfold import Caller, Create, Unit
from fourfold.catalog.build import BuiltCatalog
from fourfold.testing import Answer, caller
from tests.billing.books import agreed, draft, invoice_line, line
from tests.confusion.over_store import StoreKit

__all__ = [
    "CALLS",
    "CREATES",
    "EXECUTES",
    "Arguments",
    "Desk",
    "call_with",
    "changed",
    "executed",
    "keep_apart",
    "repeatable",
    "somebody_new",
    "stranger_to",
]

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """What a tenant has, and the other has not."""

    account: str
    account_reference: str
    customer: str
    sku: str
    paid_invoice: str
    payment: str
    thread: str


_FACTS: Mapping[str, _Facts] = {
    "acme": _Facts(
        account="8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
        account_reference="ACC-1003",
        customer="C-000006",
        sku="ABC-2000",
        paid_invoice="INV-2026-0010",
        payment="PAY-000010",
        thread="THR-0002",
    ),
    "globex": _Facts(
        account="1679091c-5a88-4faf-afb5-e6087eb1b2dc",
        account_reference="ACC-2001",
        customer="C-050000",
        sku="GLX-7001",
        paid_invoice="INV-2026-0125",
        payment="PAY-050000",
        thread="THR-0009",
    ),
}

_PAYMENT = """
INSERT INTO payment (tenant, payment_id, draft_reference, currency, amount_minor, received_on, version)
VALUES (?, ?, ?, 'EUR', 9000, '2026-03-20', 1)
"""


def keep_apart(kit: StoreKit) -> None:
    """Let the tenants number so far from each other that no reference of one is one of the other, too.

    One payment is so large that all tests can pay something back of it, and its invoice has a second one.
    """

    def change(unit: Unit) -> None:
        unit.execute("UPDATE series SET last = 50000 WHERE tenant = 'globex'")
        unit.execute(
            "INSERT INTO customer (tenant, customer_reference, name, name_folded, client_location, email) "
            "VALUES ('globex', 'C-050000', 'Larch', 'larch', 'canarias', 'larch@larch.example')"
        )
        unit.execute("INSERT INTO support_thread VALUES ('globex', 'THR-0009', ?, 'Late')", (_FACTS["globex"].account,))
        unit.execute(_PAYMENT, ("globex", "PAY-050000", "DRAFT-000125"))
        unit.execute(_PAYMENT, ("acme", "PAY-040000", "DRAFT-000010"))
        unit.execute("UPDATE payment SET amount_minor = 100000000 WHERE payment_id = 'PAY-000010'")

    kit.arrange(change)


@dataclass(frozen=True, slots=True)
class Desk:
    """A caller at its own tenant's books."""

    kit: StoreKit
    by: Caller

    @property
    def has(self) -> _Facts:
        """What its tenant has."""
        return _FACTS[self.by.tenant]

    def call(self, tool: str, arguments: Mapping[str, Any], **more: Any) -> Answer:
        """One call."""
        return self.kit.call(tool, arguments, by=self.by, **more)

    def done(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What a call returned that has to go well, under a key of its own."""
        answer = self.call(tool, arguments, key=self.kit.key())
        assert answer.ok, answer.fault
        return answer.structured

    def order(self) -> Arguments:
        """An order of one article."""
        price = {"ABC-2000": 11_990, "GLX-7001": 24_000}[self.has.sku]
        lines = [line(self.has.sku, quantity=1, price=price)]
        return {"account_id": self.has.account, "currency": "EUR", "lines": lines}

    def billed(self) -> Arguments:
        """What a draft says."""
        return draft(invoice_line(), customer=self.has.customer)

    def drafted(self) -> Arguments:
        """A new draft and its version."""
        return {"invoice_reference": self.done("invoice_create", self.billed())["invoice_reference"]} | _FIRST

    def finalized(self) -> Arguments:
        """A new final invoice and its version."""
        made = self.done("invoice_finalize", self.drafted())
        return {"invoice_reference": made["invoice_reference"], "expected_version": made["version"]}

    def paid(self) -> Arguments:
        """A payment and its version."""
        listed = self.call("payment_list", {"invoice_reference": self.has.paid_invoice}).structured["items"]
        return next(
            {"payment_id": each["payment_id"], "expected_version": each["version"]}
            for each in listed
            if each["payment_id"] == self.has.payment
        )

    def plan(self, tool: str, **changes: Any) -> Answer:
        """A plan for the tool that executes it."""
        wanted = EXECUTES[tool]
        answer = self.call(wanted, CALLS[wanted](self) | changes)
        assert answer.ok, answer.fault
        return answer

    def agreed(self, tool: str, **changes: Any) -> Answer:
        """A plan that somebody agreed to, if somebody has to."""
        plan = self.plan(tool, **changes)
        return plan if plan.structured["approval"] == "none" else agreed(self.kit, plan)

    def execute(self, tool: str, plan: Answer, **changes: Any) -> Answer:
        """Execute a plan."""
        return self.call(tool, executed(plan) | changes)

    def company(self) -> Arguments:
        """A customer that is not in the books."""
        number = self.kit.number()
        return {"name": f"Customer {number}", "client_location": "peninsula", "tax_number": f"A{number:08}"}

    def next_page(self, tool: str, arguments: Arguments) -> Arguments:
        """The call for the second page of one item each; for a tenant with only one, with a cursor of another list."""
        first = self.call(tool, {**arguments, "limit": 1}).structured
        return {**arguments, "limit": 1, "cursor": first.get("next_cursor", "v1." + "B" * 80)}


_FIRST = {"expected_version": "1"}

_AMOUNT = "SELECT amount_minor FROM invoices WHERE invoice_reference = '{}'"

EXECUTES: Mapping[str, str] = {
    "invoice_execute_delete_draft": "invoice_plan_delete_draft",
    "invoice_execute_send": "invoice_plan_send",
    "payment_execute_refund": "payment_plan_refund",
}
"""The tool that plans, by the one that executes."""

CREATES = sorted(name for name, tool in catalog.build().tools.items() if isinstance(tool.contract.effect, Create))
"""Tools that add something with every call."""

CALLS: Mapping[str, Callable[[Desk], Arguments]] = {
    "account_find": lambda desk: {"query": desk.has.account_reference},
    "credit_note_create": lambda desk: _without_version(desk.finalized()) | _A_CENT,
    "customer_create": Desk.company,
    "customer_find": lambda desk: {"query": desk.has.customer},
    "invoice_create": Desk.billed,
    "invoice_execute_delete_draft": lambda desk: executed(desk.plan("invoice_execute_delete_draft")),
    "invoice_execute_send": lambda desk: executed(desk.plan("invoice_execute_send")),
    "invoice_finalize": Desk.drafted,
    "invoice_get": lambda desk: _without_version(desk.drafted()),
    "invoice_list": lambda _: {},
    "invoice_plan_delete_draft": Desk.drafted,
    "invoice_plan_send": Desk.finalized,
    "invoice_update_draft": lambda desk: desk.billed() | desk.drafted(),
    "ledger_query": lambda desk: {"sql": _AMOUNT.format(desk.has.paid_invoice)},
    "operation_status": lambda desk: {"operation_id": desk.call("quote_create", desk.order()).operation_id},
    "payment_execute_refund": lambda desk: executed(desk.plan("payment_execute_refund")),
    "payment_list": lambda desk: {"invoice_reference": desk.has.paid_invoice},
    "payment_plan_refund": lambda desk: desk.paid() | _A_CENT,
    "quote_create": Desk.order,
    "quote_preview": Desk.order,
    "revenue_report": lambda _: {
        "first_day": "2026-01-01",
        "before": "2026-10-01",
        "time_zone": "Europe/Madrid",
        "group_by": "month",
    },
    "thread_summarize": lambda desk: {"thread_id": desk.has.thread, "max_words": 50, "format": "bullets"},
}
"""Arguments of a call that would go well, with what it needs made first."""

_A_CENT: Arguments = {"currency": "EUR", "amount_minor": 1, "reason": "A cent too many"}

_SEARCHES = {"account_find": {"query": "ar"}, "customer_find": {"query": "ar"}}


def call_with(place: str, tool: str, *, desk: Desk) -> Arguments:
    """A good call of `tool` in which there is something at `place`, and which has been made where that makes it so."""
    if place == "cursor":
        return desk.next_page(tool, _SEARCHES.get(tool) or CALLS[tool](desk))
    if place == "idempotency_key":
        arguments = repeatable(tool, desk) | {"idempotency_key": desk.kit.key()}
        desk.call(tool, arguments)
        return arguments
    arguments = CALLS[tool](desk)
    if place == "tax_number":
        desk.done(tool, arguments)
    return arguments


def repeatable(tool: str, desk: Desk) -> Arguments:
    """A good call of `tool` that goes well a second time too: one tax number is one customer."""
    arguments = CALLS[tool](desk)
    return {"name": arguments["name"], "client_location": "world"} if tool == "customer_create" else arguments


def executed(plan: Answer) -> Arguments:
    """What a plan is executed with."""
    return {name: plan.structured[name] for name in ("plan_id", "digest")}


@cache
def changed(tool: str, **fields: Any) -> BuiltCatalog:
    """Billing as its next release might be: one declaration says something else."""
    declared = [replace(each, **fields) if each.name == tool else each for each in catalog.declarations]
    return replace(catalog, declarations=declared).build()


def _without_version(arguments: Arguments) -> Arguments:
    return {name: value for name, value in arguments.items() if name != "expected_version"}


def somebody_new(kit: StoreKit) -> Desk:
    """A clerk of acme who has called nothing yet."""
    return Desk(kit, caller(f"clerk-{kit.number()}"))


def stranger_to(desk: Desk, tenant: str) -> Desk:
    """Who could be taken for the one at `desk`: a colleague, or whoever has the same name in the other tenant."""
    if tenant == desk.by.tenant:
        return somebody_new(desk.kit)
    return Desk(desk.kit, replace(desk.by, tenant=tenant))
