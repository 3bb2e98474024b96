"""What an invoice prints: the figures of `billing.reckoning` in minor units, beside the words of the order. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from billing import arithmetic
from billing.arithmetic import Vat, breakdown, line_net, to_minor
from billing.arithmetic.exact import plain
from billing.invoice_model import (
    AnyAdjustment,
    Document,
    DocumentAdjustment,
    DraftLine,
    DraftRequest,
    InvoiceLine,
    LineAdjustment,
    TaxRow,
    Totals,
)
from billing.reckoning import Reckoned

__all__ = ["document_of", "payable_minor"]

_Minor = Callable[[Decimal], int]


def document_of(request: DraftRequest, reckoned: Reckoned) -> Document:
    """The document of the invoice that was ordered as `request` and came to `reckoned`."""
    invoice = reckoned.invoice
    minor = partial(to_minor, currency=request.currency)
    return Document(
        operation_type=request.operation_type,
        irpf_rate=request.irpf_rate,
        supplied_at=request.supplied_at,
        lines=[_line(ordered, line, minor) for ordered, line in zip(request.lines, invoice.lines, strict=True)],
        adjustments=[
            DocumentAdjustment(
                kind=ordered.kind,
                reason=ordered.reason,
                amount_minor=minor(adjustment.amount),
                category=adjustment.vat.category,
                percent=_percent(adjustment.vat),
            )
            for ordered, adjustment in zip(request.adjustments, invoice.adjustments, strict=True)
        ],
        taxes=_taxes(reckoned, minor),
        totals=_totals(invoice, minor),
    )


def payable_minor(request: DraftRequest, reckoned: Reckoned) -> int:
    """What the customer pays, in minor units of the invoice's currency."""
    return to_minor(arithmetic.totals(reckoned.invoice).payable, request.currency)


def _line(ordered: DraftLine, line: arithmetic.Line, minor: _Minor) -> InvoiceLine:
    return InvoiceLine(
        description=ordered.description,
        quantity=ordered.quantity,
        unit_price=ordered.unit_price,
        base_quantity=ordered.base_quantity,
        category=line.vat.category,
        percent=_percent(line.vat),
        adjustments=_adjustments(ordered.adjustments, line.adjustments, minor),
        net_minor=minor(line_net(line)),
    )


def _adjustments(
    ordered: Sequence[AnyAdjustment], computed: Sequence[arithmetic.Adjustment], minor: _Minor
) -> list[LineAdjustment]:
    return [
        LineAdjustment(kind=order.kind, reason=order.reason, amount_minor=minor(adjustment.amount))
        for order, adjustment in zip(ordered, computed, strict=True)
    ]


def _taxes(reckoned: Reckoned, minor: _Minor) -> list[TaxRow]:
    return [
        TaxRow(
            category=group.vat.category,
            percent=_percent(group.vat),
            taxable_minor=minor(group.taxable),
            tax_minor=minor(group.tax),
            mention=reckoned.mentions[group.vat],
        )
        for group in breakdown(reckoned.invoice)
    ]


def _totals(invoice: arithmetic.Invoice, minor: _Minor) -> Totals:
    sums = arithmetic.totals(invoice)
    return Totals(
        lines_minor=minor(sums.line_total),
        allowances_minor=_minor_or_zero(sums.allowances, minor),
        charges_minor=_minor_or_zero(sums.charges, minor),
        without_tax_minor=minor(sums.without_vat),
        tax_minor=minor(sums.vat_total),
        with_tax_minor=minor(sums.with_vat),
        withheld_minor=_minor_or_zero(sums.withheld, minor),
        prepaid_minor=_minor_or_zero(sums.prepaid, minor),
    )


def _minor_or_zero(amount: Decimal | None, minor: _Minor) -> int:
    return 0 if amount is None else minor(amount)


def _percent(vat: Vat) -> str | None:
    return None if vat.percent is None else plain(vat.percent)
