"""Figures of the example invoices of Peppol BIS Billing 3: github.com/OpenPEPPOL/peppol-bis-invoice-3 at 78d7f7dfa223.

Left out are its Greek examples and its snippet, whose figures are those of `base-example.xml`.
"""

from __future__ import annotations

from tests.billing.golden.shape import Published, allowance, charge, group, line, published

__all__ = ["INVOICES"]

INVOICES: tuple[Published, ...] = (
    published(
        "rules/examples/Allowance-example.xml",
        currency="EUR",
        lines=[
            line(
                "10", "410", net="4000.00", vat="S 25.0", per="1", adjusted=[charge("1", of="1 100"), allowance("101")]
            ),
            line("10", "200", net="1000.00", vat="E 0.0", per="2"),
            line("10", "100", net="900.00", vat="S 25.0", adjusted=[charge("1", of="1 100"), allowance("101")]),
        ],
        adjusted=[
            charge("200", of="20 1000", vat="S 25"),
            allowance("200", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="4900.0", tax="1225"),
            group("E 0", taxable="1000.0", tax="0"),
        ],
        vat_total="1225.00",
        totals={
            "line_total": "5900",
            "allowances": "200",
            "charges": "200",
            "without_vat": "5900",
            "with_vat": "7125",
            "prepaid": "1000",
            "payable": "6125.00",
        },
    ),
    published(
        "rules/examples/Vat-category-S.xml",
        currency="EUR",
        lines=[
            line("10", "400", net="4000.00", vat="S 25.0"),
            line("10", "200", net="2000.00", vat="S 15.0"),
            line("10", "90", net="900.00", vat="S 25.0"),
        ],
        adjusted=[
            charge("200", vat="S 25"),
            allowance("100", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="5000.0", tax="1250"),
            group("S 15", taxable="2000.0", tax="300"),
        ],
        vat_total="1550.00",
        totals={
            "line_total": "6900",
            "allowances": "100",
            "charges": "200",
            "without_vat": "7000",
            "with_vat": "8550",
            "payable": "8550",
        },
    ),
    published(
        "rules/examples/base-example.xml",
        currency="EUR",
        lines=[
            line("7", "400", net="2800", vat="S 25.0"),
            line("-3", "500", net="-1500", vat="S 25.0"),
        ],
        adjusted=[
            charge("25", vat="S 25.0"),
        ],
        groups=[
            group("S 25.0", taxable="1325", tax="331.25"),
        ],
        vat_total="331.25",
        totals={
            "line_total": "1300",
            "charges": "25",
            "without_vat": "1325",
            "with_vat": "1656.25",
            "payable": "1656.25",
        },
    ),
    published(
        "rules/examples/base-negative-inv-correction.xml",
        currency="EUR",
        lines=[
            line("-7", "400", net="-2800", vat="S 25.0"),
            line("3", "500", net="1500", vat="S 25.0"),
        ],
        adjusted=[
            charge("-25", vat="S 25.0"),
        ],
        groups=[
            group("S 25.0", taxable="-1325", tax="-331.25"),
        ],
        vat_total="-331.25",
        totals={
            "line_total": "-1300",
            "charges": "-25",
            "without_vat": "-1325",
            "with_vat": "-1656.25",
            "payable": "-1656.25",
        },
    ),
    published(
        "rules/examples/vat-category-E.xml",
        currency="GBP",
        lines=[
            line("10", "120.00", net="1200.00", vat="E 0"),
        ],
        groups=[
            group("E 0", taxable="1200.00", tax="0.00"),
        ],
        vat_total="0.00",
        totals={"line_total": "1200.00", "without_vat": "1200.00", "with_vat": "1200.00", "payable": "1200.00"},
    ),
    published(
        "rules/examples/vat-category-O.xml",
        currency="SEK",
        lines=[
            line("1", "3200.00", net="3200.00", vat="O"),
        ],
        groups=[
            group("O", taxable="3200.00", tax="0.00"),
        ],
        vat_total="0.00",
        totals={"line_total": "3200.00", "without_vat": "3200.00", "with_vat": "3200.00", "payable": "3200.00"},
    ),
    published(
        "rules/examples/vat-category-Z.xml",
        currency="GBP",
        lines=[
            line("10", "120.00", net="1200.00", vat="Z 0"),
        ],
        groups=[
            group("Z 0", taxable="1200.00", tax="0.00"),
        ],
        vat_total="0.00",
        totals={"line_total": "1200.00", "without_vat": "1200.00", "with_vat": "1200.00", "payable": "1200.00"},
    ),
    published(
        "rules/national-examples/NO/Norwegian-example-1.xml",
        currency="NOK",
        lines=[
            line("1", "1273", net="1273", vat="S 25", per="1", adjusted=[allowance("12"), charge("12")]),
            line("-1", "3.96", net="-3.96", vat="S 15", per="1"),
            line("2", "2.48", net="4.96", vat="S 15", per="1"),
            line("-1", "25", net="-25", vat="E 0", per="1"),
            line("250", "0.75", net="187.5", vat="S 25", per="1"),
        ],
        adjusted=[
            charge("100", vat="S 25"),
            allowance("100", vat="S 25"),
        ],
        groups=[
            group("S 25", taxable="1460.5", tax="365.13"),
            group("S 15", taxable="1", tax="0.15"),
            group("E 0", taxable="-25", tax="0"),
        ],
        vat_total="365.28",
        totals={
            "line_total": "1436.5",
            "allowances": "100",
            "charges": "100",
            "without_vat": "1436.5",
            "with_vat": "1801.78",
            "prepaid": "1000",
            "rounding": "0.22",
            "payable": "802.00",
        },
    ),
)
