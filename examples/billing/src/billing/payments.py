"""Payments: what was received for an invoice, and how much of it may still be paid back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from billing.catalog import catalog
from billing.invoice_model import InvoiceKey, InvoiceReference
from billing.invoices import Invoices, UnknownInvoice
from billing.money import Amount, InvoiceCurrency
from fourfold import Caller, Fault, Output, Page, PageRequest, Read, Retry, Row, Unit

__all__ = ["Payment", "PaymentAction", "PaymentId", "Payments", "Received", "UnknownPayment", "payment_list"]

PaymentId = Annotated[str, Field(pattern=r"^PAY-\d{6,9}$", examples=["PAY-000001"])]

PaymentAction = Literal["payment_plan_refund"]
"""What may be done with a payment: names of tools."""

_COLUMNS = """
SELECT p.payment_id, p.currency, p.amount_minor, p.taken_minor, p.received_on, p.version,
  COALESCE(i.invoice_reference, i.draft_reference) AS invoice_reference, i.customer_reference, (
    SELECT COALESCE(SUM(r.amount_minor), 0) FROM refund AS r
    WHERE r.tenant = p.tenant AND r.payment_id = p.payment_id AND r.state = 'pending'
  ) AS pending_minor
FROM payment AS p JOIN invoice AS i ON i.tenant = p.tenant AND i.draft_reference = p.draft_reference
WHERE p.tenant = :tenant
"""

_ONE = _COLUMNS + " AND p.payment_id = :payment_id"

_OF_INVOICE = (
    _COLUMNS
    + """
AND (i.invoice_reference = :reference OR i.draft_reference = :reference)
  AND (p.received_on, p.payment_id) > (:after_day, :after_id)
ORDER BY p.received_on, p.payment_id LIMIT :limit
"""
)

# The condition is looked at again once the row is ours, so that of two refunds at once only one finds enough left.
_TAKE = """
UPDATE payment SET taken_minor = taken_minor + :amount_minor, version = version + 1
WHERE tenant = :tenant AND payment_id = :payment_id AND amount_minor - taken_minor >= :amount_minor
"""

_RESERVE = """
INSERT INTO refund (tenant, refund_key, payment_id, state, amount_minor, reason)
VALUES (:tenant, :refund_key, :payment_id, 'pending', :amount_minor, :reason)
"""

_PAID = """
UPDATE refund SET state = 'paid', refund_id = :refund_id
WHERE tenant = :tenant AND refund_key = :refund_key AND state = 'pending'
"""

_GONE = "DELETE FROM refund WHERE tenant = :tenant AND refund_key = :refund_key AND state = 'pending'"

_GIVE_BACK = """
UPDATE payment SET taken_minor = taken_minor - :amount_minor, version = version + 1
WHERE tenant = :tenant AND payment_id = :payment_id
"""

_SEEN = "UPDATE payment SET version = version + 1 WHERE tenant = :tenant AND payment_id = :payment_id"


class UnknownPayment(Fault):
    """No payment with that id is visible to you."""

    code, retry = "unknown_payment", Retry.NEVER
    next_step = "Ask the user which payment they mean; payment_list shows those of an invoice"


class Payment(Output):
    """A payment, and what may be done with it. Each is in the currency of its invoice."""

    payment_id: PaymentId
    invoice_reference: InvoiceReference
    received_on: date
    currency: InvoiceCurrency
    amount_minor: Amount
    refundable_minor: Annotated[Amount, Field(description="What may still be paid back.")]
    pending_minor: Annotated[Amount, Field(description="Being paid back, and not certain yet.")]
    version: Annotated[str, Field(min_length=1, max_length=64)]
    allowed_actions: Annotated[list[PaymentAction], Field(max_length=1, description="Tools that may be called now.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A payment as a refund needs it."""

    payment: Payment
    customer_reference: str


class Payments:
    """The payments of the caller's tenant, and what is set aside of them."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def find(self, payment_id: str) -> Received | None:
        """The payment with that id, or `None` if the tenant has none. Its customer becomes the run's Subject."""
        row = self._unit.row(_ONE, {"tenant": self._tenant, "payment_id": payment_id})
        if row is None:
            return None
        self._unit.subject(row["customer_reference"])
        return Received(payment=_payment(row), customer_reference=row["customer_reference"])

    def get(self, payment_id: str) -> Received:
        """The payment with that id.

        Raises:
            UnknownPayment: the tenant has none.
        """
        found = self.find(payment_id)
        if found is None:
            raise UnknownPayment
        return found

    def of_invoice(self, reference: str, page: PageRequest) -> list[Payment]:
        """One page of the payments of an invoice and one more if there are any, the earliest first."""
        after_day, after_id = page.after or ("", "")
        parameters = {
            "tenant": self._tenant,
            "reference": reference,
            "after_day": after_day,
            "after_id": after_id,
            "limit": page.limit + 1,
        }
        return [_payment(row) for row in self._unit.rows(_OF_INVOICE, parameters)]

    def reserve(self, payment_id: str, amount_minor: int, *, key: str, reason: str) -> bool:
        """Set an amount aside for the refund `key`; `False` if that much is not left."""
        parameters = {"tenant": self._tenant, "payment_id": payment_id, "amount_minor": amount_minor}
        if not self._unit.execute(_TAKE, parameters):
            return False
        self._unit.execute(_RESERVE, {**parameters, "refund_key": key, "reason": reason})
        return True

    def settle(self, payment_id: str, *, key: str, refund_id: str) -> None:
        """Note that the refund `key` is paid, under the gateway's own id."""
        refund = {"tenant": self._tenant, "refund_key": key, "refund_id": refund_id}
        if self._unit.execute(_PAID, refund):
            self._unit.execute(_SEEN, {"tenant": self._tenant, "payment_id": payment_id})

    def give_back(self, payment_id: str, amount_minor: int, *, key: str) -> None:
        """Undo what was set aside for the refund `key`."""
        if self._unit.execute(_GONE, {"tenant": self._tenant, "refund_key": key}):
            parameters = {"tenant": self._tenant, "payment_id": payment_id, "amount_minor": amount_minor}
            self._unit.execute(_GIVE_BACK, parameters)


def _payment(row: Row) -> Payment:
    refundable_minor = row["amount_minor"] - row["taken_minor"]
    return Payment(
        payment_id=row["payment_id"],
        invoice_reference=row["invoice_reference"],
        received_on=date.fromisoformat(row["received_on"]),
        currency=row["currency"],
        amount_minor=row["amount_minor"],
        refundable_minor=refundable_minor,
        # PostgreSQL's sum of integers is a decimal.
        pending_minor=int(row["pending_minor"]),
        version=str(row["version"]),
        allowed_actions=["payment_plan_refund"] if refundable_minor > 0 else [],
    )


catalog.provide(Payments)


@catalog.tool(
    name="payment_list",
    version="1.0",
    does="List the payments of one invoice, with what may be paid back of each",
    use_when="the user asks how an invoice was paid, or before a refund",
    not_for="what is unpaid (invoice_list)",
    effect=Read(),
    missing=UnknownInvoice,
    needs={"payments:read"},
    toolsets={"payments"},
    page_limit=20,
    returns="Returns payment_id, amounts, version and allowed_actions, at most 20 a page",
    says="payments on this page: {returned}",
)
def payment_list(request: InvoiceKey, *, invoices: Invoices, payments: Payments, page: PageRequest) -> Page[Payment]:
    """A page of payments. An invoice without any has an empty page."""
    if invoices.version(request.invoice_reference) is None:
        raise UnknownInvoice
    found = payments.of_invoice(request.invoice_reference, page)
    return Page[Payment].of(found, page, position=lambda each: (each.received_on.isoformat(), each.payment_id))
