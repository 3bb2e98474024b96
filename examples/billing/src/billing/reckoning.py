"""From the order for a draft to its figures: `billing.tax` says how each item is taxed, `billing.arithmetic` adds up.

Pure: no store, no caller, no clock. It owns what is refused, and what a percentage is a percentage of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from billing.arithmetic import (
    Adjustment,
    DocumentAdjustment,
    Invoice,
    Line,
    Vat,
    breakdown,
    from_minor,
    line_net,
    totals,
)
from billing.arithmetic.exact import percentage, total
from billing.invoice_model import AnyAdjustment, AnyDocumentAdjustment, DraftLine, DraftRequest, LineAdjustmentByAmount
from billing.money import LARGEST_MINOR
from billing.tax import Operation, Origin, Rate, Treatment, Zone, may_withhold, treatment_of
from fourfold import Fault, Retry

__all__ = ["AmountOutOfRange", "Reckoned", "TaxNotCovered", "WithholdingNotCovered", "reckoned"]


class TaxNotCovered(Fault):
    """The books have no rule for how this is taxed."""

    code, retry = "tax_not_covered", Retry.NEVER
    next_step = "Tell the user; an accountant has to decide about it"


class WithholdingNotCovered(Fault):
    """The books have no rule for income tax withheld on this: they have one for services to customers in Spain."""

    code, retry = "withholding_not_covered", Retry.NEVER
    next_step = "Ask the user whether it is meant; if not, leave irpf_rate out"


class AmountOutOfRange(Fault):
    """A line, a taxable amount or what is payable is below zero or over 10,000,000,000.00."""

    code, retry = "amount_out_of_range", Retry.NEVER
    next_step = "Check quantities, prices, allowances and what is prepaid with the user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """The invoice as figures, and what it says in place of a tax."""

    invoice: Invoice
    mentions: Mapping[Vat, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Supply:
    """What decides about the tax of all items alike."""

    zone: Zone
    operation: Operation
    origin: Origin

    def treatment(self, rate: Rate, *, at: str) -> Treatment:
        try:
            return treatment_of(self.zone, self.operation, rate=rate, origin=self.origin)
        except ValueError as error:
            # The table's own words, which name what it knows; they begin with the argument that it cannot place.
            argument, _, known = str(error).partition(": ")
            raise TaxNotCovered(at=at if argument == "rate" else None, expected=known) from None


def reckoned(request: DraftRequest, *, zone: Zone, origin: Origin) -> Reckoned:
    """Every figure of the invoice that `request` asks for.

    Args:
        request: what is invoiced.
        zone: where the customer is.
        origin: from where the company supplies.

    Raises:
        TaxNotCovered, WithholdingNotCovered, AmountOutOfRange: in this order of precedence.
    """
    supply = _Supply(zone=zone, operation=request.operation_type, origin=origin)
    of_lines = _treatments(request.lines, supply, place="lines")
    of_adjustments = _treatments(request.adjustments, supply, place="adjustments")
    if Decimal(request.irpf_rate) and not may_withhold(zone, request.operation_type):
        raise WithholdingNotCovered(at="/irpf_rate", expected="0")
    lines = [
        _line(ordered, treatment.vat, currency=request.currency)
        for ordered, treatment in zip(request.lines, of_lines, strict=True)
    ]
    adjustments = [
        _document_adjustment(ordered, treatment.vat, lines=lines, currency=request.currency)
        for ordered, treatment in zip(request.adjustments, of_adjustments, strict=True)
    ]
    invoice = Invoice(
        lines=tuple(lines),
        adjustments=tuple(adjustments),
        prepaid=from_minor(request.prepaid_minor, request.currency),
        withholding_percent=Decimal(request.irpf_rate),
    )
    _require_range(invoice, largest=from_minor(LARGEST_MINOR, request.currency))
    mentions = {treatment.vat: treatment.mention for treatment in (*of_lines, *of_adjustments)}
    return Reckoned(invoice=invoice, mentions=mentions)


def _treatments(
    items: Sequence[DraftLine] | Sequence[AnyDocumentAdjustment], supply: _Supply, *, place: str
) -> list[Treatment]:
    return [supply.treatment(each.tax_rate, at=f"/{place}/{index}/tax_rate") for index, each in enumerate(items)]


def _line(ordered: DraftLine, vat: Vat, *, currency: str) -> Line:
    """The line; a percentage is one of quantity times price."""
    plain = Line(
        quantity=ordered.quantity,
        net_price=ordered.unit_price,
        base_quantity=Decimal(ordered.base_quantity),
        vat=vat,
    )
    base = line_net(plain)
    adjustments = tuple(
        Adjustment(charge=each.kind == "charge", amount=_amount(each, base=base, currency=currency))
        for each in ordered.adjustments
    )
    return replace(plain, adjustments=adjustments)


def _document_adjustment(
    ordered: AnyDocumentAdjustment, vat: Vat, *, lines: Sequence[Line], currency: str
) -> DocumentAdjustment:
    """The adjustment; a percentage is one of the lines that are taxed like it, so that no tax moves between rates."""
    base = total(line_net(line) for line in lines if line.vat == vat)
    amount = _amount(ordered, base=base, currency=currency)
    return DocumentAdjustment(charge=ordered.kind == "charge", amount=amount, vat=vat)


def _amount(ordered: AnyAdjustment | AnyDocumentAdjustment, *, base: Decimal, currency: str) -> Decimal:
    if isinstance(ordered, LineAdjustmentByAmount):
        return from_minor(ordered.amount_minor, currency)
    return percentage(base, Decimal(ordered.percent))


def _require_range(invoice: Invoice, *, largest: Decimal) -> None:
    for index, line in enumerate(invoice.lines):
        figures = [line_net(line), *(adjustment.amount for adjustment in line.adjustments)]
        if not all(0 <= figure <= largest for figure in figures):
            raise AmountOutOfRange(at=f"/lines/{index}", expected="a line from 0.00 to 10,000,000,000.00")
    if not all(0 <= figure <= largest for figure in _sums(invoice)):
        raise AmountOutOfRange


def _sums(invoice: Invoice) -> Iterator[Decimal]:
    """The figures of the document that its lines do not bound."""
    sums = totals(invoice)
    yield from (sums.line_total, sums.with_vat, sums.payable)
    yield from (adjustment.amount for adjustment in invoice.adjustments)
    yield from (total_ for total_ in (sums.allowances, sums.charges) if total_ is not None)
    yield from (group.taxable for group in breakdown(invoice))
