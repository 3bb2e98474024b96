"""An invoice as figures, and the rules of EN 16931 that make its totals. Owns no texts, parties or dates.

Each figure that is printed is rounded once, half-up to two places; what is added up from such figures is exact.
The rules are named where they are applied: BR-* of EN 16931-1, and PEPPOL-* of Peppol BIS Billing 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from billing.arithmetic.exact import (
    ZERO,
    percentage,
    plain,
    product,
    quotient,
    require_amounts,
    require_figures,
    total,
)

__all__ = [
    "Adjustment",
    "Category",
    "DocumentAdjustment",
    "Invoice",
    "Line",
    "Totals",
    "Vat",
    "VatGroup",
    "breakdown",
    "line_net",
    "totals",
]


class Category(StrEnum):
    """How VAT treats an item: the codes of UNCL5305 that EN 16931 allows (BR-CL-17), without Italy's B."""

    STANDARD = "S"
    ZERO_RATED = "Z"
    EXEMPT = "E"
    REVERSE_CHARGE = "AE"
    INTRA_COMMUNITY = "K"
    EXPORT = "G"
    IGIC = "L"
    IPSI = "M"
    NOT_SUBJECT = "O"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vat:
    """Category and rate; what has the same is taxed as one amount. `Decimal("25")` and `Decimal("25.0")` are the same.

    Attributes:
        category: how the item is taxed.
        percent: above 0 for S, 0 or more for L and M, `None` for O, and 0 for the others (BR-S-05, BR-AF-05 and so on).

    Raises:
        ValueError: when the percent does not go with the category.
    """

    category: Category
    percent: Decimal | None

    def __post_init__(self) -> None:
        if self.percent is not None:
            require_figures(vat_percent=self.percent)
        if not self._has_its_percent():
            raise ValueError(
                "vat_percent: must be over 0 for S, from 0 for L and M, null for O, 0 for others, and at most 100"
            )

    def _has_its_percent(self) -> bool:
        if self.percent is None or self.category is Category.NOT_SUBJECT:
            return self.percent is None and self.category is Category.NOT_SUBJECT
        match self.category:
            case Category.STANDARD:
                return 0 < self.percent <= 100
            case Category.IGIC | Category.IPSI:
                return 0 <= self.percent <= 100
            case _:
                return self.percent == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """An allowance, or a charge, without VAT.

    Attributes:
        charge: whether it adds to the price.
        amount: of at most two places. It may be negative, as when an invoice corrects another.
    """

    charge: bool
    amount: Decimal

    def __post_init__(self) -> None:
        require_amounts(amount=self.amount)

    @property
    def effect(self) -> Decimal:
        """What it adds to the net amount: negative for an allowance."""
        return self.amount if self.charge else self.amount.copy_negate()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAdjustment(Adjustment):
    """An allowance or a charge on the whole invoice. It is taxed as what it belongs to, so it names its VAT."""

    vat: Vat


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of an invoice.

    Attributes:
        quantity: negative where something is given back, or zero.
        net_price: of `base_quantity` items, discounts already taken off (PEPPOL-EN16931-R046).
        vat: how it is taxed.
        base_quantity: how many items the price is for.
        adjustments: allowances and charges on the line.

    Raises:
        ValueError: for a negative price (BR-27), or a base quantity that is not above zero (PEPPOL-EN16931-R121).
    """

    quantity: Decimal
    net_price: Decimal
    vat: Vat
    base_quantity: Decimal = Decimal(1)
    adjustments: tuple[Adjustment, ...] = ()

    def __post_init__(self) -> None:
        require_figures(quantity=self.quantity, net_price=self.net_price, price_base_quantity=self.base_quantity)
        if self.net_price < 0:
            raise ValueError("net_price: must not be negative")
        if self.base_quantity <= 0:
            raise ValueError("price_base_quantity: must be over 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """What the totals follow from.

    Attributes:
        lines: at least one (BR-16).
        adjustments: allowances and charges on the whole invoice.
        prepaid: what was paid already.
        rounding: what is added so that a round sum is payable.
        withholding_percent: share of the amount without VAT that the customer pays to the tax office instead of the
            seller (IRPF), 0 to 100. `billing.tax.may_withhold` says when there is one.

    Raises:
        ValueError: for an invoice without lines, or a percentage out of its range.
    """

    lines: tuple[Line, ...]
    adjustments: tuple[DocumentAdjustment, ...] = ()
    prepaid: Decimal | None = None
    rounding: Decimal | None = None
    withholding_percent: Decimal | None = None

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("lines: must hold at least one line")
        require_amounts(prepaid=_or_zero(self.prepaid), rounding=_or_zero(self.rounding))
        require_figures(withholding_percent=_or_zero(self.withholding_percent))
        if not 0 <= _or_zero(self.withholding_percent) <= 100:
            raise ValueError("withholding_percent: must be from 0 to 100")


@dataclass(frozen=True, slots=True, kw_only=True)
class VatGroup:
    """One row of the VAT breakdown: what is taxed alike, and the tax on it."""

    vat: Vat
    taxable: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The totals of an invoice, each of two places. `None`: the invoice has nothing of the kind, which is not zero."""

    line_total: Decimal
    allowances: Decimal | None
    charges: Decimal | None
    without_vat: Decimal
    vat_total: Decimal
    with_vat: Decimal
    prepaid: Decimal | None
    rounding: Decimal | None
    withheld: Decimal | None
    payable: Decimal


def line_net(line: Line) -> Decimal:
    """Quantity times price by base quantity, rounded, plus charges, less allowances (PEPPOL-EN16931-R120).

    The price of the quantity is rounded before allowances are taken off, as Peppol's guide to line amounts says.
    """
    price = quotient(product(line.quantity, line.net_price), line.base_quantity)
    return total([price, *(adjustment.effect for adjustment in line.adjustments)])


def breakdown(invoice: Invoice) -> tuple[VatGroup, ...]:
    """Taxable amount and tax for each category and rate (BR-S-08 and its like, BR-CO-17).

    Sorted by category, then by rate as text, last one first. The standard fixes no order; every published example has
    this one, and so the order of the lines doesn't show.
    """
    taxable: dict[Vat, list[Decimal]] = {}
    for line in invoice.lines:
        taxable.setdefault(line.vat, []).append(line_net(line))
    for adjustment in invoice.adjustments:
        taxable.setdefault(adjustment.vat, []).append(adjustment.effect)
    return tuple(_group(vat, total(taxable[vat])) for vat in sorted(taxable, key=_place, reverse=True))


def totals(invoice: Invoice) -> Totals:
    """The totals of the document (BR-CO-10 to BR-CO-16), and what the customer withholds.

    The withholding is computed on the amount without VAT, like the tax; it lowers what is payable and no other total.
    """
    line_total = total(line_net(line) for line in invoice.lines)
    without_vat = total([line_total, *(adjustment.effect for adjustment in invoice.adjustments)])
    vat_total = total(group.tax for group in breakdown(invoice))
    with_vat = total([without_vat, vat_total])
    withheld = _withheld(without_vat, invoice.withholding_percent)
    taken_off = [_or_zero(invoice.prepaid).copy_negate(), _or_zero(withheld).copy_negate()]
    return Totals(
        line_total=line_total,
        allowances=_sum_of(invoice.adjustments, charge=False),
        charges=_sum_of(invoice.adjustments, charge=True),
        without_vat=without_vat,
        vat_total=vat_total,
        with_vat=with_vat,
        prepaid=_in_cents(invoice.prepaid),
        rounding=_in_cents(invoice.rounding),
        withheld=withheld,
        payable=total([with_vat, _or_zero(invoice.rounding), *taken_off]),
    )


def _group(vat: Vat, taxable: Decimal) -> VatGroup:
    return VatGroup(vat=vat, taxable=taxable, tax=percentage(taxable, _or_zero(vat.percent)))


def _place(vat: Vat) -> tuple[str, str]:
    return vat.category.value, plain(_or_zero(vat.percent))


def _sum_of(adjustments: Sequence[Adjustment], *, charge: bool) -> Decimal | None:
    amounts = [adjustment.amount for adjustment in adjustments if adjustment.charge is charge]
    return total(amounts) if amounts else None


def _withheld(base: Decimal, percent: Decimal | None) -> Decimal | None:
    return None if percent is None else percentage(base, percent)


def _in_cents(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else total([amount])


def _or_zero(figure: Decimal | None) -> Decimal:
    return ZERO if figure is None else figure
