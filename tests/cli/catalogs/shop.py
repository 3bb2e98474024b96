"""A small catalog for the command line to serve: a read, a write, and a tool that breaks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Read, Retry, Subject, Unit, Waived

catalog = Catalog("shop", version="1.2", instructions="A shop for tests.")

Sku = Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", description="Article number.")]
Pieces = Annotated[int, Field(ge=1, le=1000)]


class UnknownArticle(Fault):
    """There is no article with that number."""

    code, retry, next_step = "unknown_article", Retry.NEVER, "Ask the user which article they mean."


class OutOfStock(Fault):
    """There are not enough pieces of this article."""

    code, retry, next_step = "out_of_stock", Retry.AFTER, "Wait for the next delivery, or order fewer."


class StockGet(Input):
    """Which article is asked for."""

    sku: Sku


class Stock(Output):
    """What is there of an article."""

    sku: Sku
    pieces: Annotated[int, Field(ge=0, le=1000)]
    level: Literal["plenty", "low", "none"]


class OrderCreate(Input):
    """What is ordered, and for whom."""

    customer: Annotated[str, Field(pattern=r"^C\d{3}$"), Subject()]
    sku: Sku
    pieces: Pieces
    remark: Annotated[str | None, Waived("unbounded_string", "customers paste whole letters here")] = None


class Order(Output):
    """The order as it was saved."""

    order_id: Annotated[str, Field(max_length=12)]
    pieces: Pieces
    delivery: Literal["today", "tomorrow"]


class Report(Input):
    """A report about nothing in particular."""


@catalog.prepare
def tables(unit: Unit) -> None:
    """The tables, with three articles in them."""
    unit.execute("CREATE TABLE IF NOT EXISTS stock (tenant TEXT, sku TEXT, pieces INTEGER, PRIMARY KEY (tenant, sku))")
    unit.execute("CREATE TABLE IF NOT EXISTS purchase (number INTEGER PRIMARY KEY, tenant TEXT, sku TEXT, pieces INT)")
    for sku, pieces in (("ABC-1234", 900), ("LOW-0002", 2), ("OUT-0000", 0)):
        unit.execute("INSERT OR IGNORE INTO stock VALUES ('acme', ?, ?)", (sku, pieces))


@catalog.tool(
    name="stock_get",
    version="1.0",
    does="Tell how many pieces of an article are in stock.",
    use_when="the user asks whether something is available",
    not_for="buying it (order_create)",
    effect=Read(),
    missing=UnknownArticle,
    toolsets=["stock"],
    says="{pieces} pieces of {sku}",
)
def stock_get(request: StockGet, unit: Unit) -> Stock:
    """Look an article up."""
    print("looking into the shelves")  # noqa: T201  # it must not reach a result
    found = unit.row("SELECT pieces FROM stock WHERE tenant = 'acme' AND sku = ?", (request.sku,))
    if found is None:
        raise UnknownArticle
    pieces: int = found["pieces"]
    return Stock(sku=request.sku, pieces=pieces, level="none" if pieces == 0 else "low" if pieces < 10 else "plenty")


@catalog.tool(
    name="order_create",
    version="1.0",
    does="Order pieces of one article for a customer.",
    use_when="the user wants to buy something",
    not_for="asking what is available (stock_get)",
    effect=Create(),
    missing=UnknownArticle,
    faults=[OutOfStock],
    needs={"orders:write"},
    says="order {order_id} saved",
)
def order_create(request: OrderCreate, unit: Unit) -> Order:
    """Save an order."""
    where = (request.sku, request.pieces)
    taken = unit.execute("UPDATE stock SET pieces = pieces - ?2 WHERE sku = ?1 AND pieces >= ?2", where)
    if not taken:
        raise OutOfStock(retry_after_ms=60_000)
    unit.execute("INSERT INTO purchase (tenant, sku, pieces) VALUES ('acme', ?, ?)", where)
    number = (unit.row("SELECT max(number) AS newest FROM purchase") or {"newest": 0})["newest"]
    return Order(order_id=f"A{number:05}", pieces=request.pieces, delivery="today")


@catalog.tool(
    name="report_make",
    version="1.0",
    does="Count everything in the shop.",
    use_when="somebody wants to see an unexpected error",
    not_for="anything else",
    effect=Read(),
    needs={"reports:read"},
)
def report_make(request: Report) -> Stock:
    """Break, with a text that nobody outside may see."""
    raise RuntimeError("no answer from postgresql://svc:hunter2@db.internal/prod")
