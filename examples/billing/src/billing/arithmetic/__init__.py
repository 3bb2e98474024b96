"""The arithmetic of invoices, exact to the cent: EN 16931 from figures to what is payable. No store, tool or caller.

`recompute` takes a published invoice; the tools take the same functions over `Invoice`.
"""

from __future__ import annotations

from billing.arithmetic.currency import DECIMAL_PLACES, from_minor, to_minor
from billing.arithmetic.entry import Recomputed, recompute
from billing.arithmetic.invoice import (
    Adjustment,
    Category,
    DocumentAdjustment,
    Invoice,
    Line,
    Totals,
    Vat,
    VatGroup,
    breakdown,
    line_net,
    totals,
)

__all__ = [
    "DECIMAL_PLACES",
    "Adjustment",
    "Category",
    "DocumentAdjustment",
    "Invoice",
    "Line",
    "Recomputed",
    "Totals",
    "Vat",
    "VatGroup",
    "breakdown",
    "from_minor",
    "line_net",
    "recompute",
    "to_minor",
    "totals",
]
