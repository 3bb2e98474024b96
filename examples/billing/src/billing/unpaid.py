"""Which invoices are unpaid: a list in pages, the earliest due first. Reads final invoices only."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from billing.catalog import catalog
from billing.companies import Company
from billing.invoice_model import InvoiceReference, UnpaidStatus
from billing.money import Amount, InvoiceCurrency
from billing.periods import instant_of
from fourfold import Caller, Input, Output, Page, PageRequest, Read, Row, Sourced, Unit

__all__ = ["InvoiceFilter", "InvoiceSummary", "UnpaidInvoices", "UnpaidPage", "invoice_list"]

# The position is date and reference together: several invoices are due on one day.
_UNPAID = """
SELECT i.invoice_reference, c.name AS customer_name, i.due_on, i.currency, i.amount_minor
FROM invoice AS i JOIN customer AS c ON c.tenant = i.tenant AND c.customer_reference = i.customer_reference
WHERE i.tenant = :tenant AND i.state = 'final' AND i.paid_on IS NULL AND i.due_on >= :due_from
  AND i.due_on < :due_before AND (i.due_on, i.invoice_reference) > (:after_due, :after_reference)
ORDER BY i.due_on, i.invoice_reference LIMIT :limit
"""


class InvoiceFilter(Input):
    """Which unpaid invoices."""

    status: Annotated[UnpaidStatus | None, Field(description="Leave out for both. Overdue: due before today.")] = None


class InvoiceSummary(Output):
    """An unpaid invoice in a list. Each has its own currency; there is no sum over them."""

    invoice_reference: InvoiceReference
    customer_name: Annotated[str, Field(max_length=120)]
    status: UnpaidStatus
    due_on: date
    currency: InvoiceCurrency
    amount_minor: Amount


class UnpaidPage(Page[InvoiceSummary], Sourced):
    """A page of unpaid invoices, and as of when they were."""


class UnpaidInvoices:
    """The unpaid invoices of the caller's tenant. Whether one is overdue is decided by the company's own date."""

    def __init__(self, unit: Unit, caller: Caller, *, company: Company) -> None:
        self._unit = unit
        self._tenant = caller.tenant
        self._company = company

    def page(self, status: UnpaidStatus | None, page: PageRequest) -> list[InvoiceSummary]:
        """One page and one more if there are any, ordered by due date, then reference."""
        today = self._company.today
        due_from = today if status == "open" else date.min
        due_before = today if status == "overdue" else date.max
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

    def _summary(self, row: Row) -> InvoiceSummary:
        due_on = date.fromisoformat(row["due_on"])
        return InvoiceSummary(
            invoice_reference=row["invoice_reference"],
            customer_name=row["customer_name"],
            status="overdue" if due_on < self._company.today else "open",
            due_on=due_on,
            currency=row["currency"],
            amount_minor=row["amount_minor"],
        )


catalog.provide(UnpaidInvoices)


@catalog.tool(
    name="invoice_list",
    version="2.0",
    does="List unpaid invoices, the earliest due first",
    use_when="the user asks what is open or overdue",
    not_for="one invoice whose reference is known (invoice_get) or revenue (revenue_report)",
    effect=Read(),
    needs={"invoices:read"},
    toolsets={"invoices"},
    page_limit=50,
    returns="Returns reference, customer, status, due date, currency and amount, at most 50 a page",
    says="unpaid invoices on this page: {returned}",
)
def invoice_list(request: InvoiceFilter, *, unpaid: UnpaidInvoices, company: Company, page: PageRequest) -> UnpaidPage:
    """A page of unpaid invoices. A walk over the pages meets each once, whatever is added meanwhile."""
    found = unpaid.page(request.status, page)
    items, has_more = found[: page.limit], len(found) > page.limit
    listed = UnpaidPage(
        items=items,
        returned=len(items),
        has_more=has_more,
        source="the company's books",
        as_of=instant_of(company.now_ms),
    )
    return listed.at((items[-1].due_on.isoformat(), items[-1].invoice_reference) if has_more else None)
