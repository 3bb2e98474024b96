"""A shop whose `order_place` asks a person before it orders: fewer pieces, a day, a gift card."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from fourfold import Caller, Catalog, Create, Fault, Input, Output, Read, Retry, Unit
from fourfold.asking import Ask, Form
from fourfold.model.effect import Effect

__all__ = ["Card", "Day", "Fewer", "Order", "OrderPlaced", "SoldOut", "Stock", "ask", "order", "place", "shop"]


class Order(Input):
    """What is ordered."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{1,4}$", max_length=8)]
    pieces: Annotated[int, Field(ge=1, le=100)]
    delivered: bool = False


class Fewer(Form):
    """How many of what is left."""

    pieces: Annotated[int, Field(ge=1, le=100, description="How many pieces then?")]


class Day(Form):
    """When it is brought."""

    day: date
    floor: Annotated[str, Field(max_length=2_000)] | None = None


class Card(Form):
    """A card in the parcel, where the pieces are few."""

    motif: Literal["flowers", "sea"]


class OrderPlaced(Output):
    """The order."""

    pieces: Annotated[int, Field(ge=1, le=100)]
    day: Annotated[str, Field(max_length=10)] | None = None
    motif: Annotated[str, Field(max_length=10)] | None = None


class SoldOut(Fault):
    """There is nothing left of it."""

    code, retry, next_step = "sold_out", Retry.NEVER, "Tell the user"


class Nothing(Input):
    """No arguments."""


class Counted(Output):
    """How many orders there are."""

    orders: Annotated[int, Field(ge=0, le=1_000_000)]


class Stock:
    """What is left, and what was ordered."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def left(self, sku: str) -> int:
        """Pieces that are left."""
        row = self._unit.row("SELECT left_over FROM stock WHERE sku = ?", (sku,))
        return int(row["left_over"]) if row else 0

    def order(self, sku: str, pieces: int) -> None:
        """Take pieces out of the stock."""
        self._unit.execute("UPDATE stock SET left_over = left_over - ? WHERE sku = ?", (pieces, sku))
        self._unit.execute("INSERT INTO placed (tenant, sku, pieces) VALUES (?, ?, ?)", (self._tenant, sku, pieces))

    def orders(self) -> int:
        """How many orders were placed, of all tenants."""
        row = self._unit.row("SELECT count(*) AS n FROM placed")
        return int(row["n"]) if row else 0


def prepare(unit: Unit) -> None:
    """Five mugs."""
    unit.execute("CREATE TABLE IF NOT EXISTS stock (sku TEXT PRIMARY KEY, left_over INTEGER NOT NULL)")
    unit.execute("CREATE TABLE IF NOT EXISTS placed (tenant TEXT NOT NULL, sku TEXT NOT NULL, pieces INTEGER NOT NULL)")
    unit.execute("INSERT OR IGNORE INTO stock (sku, left_over) VALUES ('MUG-1', 5)")


def ask(request: Order, stock: Stock, fewer: Fewer | None) -> list[Ask[Any]]:
    """Ask for what does not go without saying; the card only once it is known how many pieces there will be."""
    left = stock.left(request.sku)
    if left == 0:
        raise SoldOut
    asked: list[Ask[Any]] = []
    if request.pieces > left:
        asked.append(Ask(Fewer, f"Only {left} are left. How many do you want?"))
    if request.delivered:
        asked.append(Ask(Day, "When shall it be brought?"))
    if fewer is not None and fewer.pieces == 1:
        asked.append(Ask(Card, "Is it a present?"))
    return asked


def place(request: Order, stock: Stock, *, fewer: Fewer | None, day: Day | None, card: Card | None) -> OrderPlaced:
    """Order what was agreed on."""
    pieces = fewer.pieces if fewer else request.pieces
    if pieces > stock.left(request.sku):
        raise SoldOut
    stock.order(request.sku, pieces)
    return OrderPlaced(pieces=pieces, day=day.day.isoformat() if day else None, motif=card.motif if card else None)


def count(request: Nothing, stock: Stock) -> Counted:
    """Count the orders."""
    return Counted(orders=stock.orders())


def order(pieces: int = 8, **more: Any) -> dict[str, Any]:
    """Arguments of an order."""
    return {"sku": "MUG-1", "pieces": pieces, **more}


def shop(handler: Callable[..., Any] = place, effect: Effect | None = None, **declared: Any) -> Catalog:
    """A catalog of `order_place`, which asks, and `order_count`, which does not."""
    catalog = Catalog(declared.pop("catalog", "shop"), policy=declared.pop("policy", None))
    catalog.provide(Stock)
    catalog.prepare(prepare)
    contract: dict[str, Any] = {
        "name": "order_place",
        "version": "1.0",
        "does": "Places an order",
        "use_when": "the user wants to have something",
        "not_for": "counting orders (order_count)",
        "ask": ask,
        "faults": [SoldOut],
        **declared,
    }
    catalog.tool(effect=effect or Create(), **contract)(handler)
    catalog.tool(
        name="order_count",
        version="1.0",
        does="Counts orders",
        use_when="the user asks how many there are",
        not_for="placing one (order_place)",
        effect=Read(),
    )(count)
    return catalog
