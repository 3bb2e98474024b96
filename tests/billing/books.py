"""What the billing tests share: who calls, what is ordered and billed, and a way to change the books by hand."""

from __future__ import annotations

from typing import Any

from fourfold import Caller, Unit
from fourfold.model.plan import Decision, Verdict
from fourfold.ports.units import Parameters
from fourfold.testing import Answer, Kit, caller

__all__ = [
    "ACCOUNT",
    "GLOBEX",
    "MADE_UP_ACCOUNT",
    "OWING",
    "SOL",
    "agreed",
    "arrange",
    "draft",
    "drafted",
    "executed",
    "finalized",
    "invoice_line",
    "line",
    "order",
    "read",
]

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
"""Nordic Outfitters in acme: limit 5,000,000, floor 1,200 and hard floor 2,500 basis points, and no invoices."""

OWING = "19ca14e7-ea63-48a4-ae0d-5c8e3b6f7a22"
"""Harbour Supplies in acme: limit 3,000,000 in each currency, unpaid invoices of 1,062,217 EUR, 348,774 USD and
472,769 CNY; floor 1,000 and hard floor 2,000 basis points."""

MADE_UP_ACCOUNT = "00000000-0000-4000-8000-000000000000"

SOL = "C-000006"
"""Papelería Sol in acme: a business in the peninsula, with a tax number and without an account."""

GLOBEX = caller("clerk@globex", tenant="globex")


def line(sku: str = "ABC-1234", *, quantity: Any = 3, price: Any = 2_500) -> dict[str, Any]:
    """One line of an order; `price` is for one piece, in minor units."""
    return {"sku": sku, "quantity": quantity, "unit_price_minor": price}


def order(*lines: dict[str, Any], account: str = ACCOUNT, currency: str = "EUR") -> dict[str, Any]:
    """Arguments of a quote; without lines the one that the requirement names."""
    return {"account_id": account, "currency": currency, "lines": list(lines) or [line()]}


def invoice_line(quantity: Any = "7.5", price: Any = "64.90", **changes: Any) -> dict[str, Any]:
    """One line of an invoice; 486.75 in units of the currency, unless it says otherwise."""
    return {"description": "Support", "quantity": quantity, "unit_price": price, "tax_rate": "general", **changes}


def draft(*lines: dict[str, Any], customer: str = SOL, **changes: Any) -> dict[str, Any]:
    """Arguments of an invoice for services, due a month after the kit's day; without lines one of 486.75."""
    return {
        "customer_reference": customer,
        "operation_type": "service",
        "currency": "EUR",
        "due_on": "2026-12-01",
        "lines": list(lines) or [invoice_line()],
        **changes,
    }


def drafted(kit: Kit, *lines: dict[str, Any], by: Caller | None = None, **changes: Any) -> str:
    """The reference of a new draft. Its key is its own, so that two that are alike are two."""
    key = f"draft-of-a-test-{len(kit.runs()):06}"
    answer = kit.call("invoice_create", draft(*lines, **changes), by=by, key=key)
    assert answer.ok, answer.fault
    return answer.structured["invoice_reference"]


def finalized(kit: Kit, *lines: dict[str, Any], by: Caller | None = None, **changes: Any) -> str:
    """The reference of a new final invoice."""
    reference = drafted(kit, *lines, by=by, **changes)
    answer = kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": "1"}, by=by)
    assert answer.ok, answer.fault
    return answer.structured["invoice_reference"]


def arrange(kit: Kit, sql: str, parameters: Parameters = ()) -> None:
    """Change the books as another program would, between two calls."""

    def change(unit: Unit) -> None:
        unit.execute(sql, parameters)

    kit.arrange(change)


def read(kit: Kit, reference: str) -> dict[str, Any]:
    """The invoice or draft with that reference, as it stands."""
    return kit.call("invoice_get", {"invoice_reference": reference}).structured


def executed(kit: Kit, tool: str, plan: Answer, *, by: Caller | None = None, **changes: Any) -> Answer:
    """Execute a plan with the tool that belongs to it; `changes` replace what the plan said."""
    assert plan.ok, plan.fault
    return kit.call(tool, {name: plan.structured[name] for name in ("plan_id", "digest")} | changes, by=by)


def agreed(kit: Kit, plan: Answer, verdict: Verdict = "approved") -> Answer:
    """Let a person who is not its requester decide about a plan, as the command line does; the plan."""
    assert plan.ok, plan.fault
    decision = Decision(
        plan_id=plan.structured["plan_id"],
        approver="manager@acme",
        verdict=verdict,
        digest=plan.structured["digest"],
        channel="cli",
        comment="",
        at_ms=kit.clock.ms,
    )
    decided: list[bool] = []
    kit.arrange(lambda unit: decided.append(kit.service.ports.plans.decide(unit, decision, tenant="acme")))
    assert decided == [True]
    return plan
