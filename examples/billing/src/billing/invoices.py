"""One invoice by its reference: the repository, reading, and finalizing. Drafting and listing stand beside it."""

from __future__ import annotations

from datetime import date
from typing import Any, TypedDict

from billing.catalog import catalog
from billing.companies import Company
from billing.customers import Billed
from billing.invoice_model import Document, DraftRequest, Invoice, InvoiceKey, InvoiceSaved, status_on
from billing.invoice_states import State, actions_in, state_after
from billing.series import Series
from fourfold import Caller, Fault, Limits, Read, Resource, Retry, Row, Unit, Update

__all__ = [
    "DueDatePassed",
    "InvoiceRow",
    "Invoices",
    "UnknownInvoice",
    "invoice_finalize",
    "invoice_get",
    "invoice_resource",
]

_INSERT = """
INSERT INTO invoice (tenant, draft_reference, invoice_reference, state, customer_reference, account_id, currency,
  amount_minor, without_tax_minor, issued_on, issued_ms, due_on, paid_on, document, version)
VALUES (:tenant, :draft_reference, :invoice_reference, :state, :customer_reference, :account_id, :currency,
  :amount_minor, :without_tax_minor, :issued_on, :issued_ms, :due_on, :paid_on, :document, :version)
"""

_ONE = """
SELECT i.draft_reference, i.invoice_reference, i.state, i.customer_reference, c.name AS customer_name, i.currency,
  i.amount_minor, i.issued_on, i.due_on, i.paid_on, i.document, i.version
FROM invoice AS i JOIN customer AS c ON c.tenant = i.tenant AND c.customer_reference = i.customer_reference
WHERE i.tenant = :tenant AND (i.invoice_reference = :reference OR i.draft_reference = :reference)
"""

_FINALIZE = """
UPDATE invoice SET state = :state, invoice_reference = :invoice_reference, issued_on = :issued_on,
  issued_ms = :issued_ms, paid_on = :paid_on, version = version + 1
WHERE tenant = :tenant AND draft_reference = :draft_reference
"""


class UnknownInvoice(Fault):
    """No invoice with that reference is visible to you."""

    code, retry = "unknown_invoice", Retry.NEVER
    next_step = "Ask the user which invoice they mean; invoice_list shows the unpaid ones"


class DueDatePassed(Fault):
    """The invoice would be overdue on the day that it is issued."""

    code, retry = "due_date_passed", Retry.NEVER
    next_step = "Ask the user for a due date, and make a draft with it"


class InvoiceRow(TypedDict):
    """An invoice as it is stored; dates as YYYY-MM-DD, amounts in minor units of its currency.

    A draft has neither `invoice_reference` nor `issued_on` and `issued_ms`, the instant at which it was finalized.
    """

    tenant: str
    draft_reference: str
    invoice_reference: str | None
    state: State
    customer_reference: str
    account_id: str | None
    currency: str
    amount_minor: int
    without_tax_minor: int
    issued_on: str | None
    issued_ms: int | None
    due_on: str
    paid_on: str | None
    document: str
    version: int


class Invoices:
    """The invoices of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller, *, company: Company, series: Series) -> None:
        self._unit = unit
        self._tenant = caller.tenant
        self._company = company
        self._series = series

    def add_draft(self, request: DraftRequest, customer: Billed, *, document: Document, payable_minor: int) -> str:
        """Save a draft, and return its reference."""
        reference = f"DRAFT-{self._series.take('draft'):06}"
        row = InvoiceRow(
            tenant=self._tenant,
            draft_reference=reference,
            invoice_reference=None,
            state="draft",
            customer_reference=customer.customer_reference,
            account_id=customer.account_id,
            currency=request.currency,
            amount_minor=payable_minor,
            without_tax_minor=document.totals.without_tax_minor,
            issued_on=None,
            issued_ms=None,
            due_on=request.due_on.isoformat(),
            paid_on=None,
            document=document.model_dump_json(exclude_none=True),
            version=1,
        )
        self._unit.execute(_INSERT, row)
        return reference

    def get(self, reference: str) -> Invoice | None:
        """The invoice with that reference, its draft's included, or `None` if the tenant has none."""
        row = self._row(reference)
        if row is None:
            return None
        return Invoice(**self._head(row), **_fields_of(Document.model_validate_json(row["document"])))

    def saved(self, reference: str) -> InvoiceSaved:
        """The invoice with that reference, as a write answers with it.

        Raises:
            UnknownInvoice: the tenant has none.
        """
        row = self._row(reference)
        if row is None:
            raise UnknownInvoice
        document = Document.model_validate_json(row["document"])
        return InvoiceSaved(**self._head(row), totals=document.totals)

    def finalize(self, reference: str) -> str:
        """Give a draft the next number of the year and its day of issue, and return its reference from now on.

        Raises:
            UnknownInvoice, WrongState, DueDatePassed: in this order of precedence.
        """
        row = self._row(reference)
        if row is None:
            raise UnknownInvoice
        state = state_after("invoice_finalize", row["state"])
        today = self._company.today
        if date.fromisoformat(row["due_on"]) < today:
            raise DueDatePassed(expected=f"a draft that is due on {today} or later")
        series = f"INV-{today.year}"
        number = f"{series}-{self._series.take(series):04}"
        changed = {
            "tenant": self._tenant,
            "draft_reference": row["draft_reference"],
            "state": state,
            "invoice_reference": number,
            "issued_on": today.isoformat(),
            "issued_ms": self._company.now_ms,
            # Where nothing is left to pay, nobody would ever pay it.
            "paid_on": today.isoformat() if row["amount_minor"] == 0 else None,
        }
        self._unit.execute(_FINALIZE, changed)
        return number

    def version(self, reference: str) -> str | None:
        """The version of the invoice with that reference, or `None` if the tenant has none."""
        row = self._row(reference)
        return None if row is None else str(row["version"])

    def _row(self, reference: str) -> Row | None:
        return self._unit.row(_ONE, {"tenant": self._tenant, "reference": reference})

    def _head(self, row: Row) -> dict[str, Any]:
        """The fields of `InvoiceHead`."""
        due_on = date.fromisoformat(row["due_on"])
        is_final = row["state"] == "final"
        status = status_on(self._company.today, due_on=due_on, is_paid=row["paid_on"] is not None)
        return {
            "invoice_reference": row["invoice_reference"] or row["draft_reference"],
            "state": row["state"],
            "status": status if is_final else None,
            "version": str(row["version"]),
            "allowed_actions": actions_in(row["state"]),
            "customer_reference": row["customer_reference"],
            "customer_name": row["customer_name"],
            "issued_on": date.fromisoformat(row["issued_on"]) if is_final else None,
            "due_on": due_on,
            "currency": row["currency"],
            "amount_minor": row["amount_minor"],
        }


def _fields_of(document: Document) -> dict[str, Any]:
    """The fields of a document by name, its parts still models."""
    return {name: getattr(document, name) for name in Document.model_fields}


catalog.provide(Invoices)


def invoice_resource(request: InvoiceKey, invoices: Invoices) -> Resource | None:
    """The invoice that a call is about, so that its version is compared with the expected one."""
    version = invoices.version(request.invoice_reference)
    return None if version is None else Resource(id=request.invoice_reference, version=version)


@catalog.tool(
    name="invoice_get",
    version="2.0",
    does="Read one invoice or draft by its reference",
    use_when="the user names an invoice, or before changing one",
    not_for="searching or listing (invoice_list)",
    effect=Read(),
    missing=UnknownInvoice,
    needs={"invoices:read"},
    toolsets={"invoices"},
    limits=Limits(result_bytes=262_144),
    returns="Returns lines, taxes, totals, version and allowed_actions",
    says="{invoice_reference} is {state}: {amount_minor} minor units of {currency}, due {due_on}",
)
def invoice_get(request: InvoiceKey, invoices: Invoices) -> Invoice:
    """The invoice, with the version that a change of it has to name."""
    found = invoices.get(request.invoice_reference)
    if found is None:
        raise UnknownInvoice
    return found


@catalog.tool(
    name="invoice_finalize",
    version="1.0",
    does="Issue a draft: it gets the next number of its year, today's date, and figures that stay",
    use_when="the user has approved the draft",
    not_for="drafting (invoice_create)",
    effect=Update(),
    missing=UnknownInvoice,
    faults=[DueDatePassed],
    needs={"invoices:write"},
    toolsets={"invoices"},
    resource=invoice_resource,
    returns="Returns the new invoice_reference, version and totals",
    says="{invoice_reference} issued: {amount_minor} minor units of {currency}, due {due_on}",
)
def invoice_finalize(request: InvoiceKey, invoices: Invoices) -> InvoiceSaved:
    """Issue it. Numbers have no gaps: one is taken in the transaction that uses it."""
    return invoices.saved(invoices.finalize(request.invoice_reference))
