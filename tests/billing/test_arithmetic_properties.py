"""What holds for every valid invoice."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from billing.arithmetic import Category, Invoice, Line, Vat, recompute, totals
from hypothesis import given
from hypothesis import strategies as st

_CHARGED = [("S", "21"), ("S", "10"), ("S", "5.5"), ("L", "7"), ("L", "0"), ("M", "0.5")]
_UNCHARGED = [("Z", "0"), ("E", "0.0"), ("AE", "0"), ("K", "0"), ("G", "0"), ("O", None)]


def _vat(row: tuple[str, str | None]) -> dict[str, Any]:
    category, percent = row
    return {"vat_category": category, "vat_percent": percent}


_VAT = st.sampled_from([*_CHARGED, *_UNCHARGED]).map(_vat)


def _figures(low: str, high: str, *, places: int) -> st.SearchStrategy[str]:
    return st.decimals(Decimal(low), Decimal(high), places=places, allow_nan=False).map(lambda each: format(each, "f"))


_AMOUNTS = _figures("-9999999.99", "9999999.99", places=2)


@st.composite
def _adjustments(draw: st.DrawFn) -> dict[str, Any]:
    return {"charge": draw(st.booleans()), "amount": draw(_AMOUNTS), "percent": None, "base": None}


@st.composite
def _document_adjustments(draw: st.DrawFn) -> dict[str, Any]:
    return {**draw(_adjustments()), **draw(_VAT)}


@st.composite
def _lines(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "quantity": draw(_figures("-99999", "99999", places=4)),
        "net_price": draw(_figures("0", "999999", places=6)),
        "price_base_quantity": draw(st.none() | _figures("0.001", "1000", places=3)),
        "allowances_charges": draw(st.lists(_adjustments(), max_size=3)),
        **draw(_VAT),
    }


_ENTRIES = st.fixed_dictionaries(
    {
        "currency": st.sampled_from(["EUR", "USD", "GBP", "DKK", "SEK", "NOK", "CNY"]),
        "lines": st.lists(_lines(), min_size=1, max_size=6),
        "document_allowances_charges": st.lists(_document_adjustments(), max_size=4),
        "prepaid": st.none() | _AMOUNTS,
        "rounding": st.none() | _figures("-0.99", "0.99", places=2),
    }
)


def _half_up(value: Fraction) -> Fraction:
    cents = int(abs(value) * 100 + Fraction(1, 2))
    return Fraction(cents if value >= 0 else -cents, 100)


def _number(text: str | None) -> Fraction:
    return Fraction(text or "0")


def _effect(adjustment: dict[str, Any]) -> Fraction:
    return Fraction(adjustment["amount"]) * (1 if adjustment["charge"] else -1)


def _net(line: dict[str, Any]) -> Fraction:
    price = Fraction(line["quantity"]) * Fraction(line["net_price"]) / Fraction(line["price_base_quantity"] or "1")
    return _half_up(price) + sum(map(_effect, line["allowances_charges"]))


@given(entry=_ENTRIES)
def test_lines_and_groups_agree_with_rational_numbers(entry: dict[str, Any]) -> None:
    """A15: computed a second time without decimals, contexts or the product's code."""
    result = recompute(entry)
    taxed: dict[tuple[str, Fraction], Fraction] = {}
    for line in entry["lines"]:
        key = (line["vat_category"], _number(line["vat_percent"]))
        taxed[key] = taxed.get(key, Fraction()) + _net(line)
    for adjustment in entry["document_allowances_charges"]:
        key = (adjustment["vat_category"], _number(adjustment["vat_percent"]))
        taxed[key] = taxed.get(key, Fraction()) + _effect(adjustment)

    assert [Fraction(net) for net in result["line_nets"]] == [_net(line) for line in entry["lines"]]
    assert {
        (group["category"], _number(group["percent"])): (Fraction(group["taxable"]), Fraction(group["vat"]))
        for group in result["vat_breakdown"]
    } == {key: (base, _half_up(base * key[1] / 100)) for key, base in taxed.items()}


@given(entry=_ENTRIES)
def test_the_totals_add_up(entry: dict[str, Any]) -> None:
    """A15: BR-CO-10 to BR-CO-16; the amounts taxed in groups are the amount without VAT."""
    result = recompute(entry)
    totals = result["totals"]
    without_vat, with_vat = Fraction(totals["without_vat"]), Fraction(totals["with_vat"])

    assert Fraction(totals["line_total"]) == sum(map(Fraction, result["line_nets"]))
    assert without_vat == sum((Fraction(group["taxable"]) for group in result["vat_breakdown"]), Fraction())
    assert without_vat == (Fraction(totals["line_total"]) - _number(totals["allowances"]) + _number(totals["charges"]))
    assert Fraction(result["vat_total"]) == sum(Fraction(group["vat"]) for group in result["vat_breakdown"])
    assert with_vat == without_vat + Fraction(result["vat_total"])
    assert Fraction(totals["payable"]) == with_vat - _number(entry["prepaid"]) + _number(entry["rounding"])


@given(entry=_ENTRIES, data=st.data())
def test_the_order_of_lines_and_adjustments_does_not_matter(entry: dict[str, Any], data: st.DataObject) -> None:
    """A15: the sum of lines is the total, and the breakdown the same, whatever the order."""
    shuffled = {
        **entry,
        "lines": data.draw(st.permutations(entry["lines"])),
        "document_allowances_charges": data.draw(st.permutations(entry["document_allowances_charges"])),
    }
    before, after = recompute(entry), recompute(shuffled)

    assert {**after, "line_nets": sorted(after["line_nets"])} == {**before, "line_nets": sorted(before["line_nets"])}


@given(entry=_ENTRIES, adjustment=_document_adjustments(), part=_AMOUNTS)
def test_an_allowance_in_two_parts_is_the_same_as_in_one(
    entry: dict[str, Any], adjustment: dict[str, Any], part: str
) -> None:
    """A15: document allowances and charges are summed before they are taxed."""
    rest = str(Decimal(adjustment["amount"]) - Decimal(part))
    whole = {**entry, "document_allowances_charges": [*entry["document_allowances_charges"], adjustment]}
    parts = [{**adjustment, "amount": part}, {**adjustment, "amount": rest}]
    split = {**entry, "document_allowances_charges": [*entry["document_allowances_charges"], *parts]}

    assert recompute(split) == recompute(whole)


@given(entry=_ENTRIES)
def test_the_same_entry_gives_the_same_bytes_and_is_left_alone(entry: dict[str, Any]) -> None:
    """A15: twice, the second time under a context of three digits."""
    untouched = copy.deepcopy(entry)
    first = json.dumps(recompute(entry))
    with localcontext(prec=3):
        second = json.dumps(recompute(entry))

    assert (second, entry) == (first, untouched)


@given(entry=_ENTRIES)
def test_a_credit_of_everything_is_the_invoice_with_its_signs_turned(entry: dict[str, Any]) -> None:
    """A15: half-up is away from zero on both sides, so that a credit note cancels its invoice to the cent."""
    credit = copy.deepcopy(entry)
    adjustments = [each for line in credit["lines"] for each in line["allowances_charges"]]
    for fields, name in [
        *((line, "quantity") for line in credit["lines"]),
        *((each, "amount") for each in (*adjustments, *credit["document_allowances_charges"])),
        (credit, "prepaid"),
        (credit, "rounding"),
    ]:
        if fields[name] is not None:
            fields[name] = format(Decimal(fields[name]).copy_negate(), "f")
    payable, credited = recompute(entry)["totals"]["payable"], recompute(credit)["totals"]["payable"]

    assert Fraction(credited) == -Fraction(payable)


_PERCENTS = st.decimals(0, 100, places=2)
_CENTS = st.decimals(Decimal("-99999.99"), Decimal("99999.99"), places=2)


@given(price=_PERCENTS, quantity=_CENTS, percent=_PERCENTS, prepaid=_CENTS, rounding=_CENTS)
def test_withholding_lowers_what_is_payable_and_nothing_else(
    *, price: Decimal, quantity: Decimal, percent: Decimal, prepaid: Decimal, rounding: Decimal
) -> None:
    """A15, C3: payable is the total with tax, less prepaid, plus rounding, less what is withheld of the net."""
    vat = Vat(category=Category.STANDARD, percent=Decimal(21))
    line = Line(quantity=quantity, net_price=price, vat=vat)
    free = Invoice(lines=(line,), prepaid=prepaid, rounding=rounding)
    plain, withheld = totals(free), totals(replace(free, withholding_percent=percent))

    assert withheld.withheld is not None
    assert Fraction(withheld.withheld) == _half_up(Fraction(plain.without_vat) * Fraction(percent) / 100)
    assert withheld.payable == plain.payable - withheld.withheld
    assert plain.payable == plain.with_vat - prepaid + rounding
    assert replace(withheld, withheld=None, payable=plain.payable) == plain
