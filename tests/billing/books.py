"""What the billing tests share: who calls, an order to quote, and a way to change the books behind the tools' back."""

from __future__ import annotations

from typing import Any

from fourfold import Unit
from fourfold.ports.units import Parameters
from fourfold.testing import Kit, caller

__all__ = ["ACCOUNT", "GLOBEX", "MADE_UP_ACCOUNT", "OWING", "arrange", "line", "order"]

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
"""Nordic Outfitters in acme: limit 5,000,000, floor 1,200 and hard floor 2,500 basis points, and no invoices."""

OWING = "19ca14e7-ea63-48a4-ae0d-5c8e3b6f7a22"
"""Harbour Supplies in acme: limit 3,000,000 in each currency, unpaid invoices of 1,062,217 EUR, 348,774 USD and
472,769 CNY; floor 1,000 and hard floor 2,000 basis points."""

MADE_UP_ACCOUNT = "00000000-0000-4000-8000-000000000000"

GLOBEX = caller("clerk@globex", tenant="globex")


def line(sku: str = "ABC-1234", *, quantity: Any = 3, price: Any = 2_500) -> dict[str, Any]:
    """One line of an order; `price` is for one piece, in minor units."""
    return {"sku": sku, "quantity": quantity, "unit_price_minor": price}


def order(*lines: dict[str, Any], account: str = ACCOUNT, currency: str = "EUR") -> dict[str, Any]:
    """Arguments of a quote; without lines the one that the requirement names."""
    return {"account_id": account, "currency": currency, "lines": list(lines) or [line()]}


def arrange(kit: Kit, sql: str, parameters: Parameters = ()) -> None:
    """Change the books as another program would, between two calls."""

    def change(unit: Unit) -> None:
        unit.execute(sql, parameters)

    kit.arrange(change)
