"""Which tax an invoice of a seller in the peninsula bears: every row of the table, and invoices worked out by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import get_args

import pytest
from billing.arithmetic import DocumentAdjustment, Invoice, Line, breakdown, totals
from billing.tax import Operation, Origin, Rate, Treatment, Zone, may_withhold, treatment_of

_ZONES: tuple[Zone, ...] = get_args(Zone)
_OPERATIONS: tuple[Operation, ...] = get_args(Operation)


def _row(treatment: Treatment) -> tuple[str, str | None, str | None]:
    percent = treatment.vat.percent
    return treatment.vat.category.value, None if percent is None else str(percent), treatment.mention


def _line(quantity: str, price: str, treatment: Treatment) -> Line:
    return Line(quantity=Decimal(quantity), net_price=Decimal(price), vat=treatment.vat)


def _groups(invoice: Invoice) -> list[tuple[str, str, str]]:
    return [(group.vat.category.value, str(group.taxable), str(group.tax)) for group in breakdown(invoice)]


@pytest.mark.parametrize(
    ("rate", "row", "law"),
    [
        ("general", ("S", "21", None), "Ley 37/1992 art. 90"),
        ("reduced", ("S", "10", None), "Ley 37/1992 art. 91.Uno"),
        ("super_reduced", ("S", "4", None), "Ley 37/1992 art. 91.Dos"),
        ("exempt", ("E", "0", "Exenta de IVA, art. 20 Ley 37/1992"), "Ley 37/1992 art. 20"),
        (
            "reverse_charge",
            ("AE", "0", "Inversión del sujeto pasivo, art. 84.Uno.2.º Ley 37/1992"),
            "Ley 37/1992 art. 84.Uno.2.º",
        ),
    ],
)
@pytest.mark.parametrize("operation", _OPERATIONS)
def test_iva_is_charged_to_customers_in_the_peninsula(
    operation: Operation, rate: Rate, row: tuple[str, str | None, str | None], law: str
) -> None:
    """C3: for services and goods alike; nothing charged says why, and something charged needs no mention."""
    treatment = treatment_of("peninsula", operation, rate=rate)

    assert (_row(treatment), treatment.law) == (row, law)


@pytest.mark.parametrize(
    ("rate", "row"),
    [
        ("general", ("L", "7", None)),
        ("reduced", ("L", "3", None)),
        ("zero", ("L", "0", None)),
        ("exempt", ("E", "0", "Exenta de IGIC, Decreto Legislativo 1/2025 de Canarias")),
    ],
)
@pytest.mark.parametrize("operation", _OPERATIONS)
def test_igic_is_charged_from_an_establishment_in_the_canary_islands(
    operation: Operation, rate: Rate, row: tuple[str, str | None, str | None]
) -> None:
    """C3: who has none there doesn't charge it."""
    treatment = treatment_of("canarias", operation, rate=rate, origin="canarias")

    assert (_row(treatment), treatment.law) == (row, "Ley 20/1991; Decreto Legislativo 1/2025 (Canarias)")


_EXPORTED = ("G", "0", "Exenta de IVA, art. 21 Ley 37/1992")
_ELSEWHERE = "No sujeta a IVA, art. 69.Uno.1.º Ley 37/1992"


@pytest.mark.parametrize(
    ("zone", "operation", "row", "law"),
    [
        ("canarias", "goods", _EXPORTED, "Ley 37/1992 arts. 3.Dos and 21"),
        ("ceuta_melilla", "goods", _EXPORTED, "Ley 37/1992 arts. 3.Dos and 21"),
        ("world", "goods", _EXPORTED, "Ley 37/1992 arts. 3.Dos and 21"),
        ("eu", "goods", ("K", "0", "Exenta de IVA, art. 25 Ley 37/1992"), "Ley 37/1992 art. 25"),
        (
            "canarias",
            "service",
            ("O", None, f"{_ELSEWHERE}. Inversión del sujeto pasivo de IGIC, art. 19.1.2.º a) Ley 20/1991"),
            "Ley 37/1992 arts. 3.Dos and 69.Uno.1.º; Ley 20/1991 art. 19.1.2.º a)",
        ),
        ("ceuta_melilla", "service", ("O", None, _ELSEWHERE), "Ley 37/1992 arts. 3.Dos and 69.Uno.1.º"),
        ("world", "service", ("O", None, _ELSEWHERE), "Ley 37/1992 arts. 3.Dos and 69.Uno.1.º"),
        (
            "eu",
            "service",
            ("AE", "0", f"{_ELSEWHERE}. Inversión del sujeto pasivo, art. 196 Directiva 2006/112/CE"),
            "Ley 37/1992 art. 69.Uno.1.º; Directive 2006/112/EC art. 196",
        ),
    ],
)
@pytest.mark.parametrize("rate", get_args(Rate))
def test_nothing_is_charged_across_the_border_and_the_invoice_says_why(
    *, zone: Zone, operation: Operation, rate: Rate, row: tuple[str, str | None, str | None], law: str
) -> None:
    """C3: goods are exempt where they leave, services are taxed where the business is, whatever the rate at home."""
    treatment = treatment_of(zone, operation, rate=rate)

    assert (_row(treatment), treatment.law) == (row, law)


def test_every_zone_and_operation_has_its_treatment() -> None:
    """C1, C3: the ten that a caller can name."""
    found = [treatment_of(zone, operation).vat.category.value for zone in _ZONES for operation in _OPERATIONS]

    assert found == ["S", "S", "O", "G", "O", "G", "AE", "K", "O", "G"]


@pytest.mark.parametrize(
    ("origin", "rate", "known"),
    [
        ("peninsula", "zero", "general, reduced, super_reduced, exempt, reverse_charge in peninsula"),
        ("canarias", "super_reduced", "general, reduced, zero, exempt in canarias"),
        ("canarias", "reverse_charge", "general, reduced, zero, exempt in canarias"),
    ],
)
def test_a_rate_that_a_place_does_not_know_is_refused(origin: Origin, rate: Rate, known: str) -> None:
    """C1: with those that it knows; no rate is assumed."""
    with pytest.raises(ValueError, match=f"^rate: must be one of {known}$"):
        treatment_of(origin, "service", rate=rate, origin=origin)


@pytest.mark.parametrize("zone", ["peninsula", "ceuta_melilla", "eu", "world"])
def test_supplies_out_of_the_canary_islands_are_not_covered(zone: Zone) -> None:
    """C3: refused, because no row is right for them."""
    with pytest.raises(ValueError, match=r"^origin: must be peninsula unless the customer is in the same zone$"):
        treatment_of(zone, "service", origin="canarias")


def test_businesses_in_spain_may_withhold_on_services() -> None:
    """C3: customers abroad do not, and goods are not professional income."""
    assert [zone for zone in _ZONES if may_withhold(zone, "service")] == ["peninsula", "canarias", "ceuta_melilla"]
    assert [zone for zone in _ZONES if may_withhold(zone, "goods")] == []


def test_an_invoice_with_three_rates_of_iva() -> None:
    """A15, C3: worked out by hand.

    21 %: 3 x 33.33 = 99.99, less 10 % of it, 10.00, = 89.99; tax 18.8979, so 18.90
    10 %: 12 x 1.15 = 13.80; tax 1.38
    4 %:  7 x 0.99 = 6.93; tax 0.2772, so 0.28
    """
    general = treatment_of("peninsula", "goods")
    invoice = Invoice(
        lines=(
            _line("3", "33.33", general),
            _line("12", "1.15", treatment_of("peninsula", "goods", rate="reduced")),
            _line("7", "0.99", treatment_of("peninsula", "goods", rate="super_reduced")),
        ),
        adjustments=(DocumentAdjustment(charge=False, amount=Decimal("10.00"), vat=general.vat),),
    )
    result = totals(invoice)

    assert _groups(invoice) == [("S", "6.93", "0.28"), ("S", "89.99", "18.90"), ("S", "13.80", "1.38")]
    assert (str(result.without_vat), str(result.vat_total), str(result.payable)) == ("110.72", "20.56", "131.28")


def test_an_invoice_with_igic() -> None:
    """A15, C3: worked out by hand.

    7 %: 2.5 h x 61.90 = 154.75; tax 10.8325, so 10.83
    3 %: 1 x 20.50; tax 0.615, so 0.62
    0 %: 4 x 5.25 = 21.00; tax 0
    """
    invoice = Invoice(
        lines=(
            _line("2.5", "61.90", treatment_of("canarias", "service", origin="canarias")),
            _line("1", "20.50", treatment_of("canarias", "goods", rate="reduced", origin="canarias")),
            _line("4", "5.25", treatment_of("canarias", "goods", rate="zero", origin="canarias")),
        )
    )
    result = totals(invoice)

    assert _groups(invoice) == [("L", "154.75", "10.83"), ("L", "20.50", "0.62"), ("L", "21.00", "0.00")]
    assert (str(result.without_vat), str(result.vat_total), str(result.payable)) == ("196.25", "11.45", "207.70")


def test_an_invoice_with_something_exempt() -> None:
    """A15, C3: a course of 850.00, exempt, beside its book of 24.90 at 4 %: 0.996, so 1.00; in all 875.90."""
    invoice = Invoice(
        lines=(
            _line("1", "850.00", treatment_of("peninsula", "service", rate="exempt")),
            _line("1", "24.90", treatment_of("peninsula", "goods", rate="super_reduced")),
        )
    )
    result = totals(invoice)

    assert _groups(invoice) == [("S", "24.90", "1.00"), ("E", "850.00", "0.00")]
    assert (str(result.without_vat), str(result.vat_total), str(result.payable)) == ("874.90", "1.00", "875.90")


def test_an_invoice_with_iva_and_withholding() -> None:
    """A15, C3: a professional's fee, worked out by hand.

    18.5 h x 67.35 = 1,245.975, so 1,245.98
    IVA 21 %: 261.6558, so 261.66; in all 1,507.64
    IRPF 15 % of 1,245.98: 186.897, so 186.90; payable 1,320.74
    """
    fee = _line("18.5", "67.35", treatment_of("peninsula", "service"))
    result = totals(Invoice(lines=(fee,), withholding_percent=Decimal(15)))

    assert (str(result.without_vat), str(result.vat_total), str(result.with_vat)) == ("1245.98", "261.66", "1507.64")
    assert (str(result.withheld), str(result.payable)) == ("186.90", "1320.74")


def test_an_invoice_across_the_border_to_a_business_that_withholds() -> None:
    """A15, C3: 980.00 to the Canary Islands bear no tax; 7 % of a beginner's fee is 68.60, so 911.40 is payable."""
    fee = _line("1", "980.00", treatment_of("canarias", "service"))
    invoice = Invoice(lines=(fee,), withholding_percent=Decimal(7))
    result = totals(invoice)

    assert _groups(invoice) == [("O", "980.00", "0.00")]
    assert (str(result.vat_total), str(result.withheld), str(result.payable)) == ("0.00", "68.60", "911.40")
