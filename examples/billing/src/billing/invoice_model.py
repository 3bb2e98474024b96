"""What an invoice says, as models: the order for a draft, and the document that comes of it. Owns no rule and no store.

Amounts are integers in minor units of the invoice's currency. A price is a decimal in units of the currency, because
it may need parts of a cent; what is computed from it is rounded once, half-up, by `billing.arithmetic`.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field

from billing.arithmetic import Category
from billing.customers import CustomerReference
from billing.invoice_states import Action, State
from billing.money import Amount, DecimalPrice, InvoiceCurrency, Percent
from billing.tax import Operation, Rate
from fourfold import Input, Offer, Output, Subject

__all__ = [
    "AnyAdjustment",
    "AnyDocumentAdjustment",
    "Credited",
    "Document",
    "DocumentAdjustment",
    "DocumentAdjustmentByAmount",
    "DocumentAdjustmentByPercent",
    "DraftChange",
    "DraftDeleted",
    "DraftLine",
    "DraftRequest",
    "Invoice",
    "InvoiceHead",
    "InvoiceKey",
    "InvoiceLine",
    "InvoiceReference",
    "InvoiceSaved",
    "InvoiceStatus",
    "LineAdjustment",
    "LineAdjustmentByAmount",
    "LineAdjustmentByPercent",
    "TaxRow",
    "Totals",
    "UnpaidStatus",
    "status_on",
]

UnpaidStatus = Literal["open", "overdue"]
"""`open`: not paid, and due today or later. `overdue`: not paid, and due before today. The two do not overlap."""

InvoiceStatus = Literal["open", "overdue", "paid"]
"""How a final invoice stands; a draft stands nowhere. It follows from payment and due date, and nobody sets it."""

InvoiceReference = Annotated[
    str,
    Field(
        pattern=r"^(INV-\d{4}-(\d{4}|[1-9]\d{4,7})|DRAFT-\d{6,9})$",
        examples=["INV-2026-0042", "DRAFT-000007"],
    ),
]
_Version = Annotated[str, Field(min_length=1, max_length=64)]
_Reason = Annotated[str, Field(min_length=1, max_length=100)]
_Quantity = Annotated[Decimal, Field(gt=0, max_digits=12, decimal_places=4)]

_Kind = Literal["allowance", "charge"]
_Description = Annotated[str, Field(min_length=1, max_length=200)]
_BaseQuantity = Annotated[int, Field(ge=1, le=1_000_000)]
_Rate = Annotated[Rate, Field(description="How the law of the seller's place rates it; without effect elsewhere.")]


class _Adjustment(Input):
    """What an allowance and a charge have in common. An allowance lowers the price."""

    kind: _Kind
    reason: _Reason


class LineAdjustmentByAmount(_Adjustment):
    """An allowance or a charge on a line, as an amount."""

    by: Literal["amount"]
    amount_minor: Amount


class LineAdjustmentByPercent(_Adjustment):
    """An allowance or a charge on a line, in percent of quantity times price."""

    by: Literal["percent"]
    percent: Percent


class DocumentAdjustmentByAmount(LineAdjustmentByAmount):
    """An allowance or a charge on the whole invoice, as an amount. It is taxed as what it belongs to."""

    tax_rate: _Rate


class DocumentAdjustmentByPercent(LineAdjustmentByPercent):
    """An allowance or a charge in percent of the lines that are taxed like it."""

    tax_rate: _Rate


AnyAdjustment = Annotated[LineAdjustmentByAmount | LineAdjustmentByPercent, Field(discriminator="by")]
AnyDocumentAdjustment = Annotated[DocumentAdjustmentByAmount | DocumentAdjustmentByPercent, Field(discriminator="by")]


class DraftLine(Input):
    """One line of an invoice.

    The price is an offer: a line names no article that would have a list price, and it obliges nobody until somebody
    has read the draft and finalizes it.
    """

    description: _Description
    quantity: Annotated[_Quantity, Field(description="Above 0.")]
    unit_price: Annotated[
        Offer[DecimalPrice], Field(description="In units of the currency and not in cents, such as 12.5, before tax.")
    ]
    base_quantity: Annotated[_BaseQuantity, Field(description="Pieces that unit_price is for.")] = 1
    tax_rate: _Rate
    adjustments: Annotated[list[AnyAdjustment], Field(max_length=5)] = []  # noqa: RUF012  pydantic copies it


class DraftRequest(Input):
    """An invoice to draft. Where the customer is comes from the books, the day of issue with finalizing."""

    customer_reference: Annotated[CustomerReference, Subject()]
    operation_type: Operation
    currency: InvoiceCurrency
    due_on: date
    supplied_at: Annotated[
        AwareDatetime | None, Field(description="Leave out when it is supplied on the day of issue.")
    ] = None
    irpf_rate: Annotated[Percent, Field(description="Income tax that the customer withholds, in percent.")] = "0"
    lines: Annotated[list[DraftLine], Field(min_length=1, max_length=200)]
    adjustments: Annotated[list[AnyDocumentAdjustment], Field(max_length=20)] = []  # noqa: RUF012  pydantic copies it
    prepaid_minor: Annotated[Amount, Field(description="Paid already.")] = 0


class DraftChange(DraftRequest):
    """What a draft is to say from now on: all of it, and not only what is different."""

    invoice_reference: InvoiceReference


class InvoiceKey(Input):
    """Which invoice. A draft's reference stays good for the invoice that it becomes."""

    invoice_reference: InvoiceReference


class _Taxed(Output):
    """How something is taxed."""

    category: Annotated[Category, Field(description="UNCL5305: S is IVA, L IGIC; E, AE, K, G and O charge nothing.")]
    percent: Annotated[
        str | None, Field(pattern=r"^\d{1,3}(\.\d{1,2})?$", description="Absent where there is no rate.")
    ] = None


class LineAdjustment(Output):
    """An allowance or a charge on a line, as it was computed."""

    kind: _Kind
    reason: _Reason
    amount_minor: Amount


class DocumentAdjustment(LineAdjustment, _Taxed):
    """An allowance or a charge on the whole invoice, as it was computed."""


class InvoiceLine(_Taxed):
    """One line with its net amount: quantity times price by base quantity, with its allowances and charges."""

    description: _Description
    quantity: _Quantity
    unit_price: DecimalPrice
    base_quantity: _BaseQuantity
    adjustments: Annotated[list[LineAdjustment], Field(max_length=5)]
    net_minor: Amount


class TaxRow(_Taxed):
    """What is taxed alike, and the tax on it."""

    taxable_minor: Amount
    tax_minor: Amount
    mention: Annotated[str | None, Field(max_length=200, description="What the invoice says in place of a tax.")] = None


class Credited(_Taxed):
    """What is taken back of what an invoice taxes alike."""

    taxable_minor: Amount
    tax_minor: Amount

    @classmethod
    def of(cls, row: TaxRow) -> Self:
        """That part of a row, without what the invoice says in place of a tax."""
        return cls(category=row.category, percent=row.percent, taxable_minor=row.taxable_minor, tax_minor=row.tax_minor)


class Totals(Output):
    """The totals: lines, less allowances and plus charges, plus tax. What is payable stands beside them."""

    lines_minor: Amount
    allowances_minor: Amount
    charges_minor: Amount
    without_tax_minor: Amount
    tax_minor: Amount
    with_tax_minor: Amount
    withheld_minor: Amount
    prepaid_minor: Amount


class Document(Output):
    """What is computed once, when the draft is made, and printed ever after."""

    operation_type: Operation
    irpf_rate: Percent
    supplied_at: AwareDatetime | None = None
    lines: Annotated[list[InvoiceLine], Field(max_length=200)]
    adjustments: Annotated[list[DocumentAdjustment], Field(max_length=20)]
    taxes: Annotated[list[TaxRow], Field(max_length=9)]
    totals: Totals


class InvoiceHead(Output):
    """How an invoice is known and how it stands. `version` changes with every change of it."""

    invoice_reference: InvoiceReference
    state: State
    status: InvoiceStatus | None = None
    version: _Version
    allowed_actions: Annotated[list[Action], Field(max_length=10, description="Tools that may be called on it now.")]
    customer_reference: Annotated[CustomerReference, Subject()]
    customer_name: Annotated[str, Field(max_length=120)]
    issued_on: date | None = None
    due_on: date
    currency: InvoiceCurrency
    amount_minor: Annotated[Amount, Field(description="What is payable: with tax, less withheld and prepaid.")]
    credited_minor: Annotated[Amount, Field(description="Taken back by credit notes, with tax.")]
    sent_on: Annotated[date | None, Field(description="When it was last mailed.")] = None


class InvoiceSaved(InvoiceHead):
    """An invoice after a write."""

    totals: Totals


class DraftDeleted(Output):
    """A draft that is gone."""

    invoice_reference: InvoiceReference
    customer_reference: Annotated[CustomerReference, Subject()]


class Invoice(Document, InvoiceHead):
    """One invoice, draft or final."""


def status_on(today: date, *, due_on: date, is_paid: bool) -> InvoiceStatus:
    """How a final invoice stands on that day."""
    if is_paid:
        return "paid"
    return "overdue" if due_on < today else "open"
