"""The arithmetic against invoices that others published: every figure, by its number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from billing.arithmetic import recompute

from tests.billing.golden import en16931, peppol
from tests.billing.golden.shape import Published, numbers

_INVOICES = (*en16931.INVOICES, *peppol.INVOICES)
_FIGURES = Path(__file__).resolve().parents[3] / "shared/data/en16931-invoices.json"


def _entries() -> list[dict[str, Any]]:
    """The file of published figures, which lies beside the checkout where the project is developed."""
    if not _FIGURES.is_file():
        pytest.skip("no ../shared/data/en16931-invoices.json beside this checkout to recompute")
    return json.loads(_FIGURES.read_text("utf-8"))["invoices"]


def _printed(entry: dict[str, Any]) -> dict[str, Any]:
    nets = [row["line_net"] for row in entry["lines"]]
    return {"line_nets": nets, **{name: entry[name] for name in ("vat_breakdown", "vat_total", "totals")}}


@pytest.mark.parametrize("invoice", _INVOICES, ids=lambda invoice: cast("Published", invoice).file)
def test_a_published_invoice_recomputes_to_what_it_printed(invoice: Published) -> None:
    """A15: lines, breakdown in its order, totals, and what is absent; figures copied, so that no file is needed."""
    assert numbers(recompute(invoice.given)) == numbers(invoice.printed)


def test_all_seventeen_invoices_of_the_file_recompute() -> None:
    """A15: with the results left in, which are not read."""
    entries = _entries()

    assert [entry["file"] for entry in entries if numbers(recompute(entry)) != numbers(_printed(entry))] == []
    assert len(entries) == 17


def test_the_copied_figures_are_those_of_the_file() -> None:
    """A15: a golden figure that was changed to fit is found here. Three entries repeat another's figures."""
    copied = {invoice.file: invoice for invoice in _INVOICES}
    entries = [entry for entry in _entries() if entry["file"] in copied]

    for entry in entries:
        invoice = copied[entry["file"]]
        assert (entry["file"], invoice.printed) == (entry["file"], _printed(entry))
        assert [{**row, "line_net": None} for row in entry["lines"]] == [
            {**row, "line_net": None} for row in invoice.given["lines"]
        ]
        assert entry["document_allowances_charges"] == invoice.given["document_allowances_charges"]
    assert len(entries) == 14


def _entry(*, prepaid: str | None = None, rounding: str | None = None, **line: str) -> dict[str, Any]:
    plain: dict[str, Any] = {"price_base_quantity": None, "allowances_charges": []}
    return {
        "currency": "EUR",
        "lines": [{**plain, **line}],
        "document_allowances_charges": [],
        "prepaid": prepaid,
        "rounding": rounding,
    }


def test_amounts_are_written_with_two_places_and_rates_without_zeros() -> None:
    """A15: whatever places the figures came with; published ones differ from row to row."""
    entry = _entry(quantity="2.000", net_price="5", vat_category="S", vat_percent="5.50", prepaid="1", rounding="0.4")

    assert recompute(entry) == {
        "line_nets": ["10.00"],
        "vat_breakdown": [{"taxable": "10.00", "vat": "0.55", "category": "S", "percent": "5.5"}],
        "vat_total": "0.55",
        "totals": {
            "line_total": "10.00",
            "allowances": None,
            "charges": None,
            "without_vat": "10.00",
            "with_vat": "10.55",
            "prepaid": "1.00",
            "rounding": "0.40",
            "payable": "9.95",
        },
    }


_WRITTEN = [("S", "20.00", "20"), ("S", "100", "100"), ("S", "0.50", "0.5"), ("Z", "-0.0", "0")]


@pytest.mark.parametrize(("category", "given", "written"), _WRITTEN)
def test_a_rate_is_written_without_an_exponent_or_a_needless_sign(category: str, given: str, written: str) -> None:
    """A15: the same rate always reads the same."""
    entry = _entry(quantity="1", net_price="1", vat_category=category, vat_percent=given)

    assert recompute(entry)["vat_breakdown"][0]["percent"] == written
