"""The rules of EN 16931 one by one, with figures small enough to work out by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest
from billing.arithmetic import (
    Adjustment,
    Category,
    DocumentAdjustment,
    Invoice,
    Line,
    Vat,
    breakdown,
    line_net,
    totals,
)

_S21 = Vat(category=Category.STANDARD, percent=Decimal(21))
_S10 = Vat(category=Category.STANDARD, percent=Decimal(10))
_E = Vat(category=Category.EXEMPT, percent=Decimal(0))
_O = Vat(category=Category.NOT_SUBJECT, percent=None)


def _line(quantity: str, price: str, *adjustments: Adjustment, per: str = "1", vat: Vat = _S21) -> Line:
    return Line(
        quantity=Decimal(quantity),
        net_price=Decimal(price),
        base_quantity=Decimal(per),
        vat=vat,
        adjustments=adjustments,
    )


def _off(amount: str) -> Adjustment:
    return Adjustment(charge=False, amount=Decimal(amount))


def _on(amount: str) -> Adjustment:
    return Adjustment(charge=True, amount=Decimal(amount))


def _document(amount: str, *, charge: bool, vat: Vat = _S21) -> DocumentAdjustment:
    return DocumentAdjustment(charge=charge, amount=Decimal(amount), vat=vat)


def _groups(invoice: Invoice) -> list[tuple[str, str, str, str]]:
    return [(g.vat.category.value, str(g.vat.percent), str(g.taxable), str(g.tax)) for g in breakdown(invoice)]


@pytest.mark.parametrize(
    ("quantity", "price", "per", "net"),
    [
        ("3", "0.335", "1", "1.01"),  # 1.005, between two cents: up
        ("-3", "0.335", "1", "-1.01"),  # and away from zero below it
        ("3", "0.33499", "1", "1.00"),  # 1.00497
        ("1", "2", "3", "0.67"),  # 0.666...
        ("1", "1", "3", "0.33"),  # 0.333...
        ("0", "99.99", "1", "0.00"),
        ("-0.001", "1", "1", "0.00"),  # never -0.00
        ("132", "15.24", "12", "167.64"),
        ("0.5", "0.01", "1", "0.01"),  # 0.005
        ("7", "0.05", "70", "0.01"),  # 0.005, after dividing
        ("1000000", "0.0000000049", "1", "0.00"),  # 0.0049
    ],
)
def test_a_line_is_quantity_times_price_by_base_quantity_half_up(quantity: str, price: str, per: str, net: str) -> None:
    """A15: PEPPOL-EN16931-R120; multiplied first, so that thirds are rounded once."""
    assert str(line_net(_line(quantity, price, per=per))) == net


def test_charges_of_a_line_add_and_allowances_take_off() -> None:
    """A15: 10 x 100 + 1 - 101 = 900."""
    assert str(line_net(_line("10", "100", _on("1"), _off("101")))) == "900.00"


def test_the_price_of_a_line_is_rounded_before_its_allowances() -> None:
    """A15: 0.005 is 0.01, less 1.00 is -0.99; rounded at the end it were -1.00."""
    assert str(line_net(_line("1", "0.005", _off("1.00")))) == "-0.99"


def test_lines_of_one_category_and_rate_are_taxed_as_one_amount() -> None:
    """A15: BR-S-08, BR-CO-17; 0.02 + 0.02 at 21 % is 0.0084, so 0.01, while each line alone would give nothing."""
    invoice = Invoice(lines=(_line("1", "0.02"), _line("1", "0.02")))

    assert _groups(invoice) == [("S", "21", "0.04", "0.01")]


def test_rates_that_differ_only_in_zeros_are_one_group() -> None:
    """A15: published invoices write 25 beside 25.0."""
    padded = Vat(category=Category.STANDARD, percent=Decimal("21.00"))
    invoice = Invoice(lines=(_line("1", "10"), _line("1", "5", vat=padded)))

    assert _groups(invoice) == [("S", "21", "15.00", "3.15")]


def test_each_category_and_rate_has_its_own_group_in_the_order_of_published_invoices() -> None:
    """A15: last category first, then rates as text, whatever the order of the lines."""
    s6 = Vat(category=Category.STANDARD, percent=Decimal(6))
    invoice = Invoice(
        lines=(_line("1", "1", vat=_E), _line("1", "2", vat=_S10), _line("1", "3"), _line("1", "4", vat=s6))
    )

    assert _groups(invoice) == [
        ("S", "6", "4.00", "0.24"),
        ("S", "21", "3.00", "0.63"),
        ("S", "10", "2.00", "0.20"),
        ("E", "0", "1.00", "0.00"),
    ]


def test_document_allowances_and_charges_are_taxed_where_they_belong() -> None:
    """A15: 100 - 10 + 4 = 94 at 21 %, and a group of its own for what no line has."""
    invoice = Invoice(
        lines=(_line("1", "100"),),
        adjustments=(
            _document("10", charge=False),
            _document("4", charge=True),
            _document("7", charge=True, vat=_E),
        ),
    )

    assert _groups(invoice) == [("S", "21", "94.00", "19.74"), ("E", "0", "7.00", "0.00")]


def test_a_negative_taxable_amount_has_a_negative_tax_rounded_away_from_zero() -> None:
    """A15: -0.50 at 21 % is -0.105, so -0.11; of 625743.54 a published invoice shows it with its sign turned."""
    assert _groups(Invoice(lines=(_line("-1", "0.50"),))) == [("S", "21", "-0.50", "-0.11")]


def test_no_tax_on_a_credit_is_zero_without_a_sign() -> None:
    """A15: -10 at 0 % is 0.00, and what is not subject has no rate at all."""
    assert _groups(Invoice(lines=(_line("-1", "10", vat=_E),))) == [("E", "0", "-10.00", "0.00")]
    assert _groups(Invoice(lines=(_line("-1", "10", vat=_O),))) == [("O", "None", "-10.00", "0.00")]


def test_the_totals_follow_from_lines_adjustments_and_what_was_paid() -> None:
    """A15: BR-CO-10 to BR-CO-16: 200 - 30 + 5 = 175; 36.75 tax; 211.75 - 100 + 0.25 = 112.00."""
    invoice = Invoice(
        lines=(_line("1", "150"), _line("2", "25")),
        adjustments=(
            _document("10", charge=False),
            _document("20", charge=False),
            _document("5", charge=True),
        ),
        prepaid=Decimal(100),
        rounding=Decimal("0.25"),
    )
    result = totals(invoice)

    assert (str(result.line_total), str(result.allowances), str(result.charges)) == ("200.00", "30.00", "5.00")
    assert (str(result.without_vat), str(result.vat_total), str(result.with_vat)) == ("175.00", "36.75", "211.75")
    assert (str(result.prepaid), str(result.rounding), str(result.payable)) == ("100.00", "0.25", "112.00")


def test_a_total_that_the_invoice_has_nothing_of_is_absent_and_not_zero() -> None:
    """A15: an allowance of 0 is one, no allowance is none."""
    bare = totals(Invoice(lines=(_line("1", "1"),)))
    full = totals(
        Invoice(
            lines=(_line("1", "1"),),
            adjustments=(_document("0", charge=False), _document("0", charge=True)),
            prepaid=Decimal(0),
            rounding=Decimal(0),
            withholding_percent=Decimal(0),
        )
    )

    assert (bare.allowances, bare.charges, bare.prepaid, bare.rounding, bare.withheld) == (None,) * 5
    zeros = (full.allowances, full.charges, full.prepaid, full.rounding, full.withheld)
    assert [str(each) for each in zeros] == ["0.00"] * 5


def test_withholding_is_of_the_amount_without_vat_and_lowers_only_what_is_payable() -> None:
    """A15, C3: 1,234.56 at 21 % is 259.26; 15 % of 1,234.56 is 185.18; 1,493.82 - 185.18 - 300 = 1,008.64."""
    invoice = Invoice(lines=(_line("1", "1234.56"),), prepaid=Decimal(300), withholding_percent=Decimal(15))
    result = totals(invoice)

    assert (str(result.vat_total), str(result.with_vat)) == ("259.26", "1493.82")
    assert (str(result.withheld), str(result.payable)) == ("185.18", "1008.64")


@pytest.mark.parametrize("percent", ["0", "100"])
def test_anything_from_nothing_to_everything_may_be_withheld(percent: str) -> None:
    """C3: 0 to 100, both included."""
    invoice = Invoice(lines=(_line("1", "50"),), withholding_percent=Decimal(percent))

    assert totals(invoice).withheld == Decimal(percent) / 2


@pytest.mark.parametrize(
    ("category", "allowed", "refused"),
    [
        ("S", ["0.1", "21", "100"], [None, "0", "-1", "100.1"]),
        ("L", ["0", "7", "100"], [None, "-1", "100.1"]),
        ("M", ["0", "10", "100"], [None, "-1", "100.1"]),
        ("Z", ["0", "0.0"], [None, "1", "-1"]),
        ("E", ["0"], [None, "1"]),
        ("AE", ["0"], [None, "1"]),
        ("K", ["0"], [None, "1"]),
        ("G", ["0"], [None, "1"]),
        ("O", [None], ["0", "1"]),
    ],
)
def test_a_rate_goes_with_its_category(category: str, allowed: list[str | None], refused: list[str | None]) -> None:
    """A15: BR-S-05, BR-AF-05, BR-AG-05, BR-O-05 and their like: exempt at 21 % is a contradiction."""
    for percent in allowed:
        Vat(category=Category(category), percent=None if percent is None else Decimal(percent))
    for percent in refused:
        with pytest.raises(ValueError, match=r"^vat_percent: must be over 0 for S, from 0 for L and M, null for O"):
            Vat(category=Category(category), percent=None if percent is None else Decimal(percent))


def test_a_price_is_not_negative_and_is_for_some_quantity() -> None:
    """A15: BR-27 and PEPPOL-EN16931-R121; what is given back has a negative quantity."""
    with pytest.raises(ValueError, match=r"^net_price: must not be negative$"):
        _line("1", "-0.01")
    for per in ("0", "-1"):
        with pytest.raises(ValueError, match=r"^price_base_quantity: must be over 0$"):
            _line("1", "1", per=per)
    assert str(line_net(_line("1", "0", per="0.5"))) == "0.00"


def test_an_invoice_has_a_line() -> None:
    """A15: BR-16."""
    with pytest.raises(ValueError, match=r"^lines: must hold at least one line$"):
        Invoice(lines=())


@pytest.mark.parametrize("percent", ["-0.01", "100.01"])
def test_nobody_withholds_less_than_nothing_or_more_than_everything(percent: str) -> None:
    """C3: 0 to 100."""
    with pytest.raises(ValueError, match=r"^withholding_percent: must be from 0 to 100$"):
        Invoice(lines=(_line("1", "1"),), withholding_percent=Decimal(percent))


@pytest.mark.parametrize("amount", ["0.001", "1.000"])
def test_an_amount_has_two_places_at_most(amount: str) -> None:
    """A15: BR-DEC-01 and on; also for zeros, so that a sum is printed as it is."""
    with pytest.raises(ValueError, match=r"^amount: must have at most 2 places$"):
        _off(amount)
    with pytest.raises(ValueError, match=r"^prepaid: must have at most 2 places$"):
        Invoice(lines=(_line("1", "1"),), prepaid=Decimal(amount))
    with pytest.raises(ValueError, match=r"^rounding: must have at most 2 places$"):
        Invoice(lines=(_line("1", "1"),), rounding=Decimal(amount))
