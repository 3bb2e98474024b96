"""What `recompute` refuses, and how it says where: the place first, what would be accepted, never what stood there."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from billing.arithmetic import recompute

_ENTRY: dict[str, Any] = {
    "currency": "EUR",
    "lines": [
        {
            "quantity": "1",
            "net_price": "10.00",
            "price_base_quantity": None,
            "allowances_charges": [{"charge": False, "amount": "1.00", "percent": "10", "base": "10.00"}],
            "vat_category": "S",
            "vat_percent": "21",
        },
    ],
    "document_allowances_charges": [
        {"charge": True, "amount": "2", "percent": None, "base": None, "vat_category": "S", "vat_percent": "21"},
    ],
    "prepaid": None,
    "rounding": None,
}

_FIGURE = 'must be a string of up to 15 digits and 10 places, such as "12.5"'
_AMOUNT = 'must be a string of up to 15 digits and 2 places, such as "12.5"'
_CATEGORY = "must be one of S, Z, E, AE, K, G, L, M, O"
_NO_NUMBERS = ["", " 1", "1 ", "1\n", "+1", "1.", ".5", "1,5", "1e3", "0x1", "NaN", "Infinity", "--1", "٣", "1_000"]
_NO_FIGURES: list[object] = [1, 1.5, True, [], {}, b"1", *_NO_NUMBERS, "1" * 16, "1." + "0" * 11]


def _changed(place: str, value: object) -> dict[str, Any]:
    entry = copy.deepcopy(_ENTRY)
    *path, last = place.split(".")
    target: Any = entry
    for step in path:
        target = target[int(step) if step.isdecimal() else step]
    target[last] = value
    return entry


def _without(place: str) -> dict[str, Any]:
    entry = _changed(place, None)
    *path, last = place.split(".")
    target: Any = entry
    for step in path:
        target = target[int(step) if step.isdecimal() else step]
    del target[last]
    return entry


def _refusal_of(entry: Any) -> str:
    with pytest.raises(ValueError, match=":") as caught:
        recompute(entry)
    return str(caught.value)


def test_the_entry_that_the_others_are_made_from_is_accepted() -> None:
    """A15: (10 - 1 + 2) x 1.21 = 13.31."""
    assert recompute(_ENTRY)["totals"]["payable"] == "13.31"


@pytest.mark.parametrize("wrong", [*_NO_FIGURES, None], ids=repr)
@pytest.mark.parametrize("name", ["quantity", "net_price"])
def test_a_figure_is_a_bounded_decimal_string(name: str, wrong: object) -> None:
    """A15, A2: no number, no exponent, no sign but minus, ASCII digits, 15 before the point and 10 behind it."""
    assert _refusal_of(_changed(f"lines.0.{name}", wrong)) == f"lines.0.{name}: {_FIGURE}"


@pytest.mark.parametrize("wrong", _NO_FIGURES, ids=repr)
@pytest.mark.parametrize("place", ["lines.0.price_base_quantity", "lines.0.vat_percent"])
def test_a_figure_that_may_be_absent_is_strict_when_it_is_there(place: str, wrong: object) -> None:
    """A15, A2: null is the only other value."""
    assert _refusal_of(_changed(place, wrong)) == f"{place}: {_FIGURE}"


@pytest.mark.parametrize("wrong", [1.5, "1.000", "1.005"])
@pytest.mark.parametrize(
    "place",
    [
        "lines.0.allowances_charges.0.amount",
        "lines.0.allowances_charges.0.base",
        "document_allowances_charges.0.amount",
        "prepaid",
        "rounding",
    ],
)
def test_an_amount_has_two_places_at_most(place: str, wrong: object) -> None:
    """A15, A2: BR-DEC-01 and on, by its whole place."""
    assert _refusal_of(_changed(place, wrong)) == f"{place}: {_AMOUNT}"


def test_an_amount_is_there() -> None:
    """A15, A2: null is no amount, even beside a percentage and its base."""
    assert _refusal_of(_changed("lines.0.allowances_charges.0.amount", None)).endswith(f"0.amount: {_AMOUNT}")


@pytest.mark.parametrize(
    "figure", ["0", "-0", "007", "999999999999999.9999999999", "-999999999999999.9999999999", "0.0000000001"]
)
def test_the_bounds_themselves_are_accepted(figure: str) -> None:
    """A15: 15 digits and 10 places."""
    recompute(_changed("lines.0.quantity", figure))


@pytest.mark.parametrize(
    "place",
    [
        "currency",
        "lines",
        "document_allowances_charges",
        "prepaid",
        "rounding",
        "lines.0.quantity",
        "lines.0.net_price",
        "lines.0.price_base_quantity",
        "lines.0.allowances_charges",
        "lines.0.vat_category",
        "lines.0.vat_percent",
        "lines.0.allowances_charges.0.charge",
        "lines.0.allowances_charges.0.amount",
        "lines.0.allowances_charges.0.percent",
        "lines.0.allowances_charges.0.base",
        "document_allowances_charges.0.charge",
        "document_allowances_charges.0.vat_category",
        "document_allowances_charges.0.vat_percent",
    ],
)
def test_a_field_that_is_missing_is_named(place: str) -> None:
    """A15, A2: so a misspelt one is found, and not taken for null."""
    assert _refusal_of(_without(place)) == f"{place}: is missing"


@pytest.mark.parametrize(
    ("place", "wrong", "reason"),
    [
        ("currency", "JPY", "must be one of EUR, USD, GBP, DKK, SEK, NOK, CNY"),
        ("currency", ["EUR"], "must be one of EUR, USD, GBP, DKK, SEK, NOK, CNY"),
        ("lines", {}, "must be a list"),
        ("lines", "1", "must be a list"),
        ("lines", [], "must hold at least one line"),
        ("lines.0.allowances_charges", None, "must be a list"),
        ("lines.0.vat_category", "X", _CATEGORY),
        ("lines.0.vat_category", "s", _CATEGORY),
        ("lines.0.vat_category", "", _CATEGORY),
        ("lines.0.vat_category", None, _CATEGORY),
        ("lines.0.vat_category", [], _CATEGORY),
        ("lines.0.net_price", "-1", "must not be negative"),
        ("lines.0.price_base_quantity", "0", "must be over 0"),
        ("lines.0.allowances_charges.0.charge", "false", "must be true or false"),
        ("lines.0.allowances_charges.0.charge", 0, "must be true or false"),
        ("lines.0.allowances_charges.0.charge", None, "must be true or false"),
        ("document_allowances_charges", None, "must be a list"),
        ("document_allowances_charges.0.vat_category", None, _CATEGORY),
    ],
)
def test_a_value_out_of_its_range_is_named(place: str, wrong: object, reason: str) -> None:
    """A15, A2, C1: with what would be accepted."""
    assert _refusal_of(_changed(place, wrong)) == f"{place}: {reason}"


@pytest.mark.parametrize("wrong", [None, 1, "line", []])
def test_what_should_be_an_object_is_named(wrong: object) -> None:
    """A15, A2: also the entry itself."""
    line = _changed("lines", [_ENTRY["lines"][0], wrong])
    totals = _changed("totals", wrong)

    assert _refusal_of(line) == "lines.1: must be an object"
    assert _refusal_of(totals) == "totals: must be an object"
    assert _refusal_of(wrong) == "entry: must be an object"


def test_a_rate_that_does_not_go_with_its_category_is_named() -> None:
    """A15, A2: exempt at 21 %."""
    reason = "vat_percent: must be over 0 for S, from 0 for L and M, null for O, 0 for others, and at most 100"

    assert _refusal_of(_changed("lines.0.vat_category", "E")) == f"lines.0.{reason}"
    assert _refusal_of(_changed("document_allowances_charges.0.vat_percent", None)) == (
        f"document_allowances_charges.0.{reason}"
    )


@pytest.mark.parametrize(("name", "other"), [("percent", "base"), ("base", "percent")])
def test_a_percentage_stands_with_its_base(name: str, other: str) -> None:
    """A15: PEPPOL-EN16931-R041 and R042."""
    refusal = _refusal_of(_changed(f"lines.0.allowances_charges.0.{name}", None))

    assert other != name
    assert refusal == "lines.0.allowances_charges.0.percent: must stand with base, or neither of them"


@pytest.mark.parametrize(
    ("amount", "percent", "base"),
    [("1.01", "10", "10.00"), ("-1.00", "10", "10.00"), ("0.33", "33.5", "1.00"), ("0", "0.1", "5.00")],
)
def test_an_amount_is_its_percentage_of_the_base(amount: str, percent: str, base: str) -> None:
    """A15: PEPPOL-EN16931-R040, to the cent: 33.5 % of 1.00 is 0.34, and 0.1 % of 5.00 is 0.01."""
    adjustment = {"charge": False, "amount": amount, "percent": percent, "base": base}
    refusal = _refusal_of(_changed("lines.0.allowances_charges", [adjustment]))

    assert refusal == "lines.0.allowances_charges.0.amount: must be percent of base, rounded half-up to 2 places"


def test_what_was_paid_may_stand_in_the_totals_as_in_the_file() -> None:
    """A15: the totals win, and what else is in them is a result and is not read."""
    entry = {**_ENTRY, "prepaid": "99", "totals": {"prepaid": "3.31", "rounding": "-0.01", "payable": "0"}}

    assert recompute(entry)["totals"]["payable"] == "9.99"
    assert _refusal_of({**entry, "totals": {"prepaid": "1.005", "rounding": None}}) == f"totals.prepaid: {_AMOUNT}"
    assert _refusal_of({**entry, "totals": {"prepaid": None}}) == "totals.rounding: is missing"


def test_lists_may_be_tuples_and_results_are_not_read() -> None:
    """A15: a caller that freezes its input needs no copy of it."""
    entry = {**_ENTRY, "lines": tuple(_ENTRY["lines"]), "vat_total": 1.5, "file": "x"}

    assert recompute(entry) == recompute(_ENTRY)
