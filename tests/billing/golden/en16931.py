"""Figures of the example invoices of EN 16931: github.com/ConnectingEurope/eInvoicing-EN16931 at b6c9e06a5981."""

from __future__ import annotations

from tests.billing.golden.shape import Published, allowance, charge, group, line, published

__all__ = ["INVOICES"]

INVOICES: tuple[Published, ...] = (
    published(
        "ubl/examples/BIS3_Invoice_negativ.XML",
        currency="DKK",
        lines=[
            line("-1", "625743.54", net="-625743.54", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="-625743.54", tax="-156435.89"),
        ],
        vat_total="-156435.89",
        totals={
            "line_total": "-625743.54",
            "without_vat": "-625743.54",
            "with_vat": "-782179.43",
            "payable": "-782179.43",
        },
    ),
    published(
        "ubl/examples/BIS3_Invoice_positive.XML",
        currency="DKK",
        lines=[
            line("1", "625743.54", net="625743.54", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="625743.54", tax="156435.89"),
        ],
        vat_total="156435.89",
        totals={"line_total": "625743.54", "without_vat": "625743.54", "with_vat": "782179.43", "payable": "782179.43"},
    ),
    published(
        "ubl/examples/issue116.xml",
        currency="SEK",
        lines=[
            line("1", "100", net="100", vat="S 6"),
            line("1", "50", net="50", vat="S 12"),
            line("1", "150", net="150", vat="S 12"),
            line("1", "400", net="400", vat="S 25"),
        ],
        adjusted=[
            allowance("0", vat="S 6"),
            allowance("1", vat="E 0"),
            charge("1", vat="E 0"),
            charge("0", vat="E 0"),
        ],
        groups=[
            group("S 6", taxable="100", tax="6"),
            group("S 25", taxable="400", tax="100"),
            group("S 12", taxable="200", tax="24"),
            group("E 0", taxable="0", tax="0"),
        ],
        vat_total="130",
        totals={
            "line_total": "700",
            "allowances": "1",
            "charges": "1",
            "without_vat": "700",
            "with_vat": "830",
            "prepaid": "0",
            "rounding": "0",
            "payable": "830",
        },
    ),
    published(
        "ubl/examples/sample-discount-price.xml",
        currency="EUR",
        lines=[
            line("100.000", "0.1212", net="12.12", vat="S 25", per="1"),
        ],
        groups=[
            group("S 25", taxable="12.12", tax="3.03"),
        ],
        vat_total="3.03",
        totals={"line_total": "12.12", "without_vat": "12.12", "with_vat": "15.15", "payable": "15.15"},
    ),
    published(
        "ubl/examples/ubl-tc434-example4.xml",
        currency="DKK",
        lines=[
            line("1000", "1.00", net="1000.00", vat="S 25"),
            line("100", "5.00", net="500.00", vat="S 25"),
            line("500", "5.00", net="2500.00", vat="S 12"),
        ],
        groups=[
            group("S 25", taxable="1500.00", tax="375.00"),
            group("S 12", taxable="2500.00", tax="300.00"),
        ],
        vat_total="675.00",
        totals={"line_total": "4000.00", "without_vat": "4000.00", "with_vat": "4675.00", "payable": "4675.00"},
    ),
    published(
        "ubl/examples/ubl-tc434-example5.xml",
        currency="DKK",
        lines=[
            line(
                "1000",
                "1.00",
                net="1000.00",
                vat="S 25",
                per="1",
                adjusted=[allowance("100.00", of="10 1000.00"), charge("100.00", of="10 1000.00")],
            ),
            line("100", "5.00", net="500.00", vat="S 25"),
            line("500", "5.00", net="2500.00", vat="S 12"),
        ],
        adjusted=[
            allowance("150.00", of="10 1500.00", vat="S 25"),
            charge("150.00", of="10 1500.00", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="1500.00", tax="375.00"),
            group("S 12", taxable="2500.00", tax="300.00"),
        ],
        vat_total="675.00",
        totals={
            "line_total": "4000.00",
            "allowances": "150.00",
            "charges": "150.00",
            "without_vat": "4000.00",
            "with_vat": "4675.00",
            "prepaid": "2337.50",
            "payable": "2337.50",
        },
    ),
    published(
        "ubl/examples/ubl-tc434-example7.xml",
        currency="SEK",
        lines=[
            line("1", "2500.00", net="2500.00", vat="O"),
            line("1", "700.00", net="700.00", vat="O"),
        ],
        groups=[
            group("O", taxable="3200.00", tax="0.00"),
        ],
        vat_total="0.00",
        totals={"line_total": "3200.00", "without_vat": "3200.00", "with_vat": "3200.00", "payable": "3200.00"},
    ),
    published(
        "ubl/examples/ubl-tc434-example8.xml",
        currency="EUR",
        lines=[
            line("16000", "0.00880", net="140.80", vat="S 21", per="1"),
            line("16000", "0.00101", net="16.16", vat="S 21", per="1"),
            line("132", "15.24", net="167.64", vat="S 21", per="12"),
            line("58", "1.53", net="88.74", vat="S 21", per="1"),
            line("1", "441.00", net="36.75", vat="S 21", per="12"),
            line("1", "678.00", net="56.50", vat="S 21", per="12"),
            line("1", "83.34", net="83.34", vat="S 21", per="1"),
            line("1", "190.31", net="190.31", vat="S 21", per="1"),
            line("1", "64.21", net="64.21", vat="S 21", per="1"),
            line("1", "64.46", net="64.46", vat="S 21", per="1"),
        ],
        groups=[
            group("S 21", taxable="908.91", tax="190.87"),
        ],
        vat_total="190.87",
        totals={"line_total": "908.91", "without_vat": "908.91", "with_vat": "1099.78", "payable": "1099.78"},
    ),
)
