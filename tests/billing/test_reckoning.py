"""From an order to its figures, without a store: what the tools compute is what `recompute` computes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from billing.arithmetic import recompute
from billing.documents import document_of, payable_minor
from billing.invoice_model import Document, DraftLine, DraftRequest, LineAdjustmentByPercent
from billing.reckoning import AmountOutOfRange, TaxNotCovered, WithholdingNotCovered, reckoned
from billing.tax import Operation, Rate, Zone
from hypothesis import given
from hypothesis import strategies as st

_RATES: dict[Rate, str] = {"general": "21", "reduced": "10", "super_reduced": "4"}


def _line(quantity: Decimal = Decimal(1), price: Decimal = Decimal(100), *, rate: Rate = "general") -> DraftLine:
    return DraftLine(description="Support", quantity=quantity, unit_price=price, tax_rate=rate)


def _request(*lines: DraftLine, operation: Operation = "service", irpf: str = "0", prepaid: int = 0) -> DraftRequest:
    return DraftRequest(
        customer_reference="C-000001",
        operation_type=operation,
        currency="EUR",
        due_on=date(2026, 12, 1),
        irpf_rate=irpf,
        lines=list(lines) or [_line()],
        prepaid_minor=prepaid,
    )


def _document(request: DraftRequest, *, zone: Zone = "peninsula") -> Document:
    return document_of(request, reckoned(request, zone=zone, origin="peninsula"))


_LINES = st.lists(
    st.builds(
        _line,
        st.decimals("0.0001", "9999", places=4),
        st.decimals("0", "9999", places=6),
        rate=st.sampled_from(list(_RATES)),
    ),
    min_size=1,
    max_size=12,
)


@given(lines=_LINES)
def test_the_tools_compute_what_recompute_computes(lines: list[DraftLine]) -> None:
    """A15: one arithmetic; the tools add units of account and nothing else."""
    entry: dict[str, Any] = {
        "currency": "EUR",
        "lines": [
            {
                "quantity": f"{line.quantity:f}",
                "net_price": f"{line.unit_price:f}",
                "price_base_quantity": None,
                "vat_category": "S",
                "vat_percent": _RATES[line.tax_rate],
                "allowances_charges": [],
            }
            for line in lines
        ],
        "document_allowances_charges": [],
        "prepaid": None,
        "rounding": None,
    }
    request = _request(*lines)
    document, again = _document(request), recompute(entry)

    assert [line.net_minor for line in document.lines] == [_minor(net) for net in again["line_nets"]]
    assert [(row.percent, row.taxable_minor, row.tax_minor) for row in document.taxes] == [
        (row["percent"], _minor(row["taxable"]), _minor(row["vat"])) for row in again["vat_breakdown"]
    ]
    assert document.totals.tax_minor == _minor(again["vat_total"])
    assert document.totals.without_tax_minor == _minor(again["totals"]["without_vat"])
    assert _payable(request) == _minor(again["totals"]["payable"])


def _minor(amount: str) -> int:
    return int(amount.replace(".", ""))


def _payable(request: DraftRequest) -> int:
    return payable_minor(request, reckoned(request, zone="peninsula", origin="peninsula"))


@given(lines=_LINES, data=st.data())
def test_the_order_of_the_lines_changes_no_total(lines: list[DraftLine], data: st.DataObject) -> None:
    """A15: the sum of the lines is the total, whatever their order."""
    document = _document(_request(*lines))
    shuffled = _document(_request(*data.draw(st.permutations(lines))))

    assert (document.totals, document.taxes) == (shuffled.totals, shuffled.taxes)
    assert document.totals.lines_minor == sum(line.net_minor for line in document.lines)


@pytest.mark.parametrize(
    ("irpf", "withheld", "payable"),
    [("0", 0, 12_100), ("7", 700, 11_400), ("15", 1_500, 10_600), ("100", 10_000, 2_100)],
)
def test_income_tax_is_withheld_from_the_amount_without_tax(irpf: str, withheld: int, payable: int) -> None:
    """C3, A15: 100.00 and 21 % of it; the tax is not withheld on."""
    request = _request(irpf=irpf)

    assert _document(request).totals.withheld_minor == withheld
    assert _payable(request) == payable


def test_what_is_reduced_by_half_a_cent_is_rounded_away_from_zero() -> None:
    """A15: 10 % of 0.05 are half a cent, and so 0.01 off."""
    off = LineAdjustmentByPercent(kind="allowance", reason="Ten", by="percent", percent="10")
    line = _line(price=Decimal("0.05")).model_copy(update={"adjustments": [off]})

    assert _document(_request(line)).lines[0].net_minor == 4


@pytest.mark.parametrize(("zone", "operation"), [("eu", "service"), ("world", "service"), ("peninsula", "goods")])
def test_withholding_is_for_services_to_customers_in_spain(zone: Zone, operation: Operation) -> None:
    """C3, A4: elsewhere the books have no rule for it."""
    with pytest.raises(WithholdingNotCovered):
        reckoned(_request(irpf="15", operation=operation), zone=zone, origin="peninsula")


def test_a_company_in_the_canary_islands_has_no_rule_for_the_peninsula() -> None:
    """C3, A4: a person decides; and the fault says which argument is to blame, if one is."""
    with pytest.raises(TaxNotCovered) as far:
        reckoned(_request(), zone="peninsula", origin="canarias")
    with pytest.raises(TaxNotCovered) as rate:
        reckoned(_request(_line(), _line(rate="super_reduced")), zone="canarias", origin="canarias")

    assert (far.value.at, rate.value.at) == (None, "/lines/1/tax_rate")


def test_more_than_a_figure_may_be_is_refused_with_the_place() -> None:
    """A4, A15: 10,000,000,000.00 is the last that is taken, before tax and after it."""
    with pytest.raises(AmountOutOfRange) as refused:
        reckoned(_request(_line(), _line(Decimal(10**7), Decimal("1000.01"))), zone="world", origin="peninsula")

    assert refused.value.at == "/lines/1"
    assert reckoned(_request(_line(Decimal(10**7), Decimal(1_000))), zone="world", origin="peninsula")
    with pytest.raises(AmountOutOfRange):
        reckoned(_request(_line(Decimal(10**7), Decimal(1_000))), zone="peninsula", origin="peninsula")
