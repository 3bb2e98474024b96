"""Invoices as they are kept: the repository, by the reference that users know. The tools stand in other modules."""

from __future__ import annotations

from datetime import date
from typing import Any, TypedDict

from billing.catalog import catalog
from billing.companies import Company
from billing.customers import Billed
from billing.invoice_model import (
    Document,
    DraftChange,
    DraftRequest,
    Invoice,
    InvoiceKey,
    InvoiceSaved,
    status_on,
)
from billing.invoice_states import Action, State, actions_in, state_after
from billing.series import Series
from fourfold import Caller, Fault, Resource, Retry, Row, Unit

__all__ = [
    "DueDatePassed",
    "InvoiceRow",
    "Invoices",
    "UnknownInvoice",
    "invoice_resource",
]

_INSERT = """
INSERT INTO invoice (tenant, draft_reference, invoice_reference, state, customer_reference, account_id, currency,
  amount_minor, without_tax_minor, with_tax_minor, issued_on, issued_ms, due_on, paid_on, document, version)
VALUES (:tenant, :draft_reference, :invoice_reference, :state, :customer_reference, :account_id, :currency,
  :amount_minor, :without_tax_minor, :with_tax_minor, :issued_on, :issued_ms, :due_on, :paid_on, :document, :version)
"""

_ONE = """
SELECT i.draft_reference, i.invoice_reference, i.state, i.customer_reference, c.name AS customer_name, i.currency,
  i.amount_minor, i.with_tax_minor, i.credited_minor, i.sent_on, i.issued_on, i.due_on, i.paid_on, i.document,
  i.version
FROM invoice AS i JOIN customer AS c ON c.tenant = i.tenant AND c.customer_reference = i.customer_reference
WHERE i.tenant = :tenant AND (i.invoice_reference = :reference OR i.draft_reference = :reference)
"""

_FINALIZE = """
UPDATE invoice SET state = :state, invoice_reference = :invoice_reference, issued_on = :issued_on,
  issued_ms = :issued_ms, paid_on = :paid_on, version = version + 1
WHERE tenant = :tenant AND draft_reference = :draft_reference
"""

_CHANGE = """
UPDATE invoice SET customer_reference = :customer_reference, account_id = :account_id, currency = :currency,
  amount_minor = :amount_minor, without_tax_minor = :without_tax_minor, with_tax_minor = :with_tax_minor,
  due_on = :due_on, document = :document, version = version + 1
WHERE tenant = :tenant AND draft_reference = :draft_reference
"""

_SENT = "UPDATE invoice SET sent_on = ?, version = version + 1 WHERE tenant = ? AND draft_reference = ?"


class UnknownInvoice(Fault):
    """No invoice with that reference is visible to you."""

    code, retry = "unknown_invoice", Retry.NEVER
    next_step = "Ask the user which invoice they mean; invoice_list shows the unpaid ones"


class DueDatePassed(Fault):
    """The invoice would be overdue on the day that it is issued."""

    code, retry = "due_date_passed", Retry.NEVER
    next_step = "Ask the user for a due date, and make a draft with it"


class _Drafted(TypedDict):
    """What a draft's order decides about its row."""

    customer_reference: str
    account_id: str | None
    currency: str
    amount_minor: int
    without_tax_minor: int
    with_tax_minor: int
    due_on: str
    document: str


class InvoiceRow(_Drafted):
    """An invoice as it is stored; dates as YYYY-MM-DD, amounts in minor units of its currency.

    A draft has neither `invoice_reference` nor `issued_on` and `issued_ms`, the instant at which it was finalized.
    """

    tenant: str
    draft_reference: str
    invoice_reference: str | None
    state: State
    issued_on: str | None
    issued_ms: int | None
    paid_on: str | None
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
            issued_on=None,
            issued_ms=None,
            paid_on=None,
            version=1,
            **_drafted(request, customer, document=document, payable_minor=payable_minor),
        )
        self._unit.execute(_INSERT, row)
        return reference

    def change_draft(self, request: DraftChange, customer: Billed, *, document: Document, payable_minor: int) -> None:
        """Let a draft say what `request` does.

        Raises:
            UnknownInvoice, WrongState: in this order of precedence.
        """
        row = self._allowed("invoice_update_draft", request.invoice_reference)
        changed = _drafted(request, customer, document=document, payable_minor=payable_minor)
        self._unit.execute(_CHANGE, {**changed, "tenant": self._tenant, "draft_reference": row["draft_reference"]})

    def delete_draft(self, reference: str) -> None:
        """Delete a draft for good.

        Raises:
            UnknownInvoice, WrongState: in this order of precedence.
        """
        row = self._allowed("invoice_plan_delete_draft", reference)
        sql = "DELETE FROM invoice WHERE tenant = ? AND draft_reference = ?"
        self._unit.execute(sql, (self._tenant, row["draft_reference"]))

    def mark_sent(self, reference: str) -> None:
        """Note that an invoice is sent today.

        Raises:
            UnknownInvoice, WrongState: in this order of precedence.
        """
        row = self._allowed("invoice_plan_send", reference)
        self._unit.execute(_SENT, (self._company.today.isoformat(), self._tenant, row["draft_reference"]))

    def require(self, action: Action, reference: str) -> InvoiceSaved:
        """The invoice with that reference, on which `action` is allowed now.

        Raises:
            UnknownInvoice, WrongState: in this order of precedence.
        """
        self._allowed(action, reference)
        return self.saved(reference)

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
        row = self._allowed("invoice_finalize", reference)
        today = self._company.today
        if date.fromisoformat(row["due_on"]) < today:
            raise DueDatePassed(expected=f"a draft that is due on {today} or later")
        series = f"INV-{today.year}"
        number = f"{series}-{self._series.take(series):04}"
        changed = {
            "tenant": self._tenant,
            "draft_reference": row["draft_reference"],
            "state": state_after("invoice_finalize", row["state"]),
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

    def _allowed(self, action: Action, reference: str) -> Row:
        """The row with that reference, whose state allows `action`."""
        row = self._row(reference)
        if row is None:
            raise UnknownInvoice
        state_after(action, row["state"])
        return row

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
            "allowed_actions": actions_in(row["state"], has_rest=row["credited_minor"] < row["with_tax_minor"]),
            "customer_reference": row["customer_reference"],
            "customer_name": row["customer_name"],
            "issued_on": date.fromisoformat(row["issued_on"]) if is_final else None,
            "due_on": due_on,
            "currency": row["currency"],
            "amount_minor": row["amount_minor"],
            "credited_minor": row["credited_minor"],
            "sent_on": date.fromisoformat(row["sent_on"]) if row["sent_on"] else None,
        }


def _drafted(request: DraftRequest, customer: Billed, *, document: Document, payable_minor: int) -> _Drafted:
    return _Drafted(
        customer_reference=customer.customer_reference,
        account_id=customer.account_id,
        currency=request.currency,
        amount_minor=payable_minor,
        without_tax_minor=document.totals.without_tax_minor,
        with_tax_minor=document.totals.with_tax_minor,
        due_on=request.due_on.isoformat(),
        document=document.model_dump_json(exclude_none=True),
    )


def _fields_of(document: Document) -> dict[str, Any]:
    """The fields of a document by name, its parts still models."""
    return {name: getattr(document, name) for name in Document.model_fields}


catalog.provide(Invoices)


def invoice_resource(request: InvoiceKey, invoices: Invoices) -> Resource | None:
    """The invoice that a call is about, so that its version is compared with the expected one."""
    version = invoices.version(request.invoice_reference)
    return None if version is None else Resource(id=request.invoice_reference, version=version)
