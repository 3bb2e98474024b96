"""Invoices: the unpaid ones in pages, and one by its reference. Read only; issuing them comes with its own tools."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from billing.catalog import catalog
from billing.money import Currency
from fourfold import Caller, Clock, Fault, Input, Minor, Output, Page, PageRequest, Read, Retry, Row, Subject, Unit

__all__ = [
    "Invoice",
    "InvoiceFilter",
    "InvoiceKey",
    "InvoiceStatus",
    "InvoiceSummary",
    "Invoices",
    "UnknownInvoice",
    "UnpaidStatus",
    "invoice_get",
    "invoice_list",
]

UnpaidStatus = Literal["open", "overdue"]
"""`open`: not paid, and due today or later. `overdue`: not paid, and due before today. The two do not overlap."""

InvoiceStatus = Literal["open", "overdue", "paid"]

_Reference = Annotated[str, Field(pattern=r"^INV-\d{4}-\d{4}$", examples=["INV-2026-0042"])]

# The position is date and reference together: several invoices are due on one day.
_UNPAID = """
SELECT i.invoice_reference, a.name AS account_name, i.due_on, i.paid_on, i.currency, i.amount_minor
FROM invoice AS i JOIN account AS a ON a.tenant = i.tenant AND a.account_id = i.account_id
WHERE i.tenant = :tenant AND i.paid_on IS NULL AND i.due_on >= :due_from AND i.due_on < :due_before
  AND (i.due_on, i.invoice_reference) > (:after_due, :after_reference)
ORDER BY i.due_on, i.invoice_reference LIMIT :limit
"""

_ONE = """
SELECT i.invoice_reference, i.account_id, a.name AS account_name, i.issued_on, i.due_on, i.paid_on, i.currency,
  i.amount_minor, i.version
FROM invoice AS i JOIN account AS a ON a.tenant = i.tenant AND a.account_id = i.account_id
WHERE i.tenant = :tenant AND i.invoice_reference = :reference
"""


class UnknownInvoice(Fault):
    """No invoice with that reference is visible to you."""

    code, retry = "unknown_invoice", Retry.NEVER
    next_step = "Ask the user which invoice they mean; invoice_list shows the unpaid ones"


class InvoiceFilter(Input):
    """Which unpaid invoices."""

    status: Annotated[UnpaidStatus | None, Field(description="Leave out for both. Overdue: due before today.")] = None


class InvoiceKey(Input):
    """Which invoice."""

    invoice_reference: _Reference


class InvoiceSummary(Output):
    """An unpaid invoice in a list. Each has its own currency; there is no sum over them."""

    invoice_reference: _Reference
    account_name: Annotated[str, Field(max_length=120)]
    status: UnpaidStatus
    due_on: date
    currency: Currency
    amount_minor: Minor


class Invoice(Output):
    """One invoice. `version` changes with every change of it."""

    invoice_reference: _Reference
    account_id: Annotated[UUID, Subject()]
    account_name: Annotated[str, Field(max_length=120)]
    status: InvoiceStatus
    issued_on: date
    due_on: date
    currency: Currency
    amount_minor: Minor
    version: Annotated[str, Field(min_length=1, max_length=64)]


class Invoices:
    """The invoices of the caller's tenant. Whether one is overdue is decided by the date in UTC."""

    def __init__(self, unit: Unit, caller: Caller, *, clock: Clock) -> None:
        self._unit = unit
        self._tenant = caller.tenant
        # Once for the whole call, so that filter and status of a page agree even at midnight.
        self._today = datetime.fromtimestamp(clock.now_ms() // 1000, UTC).date()

    def unpaid(self, status: UnpaidStatus | None, page: PageRequest) -> list[InvoiceSummary]:
        """One page and one more if there are any, ordered by due date, then reference."""
        due_from = self._today if status == "open" else date.min
        due_before = self._today if status == "overdue" else date.max
        after_due, after_reference = page.after or ("", "")
        parameters = {
            "tenant": self._tenant,
            "due_from": due_from.isoformat(),
            "due_before": due_before.isoformat(),
            "after_due": after_due,
            "after_reference": after_reference,
            "limit": page.limit + 1,
        }
        return [self._summary(row) for row in self._unit.rows(_UNPAID, parameters)]

    def get(self, reference: str) -> Invoice | None:
        """The invoice with that reference, or `None` if the tenant has none."""
        row = self._unit.row(_ONE, {"tenant": self._tenant, "reference": reference})
        if row is None:
            return None
        due_on = date.fromisoformat(row["due_on"])
        return Invoice(
            invoice_reference=row["invoice_reference"],
            account_id=UUID(row["account_id"]),
            account_name=row["account_name"],
            status="paid" if row["paid_on"] else self._unpaid_status(due_on),
            issued_on=date.fromisoformat(row["issued_on"]),
            due_on=due_on,
            currency=row["currency"],
            amount_minor=row["amount_minor"],
            version=str(row["version"]),
        )

    def _summary(self, row: Row) -> InvoiceSummary:
        due_on = date.fromisoformat(row["due_on"])
        return InvoiceSummary(
            invoice_reference=row["invoice_reference"],
            account_name=row["account_name"],
            status=self._unpaid_status(due_on),
            due_on=due_on,
            currency=row["currency"],
            amount_minor=row["amount_minor"],
        )

    def _unpaid_status(self, due_on: date) -> UnpaidStatus:
        return "overdue" if due_on < self._today else "open"


catalog.provide(Invoices)


@catalog.tool(
    name="invoice_list",
    version="1.0",
    does="List unpaid invoices, the earliest due first",
    use_when="the user asks what is open or overdue",
    not_for="one invoice whose reference is known (invoice_get)",
    effect=Read(),
    needs={"invoices:read"},
    toolsets={"invoices"},
    page_limit=50,
    returns="Returns reference, account, status, due date, currency and amount, at most 50 a page",
    says="unpaid invoices on this page: {returned}",
)
def invoice_list(request: InvoiceFilter, *, invoices: Invoices, page: PageRequest) -> Page[InvoiceSummary]:
    """A page of unpaid invoices. A walk over the pages meets each once, whatever is added meanwhile."""
    found = invoices.unpaid(request.status, page)
    return Page[InvoiceSummary].of(
        found, page, position=lambda invoice: (invoice.due_on.isoformat(), invoice.invoice_reference)
    )


@catalog.tool(
    name="invoice_get",
    version="1.0",
    does="Read one invoice by its reference",
    use_when="the user names an invoice",
    not_for="searching or listing (invoice_list)",
    effect=Read(),
    missing=UnknownInvoice,
    needs={"invoices:read"},
    toolsets={"invoices"},
    says="{invoice_reference} is {status}: {amount_minor} minor units of {currency}, due {due_on}",
)
def invoice_get(request: InvoiceKey, invoices: Invoices) -> Invoice:
    """The invoice, with the version that a later change of it has to name."""
    found = invoices.get(request.invoice_reference)
    if found is None:
        raise UnknownInvoice
    return found
