"""Published invoices in, their totals out: JSON-like objects whose figures are decimal strings. Owns no rule.

An error is a `ValueError` whose text begins with the place of the fault, such as `lines.0.quantity`. It never repeats
what stood there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from typing import TypedDict, TypeVar, cast

from billing.arithmetic.currency import DECIMAL_PLACES
from billing.arithmetic.exact import percentage, plain
from billing.arithmetic.invoice import (
    Adjustment,
    Category,
    DocumentAdjustment,
    Invoice,
    Line,
    Vat,
    VatGroup,
    breakdown,
    line_net,
    totals,
)

__all__ = ["Recomputed", "TotalsRow", "VatRow", "recompute"]

_Fields = Mapping[str, object]
_T = TypeVar("_T")

_FIGURE = re.compile(r"-?[0-9]{1,15}(?:\.([0-9]+))?")


class VatRow(TypedDict):
    """A row of the VAT breakdown. `percent` is `None` for what is not subject to VAT."""

    taxable: str
    vat: str
    category: str
    percent: str | None


class TotalsRow(TypedDict):
    """The totals. `None` where the invoice has nothing of the kind."""

    line_total: str
    allowances: str | None
    charges: str | None
    without_vat: str
    with_vat: str
    prepaid: str | None
    rounding: str | None
    payable: str


class Recomputed(TypedDict):
    """What follows from an entry. Amounts have two places, percentages no more than they need."""

    line_nets: list[str]
    vat_breakdown: list[VatRow]
    vat_total: str
    totals: TotalsRow


def recompute(entry: Mapping[str, object]) -> Recomputed:
    """The results of an invoice that is given as its figures.

    Args:
        entry: `currency`, `lines`, `document_allowances_charges`, and `prepaid` and `rounding`, which may stand in
            `totals` instead. Figures are strings of up to 15 digits and 10 places, amounts of 2 places. What else
            there is, such as results that were published, is not read.

    Raises:
        ValueError: for a field that is missing, of another type or out of its range; its text names the place.
    """
    invoice = _invoice(_fields(entry, "entry"))
    result = totals(invoice)
    return {
        "line_nets": [str(line_net(line)) for line in invoice.lines],
        "vat_breakdown": [_vat_row(group) for group in breakdown(invoice)],
        "vat_total": str(result.vat_total),
        "totals": {
            "line_total": str(result.line_total),
            "allowances": _text(result.allowances),
            "charges": _text(result.charges),
            "without_vat": str(result.without_vat),
            "with_vat": str(result.with_vat),
            "prepaid": _text(result.prepaid),
            "rounding": _text(result.rounding),
            "payable": str(result.payable),
        },
    }


def _vat_row(group: VatGroup) -> VatRow:
    percent = group.vat.percent
    return {
        "taxable": str(group.taxable),
        "vat": str(group.tax),
        "category": group.vat.category.value,
        "percent": None if percent is None else plain(percent),
    }


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _invoice(entry: _Fields) -> Invoice:
    _word(entry, "currency", DECIMAL_PLACES)
    prepaid, rounding = _placed("totals", _paid, entry["totals"]) if "totals" in entry else _paid(entry)
    return Invoice(
        lines=_each(entry, "lines", _line),
        adjustments=_each(entry, "document_allowances_charges", _document_adjustment),
        prepaid=prepaid,
        rounding=rounding,
    )


def _paid(fields: _Fields) -> tuple[Decimal | None, Decimal | None]:
    return _figure_or_none(fields, "prepaid", places=2), _figure_or_none(fields, "rounding", places=2)


def _line(fields: _Fields) -> Line:
    base_quantity = _figure_or_none(fields, "price_base_quantity")
    return Line(
        quantity=_figure(fields, "quantity"),
        net_price=_figure(fields, "net_price"),
        base_quantity=Decimal(1) if base_quantity is None else base_quantity,
        adjustments=_each(fields, "allowances_charges", _adjustment),
        vat=_vat(fields),
    )


def _adjustment(fields: _Fields) -> Adjustment:
    return Adjustment(charge=_flag(fields, "charge"), amount=_amount(fields))


def _document_adjustment(fields: _Fields) -> DocumentAdjustment:
    return DocumentAdjustment(charge=_flag(fields, "charge"), amount=_amount(fields), vat=_vat(fields))


def _amount(fields: _Fields) -> Decimal:
    """The amount of an allowance or a charge, which its percentage of a base must agree with (PEPPOL-EN16931-R040)."""
    amount = _figure(fields, "amount", places=2)
    percent, base = _figure_or_none(fields, "percent"), _figure_or_none(fields, "base", places=2)
    if (percent is None) is not (base is None):
        raise ValueError("percent: must stand with base, or neither of them")
    if percent is not None and base is not None and amount != percentage(base, percent):
        raise ValueError("amount: must be percent of base, rounded half-up to 2 places")
    return amount


def _vat(fields: _Fields) -> Vat:
    category = Category(_word(fields, "vat_category", tuple(Category)))
    return Vat(category=category, percent=_figure_or_none(fields, "vat_percent"))


def _value(fields: _Fields, name: str) -> object:
    if name not in fields:
        raise ValueError(f"{name}: is missing")
    return fields[name]


def _figure_or_none(fields: _Fields, name: str, *, places: int = 10) -> Decimal | None:
    return None if _value(fields, name) is None else _figure(fields, name, places=places)


def _figure(fields: _Fields, name: str, *, places: int = 10) -> Decimal:
    text = _value(fields, name)
    found = _FIGURE.fullmatch(text) if isinstance(text, str) else None
    if found is None or len(found[1] or "") > places:
        raise ValueError(f'{name}: must be a string of up to 15 digits and {places} places, such as "12.5"')
    return Decimal(found[0])


def _word(fields: _Fields, name: str, known: Collection[str]) -> str:
    word = _value(fields, name)
    if not isinstance(word, str) or word not in known:
        raise ValueError(f"{name}: must be one of {', '.join(known)}")
    return word


def _flag(fields: _Fields, name: str) -> bool:
    match _value(fields, name):
        case bool(flag):
            return flag
        case _:
            raise ValueError(f"{name}: must be true or false")


def _fields(value: object, place: str) -> _Fields:
    match value:
        case Mapping():
            return cast("_Fields", value)
        case _:
            raise ValueError(f"{place}: must be an object")


def _each(fields: _Fields, name: str, read: Callable[[_Fields], _T]) -> tuple[_T, ...]:
    items = _value(fields, name)
    match items:
        case list() | tuple():
            listed = cast("Sequence[object]", items)
            return tuple(_placed(f"{name}.{index}", read, item) for index, item in enumerate(listed))
        case _:
            raise ValueError(f"{name}: must be a list")


def _placed(place: str, read: Callable[[_Fields], _T], item: object) -> _T:
    fields = _fields(item, place)
    try:
        return read(fields)
    except ValueError as error:
        raise ValueError(f"{place}.{error}") from error
