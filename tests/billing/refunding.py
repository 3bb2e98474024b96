"""What the refund tests share: a plan, a person who agrees, and what the books say."""

from __future__ import annotations

from typing import Any

from fourfold import Caller
from fourfold.testing import Answer, Kit
from tests.billing.books import agreed, executed

__all__ = ["INVOICE", "PAYMENT", "SMALL", "agreed_plan", "execute", "payment", "plan"]

PAYMENT = "PAY-000010"
"""91,690 EUR cents that acme got for INV-2026-0010, of which one person may pay back 50,000 alone."""

INVOICE = "INV-2026-0010"

SMALL = 40_000


def plan(kit: Kit, amount: Any = SMALL, *, version: str = "1", by: Caller | None = None, **changes: Any) -> Answer:
    """Plan a refund."""
    arguments = {
        "payment_id": PAYMENT,
        "currency": "EUR",
        "amount_minor": amount,
        "reason": "Returned goods",
        "expected_version": version,
        **changes,
    }
    return kit.call("payment_plan_refund", arguments, by=by)


def agreed_plan(kit: Kit, amount: int = SMALL, **changes: Any) -> Answer:
    """A refund that a person agreed to."""
    return agreed(kit, plan(kit, amount, **changes))


def execute(kit: Kit, made: Answer, **changes: Any) -> Answer:
    """Execute it."""
    return executed(kit, "payment_execute_refund", made, **changes)


def payment(kit: Kit) -> dict[str, Any]:
    """The payment as it stands."""
    (found,) = kit.call("payment_list", {"invoice_reference": INVOICE}).structured["items"]
    return found
