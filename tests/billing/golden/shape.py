"""How published invoices are written down: short rows of literal figures, unfolded to the shape of an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, cast

__all__ = ["Published", "allowance", "charge", "group", "line", "numbers", "published"]

_TOTALS = ("line_total", "allowances", "charges", "without_vat", "with_vat", "prepaid", "rounding", "payable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An invoice that others published: the figures it was made of, and the results that they printed."""

    file: str
    given: dict[str, Any]
    printed: dict[str, Any]


def line(
    quantity: str, price: str, *, net: str, vat: str, per: str | None = None, adjusted: Any = ()
) -> dict[str, Any]:
    """A line; `vat` is the category and the rate, as in `S 25.0`, and `per` the base quantity of the price."""
    return {
        "quantity": quantity,
        "net_price": price,
        "price_base_quantity": per,
        "allowances_charges": list(adjusted),
        "line_net": net,
        **_vat(vat),
    }


def allowance(amount: str, *, of: str = "", vat: str = "") -> dict[str, Any]:
    """An allowance; `of` is the percentage and its base, as in `10 1500.00`."""
    return _adjustment(amount, charge=False, of=of, vat=vat)


def charge(amount: str, *, of: str = "", vat: str = "") -> dict[str, Any]:
    """A charge, written like an allowance."""
    return _adjustment(amount, charge=True, of=of, vat=vat)


def group(vat: str, *, taxable: str, tax: str) -> dict[str, Any]:
    """A row of the VAT breakdown."""
    category, percent = _two(vat)
    return {"taxable": taxable, "vat": tax, "category": category, "percent": percent}


def published(
    file: str,
    *,
    currency: str,
    lines: Sequence[dict[str, Any]],
    adjusted: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]],
    vat_total: str,
    totals: Mapping[str, str],
) -> Published:
    """An invoice, with what it printed apart from what it was made of. A total that isn't named wasn't printed."""
    printed_totals = {name: totals.get(name) for name in _TOTALS}
    given = {
        "currency": currency,
        "lines": [{name: row[name] for name in row if name != "line_net"} for row in lines],
        "document_allowances_charges": list(adjusted),
        "totals": {name: printed_totals[name] for name in ("prepaid", "rounding")},
    }
    printed = {
        "line_nets": [row["line_net"] for row in lines],
        "vat_breakdown": list(groups),
        "vat_total": vat_total,
        "totals": printed_totals,
    }
    return Published(file=file, given=given, printed=printed)


def numbers(value: object) -> object:
    """The same structure with every figure as a number: published ones have as many places as somebody typed."""
    match value:
        case dict():
            return {name: numbers(each) for name, each in cast("dict[str, object]", value).items()}
        case list():
            return [numbers(each) for each in cast("list[object]", value)]
        case str():
            return _number(value)
        case _:
            return value


def _number(text: str) -> Decimal | str:
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _adjustment(amount: str, *, charge: bool, of: str, vat: str) -> dict[str, Any]:
    percent, base = _two(of)
    return {"charge": charge, "amount": amount, "percent": percent, "base": base, **_vat(vat)}


def _vat(text: str) -> dict[str, Any]:
    category, percent = _two(text)
    return {"vat_category": category, "vat_percent": percent}


def _two(text: str) -> tuple[str | None, str | None]:
    first, _, second = text.partition(" ")
    return first or None, second or None
