"""Credit notes: what is taken back of an invoice that was issued. An invoice itself never changes.

An amount is taken back in proportion from everything that the invoice taxes alike. What is left of each is stored with
every note, so that the notes of an invoice add up to it to the last cent, whatever their amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field, TypeAdapter

from billing.catalog import catalog
from billing.companies import Company
from billing.invoice_model import Credited, Invoice, InvoiceReference, TaxRow
from billing.invoices import Invoices, UnknownInvoice
from billing.money import LARGEST_MINOR, Amount, InvoiceCurrency, in_words
from billing.series import Series
from fourfold import Caller, Create, Fault, Input, MinorUnits, Output, Retry, StaleVersion, Subject, Unit

__all__ = [
    "CreditExceedsInvoice",
    "CreditNote",
    "CreditNoteRequest",
    "CreditNotes",
    "OtherCurrency",
    "credit_note_create",
    "taken_back",
]

_INSERT = """
INSERT INTO credit_note (tenant, credit_note_reference, draft_reference, currency, amount_minor, without_tax_minor,
  issued_on, issued_ms, reason, taxes, left_taxes, invoice_version)
VALUES (:tenant, :credit_note_reference, :draft_reference, :currency, :amount_minor, :without_tax_minor,
  :issued_on, :issued_ms, :reason, :taxes, :left_taxes, :invoice_version)
"""

# Whoever comes second waits for the first here, and then finds another version. An invoice that is taken back whole
# leaves nothing to pay.
_CREDIT = """
UPDATE invoice SET credited_minor = credited_minor + :amount_minor, version = version + 1,
  paid_on = CASE WHEN paid_on IS NULL AND credited_minor + :amount_minor = with_tax_minor THEN :today ELSE paid_on END
WHERE tenant = :tenant AND (invoice_reference = :reference OR draft_reference = :reference) AND version = :version
"""

_LEFT = """
SELECT c.left_taxes FROM credit_note AS c
JOIN invoice AS i ON i.tenant = c.tenant AND i.draft_reference = c.draft_reference
WHERE i.tenant = :tenant AND (i.invoice_reference = :reference OR i.draft_reference = :reference)
ORDER BY c.invoice_version DESC LIMIT 1
"""

_DRAFT_REFERENCE = """
SELECT draft_reference FROM invoice
WHERE tenant = :tenant AND (invoice_reference = :reference OR draft_reference = :reference)
"""

_TAX_ROWS = TypeAdapter(list[TaxRow])


class CreditExceedsInvoice(Fault):
    """The amount is more than what is left of the invoice."""

    code, retry = "credit_exceeds_invoice", Retry.NEVER
    next_step = "Ask the user for an amount that is left; invoice_get shows what is credited"


class OtherCurrency(Fault):
    """The currency is not the one that it is in."""

    code, retry = "other_currency", Retry.NEVER
    next_step = "Ask the user for the amount in its own currency; nothing is converted"


class CreditNoteRequest(Input):
    """What to take back of which invoice."""

    invoice_reference: InvoiceReference
    currency: InvoiceCurrency
    amount_minor: Annotated[int, MinorUnits(), Field(ge=1, le=LARGEST_MINOR, description="With tax.")]
    reason: Annotated[str, Field(min_length=1, max_length=200)]


class CreditNote(Output):
    """A credit note as it was issued."""

    credit_note_reference: Annotated[str, Field(pattern=r"^CN-\d{4}-(\d{4}|[1-9]\d{4,7})$")]
    invoice_reference: InvoiceReference
    customer_reference: Annotated[str, Field(pattern=r"^C-\d{6,9}$"), Subject()]
    issued_on: date
    currency: InvoiceCurrency
    amount_minor: Amount
    without_tax_minor: Amount
    taxes: Annotated[list[Credited], Field(max_length=9)]
    left_minor: Annotated[Amount, Field(description="What is not credited yet, with tax.")]
    invoice_version: Annotated[str, Field(max_length=64)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    """What is taken back of each tax row, and what is left of each."""

    taken: list[TaxRow]
    left: list[TaxRow]


def taken_back(rows: Sequence[TaxRow], amount_minor: int) -> _Split:
    """`amount_minor`, with tax, in proportion from `rows`, which hold at least as much.

    Whole cents go by the largest remainder. No row gives more than it has, and all of them give all that they have
    when that is asked for.
    """
    whole = [row.taxable_minor + row.tax_minor for row in rows]
    shares = _shares(whole, amount_minor)
    taken = [_part(row, share) for row, share in zip(rows, shares, strict=True)]
    left = [
        row.model_copy(
            update={
                "taxable_minor": row.taxable_minor - gone.taxable_minor,
                "tax_minor": row.tax_minor - gone.tax_minor,
            }
        )
        for row, gone in zip(rows, taken, strict=True)
    ]
    return _Split(taken=taken, left=left)


def _shares(whole: Sequence[int], amount: int) -> list[int]:
    """`amount` in proportion to `whole`, in whole units."""
    total = sum(whole)
    shares = [amount * part // total for part in whole]
    remainders = sorted(range(len(whole)), key=lambda index: (-(amount * whole[index] % total), index))
    for index in remainders[: amount - sum(shares)]:
        shares[index] += 1
    return shares


def _part(row: TaxRow, share: int) -> TaxRow:
    """`share` of a row, with tax: the tax in it is rounded half-up, and the rest is what was taxed."""
    whole = row.taxable_minor + row.tax_minor
    tax = (2 * share * row.tax_minor + whole) // (2 * whole) if whole else 0
    return row.model_copy(update={"taxable_minor": share - tax, "tax_minor": tax})


class CreditNotes:
    """The credit notes of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller, *, company: Company, series: Series) -> None:
        self._unit = unit
        self._tenant = caller.tenant
        self._company = company
        self._series = series

    def add(self, request: CreditNoteRequest, invoice: Invoice) -> CreditNote:
        """Issue a credit note under the next number of the year. `invoice` has at least that much left.

        Raises:
            StaleVersion: somebody changed the invoice meanwhile.
        """
        key = {"tenant": self._tenant, "reference": request.invoice_reference}
        split = taken_back(self._left(invoice, key), request.amount_minor)
        credit = {**key, "amount_minor": request.amount_minor, "version": int(invoice.version)}
        if not self._unit.execute(_CREDIT, {**credit, "today": self._company.today.isoformat()}):
            raise StaleVersion
        note = self._note(request, invoice, split)
        self._unit.execute(_INSERT, self._row(request, note, key=key, split=split))
        return note

    def _left(self, invoice: Invoice, key: dict[str, str]) -> list[TaxRow]:
        row = self._unit.row(_LEFT, key)
        return invoice.taxes if row is None else _TAX_ROWS.validate_json(row["left_taxes"])

    def _note(self, request: CreditNoteRequest, invoice: Invoice, split: _Split) -> CreditNote:
        series = f"CN-{self._company.today.year}"
        return CreditNote(
            credit_note_reference=f"{series}-{self._series.take(series):04}",
            invoice_reference=invoice.invoice_reference,
            customer_reference=invoice.customer_reference,
            issued_on=self._company.today,
            currency=invoice.currency,
            amount_minor=request.amount_minor,
            without_tax_minor=sum(row.taxable_minor for row in split.taken),
            taxes=[Credited.of(row) for row in split.taken],
            left_minor=sum(row.taxable_minor + row.tax_minor for row in split.left),
            invoice_version=str(int(invoice.version) + 1),
        )

    def _row(
        self, request: CreditNoteRequest, note: CreditNote, *, key: dict[str, str], split: _Split
    ) -> dict[str, object]:
        found = self._unit.rows(_DRAFT_REFERENCE, key)
        return {
            "tenant": self._tenant,
            "credit_note_reference": note.credit_note_reference,
            "draft_reference": found[0]["draft_reference"],
            "currency": note.currency,
            "amount_minor": note.amount_minor,
            "without_tax_minor": note.without_tax_minor,
            "issued_on": note.issued_on.isoformat(),
            "issued_ms": self._company.now_ms,
            "reason": request.reason,
            "taxes": _TAX_ROWS.dump_json(split.taken, exclude_none=True).decode(),
            "left_taxes": _TAX_ROWS.dump_json(split.left, exclude_none=True).decode(),
            "invoice_version": int(note.invoice_version),
        }


catalog.provide(CreditNotes)


@catalog.tool(
    name="credit_note_create",
    version="1.0",
    does="Issue a credit note: an amount of an issued invoice is taken back",
    use_when="an issued invoice is wrong, or the user grants a reduction",
    not_for="drafts (invoice_update_draft) or paying money back (payment_plan_refund)",
    effect=Create(),
    missing=UnknownInvoice,
    faults=[CreditExceedsInvoice, OtherCurrency],
    needs={"invoices:write"},
    toolsets={"invoices"},
    returns="Returns credit_note_reference, taxes and what is left of the invoice",
    says="{credit_note_reference} issued: {amount_minor} minor units of {currency} of {invoice_reference}",
)
def credit_note_create(request: CreditNoteRequest, *, invoices: Invoices, notes: CreditNotes) -> CreditNote:
    """Issue it. Several notes on one invoice never take back more than it came to."""
    invoices.require("credit_note_create", request.invoice_reference)
    invoice = invoices.get(request.invoice_reference)
    if invoice is None:
        raise UnknownInvoice
    if request.currency != invoice.currency:
        raise OtherCurrency(f"The invoice is in {invoice.currency}", at="/currency", expected=invoice.currency)
    left = invoice.totals.with_tax_minor - invoice.credited_minor
    if request.amount_minor > left:
        raise CreditExceedsInvoice(
            f"What is left of the invoice is {in_words(left, invoice.currency)}",
            at="/amount_minor",
            expected=f"at most {left}",
        )
    return notes.add(request, invoice)
