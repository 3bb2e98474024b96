"""A small catalog of sales with prices, states, filters and a report, and with the faults that somebody asks for."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Create,
    Destroy,
    Fault,
    Input,
    MinorUnits,
    Output,
    Page,
    PageRequest,
    Preview,
    Read,
    Resource,
    Retry,
    Row,
    Unit,
    Update,
    WrongState,
)
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.effects import Impact, PlanTerms

__all__ = ["till"]

_SALE = """
CREATE TABLE IF NOT EXISTS sale (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, currency TEXT NOT NULL,
  total_minor INTEGER NOT NULL, state TEXT NOT NULL, sold_on TEXT NOT NULL, version INTEGER NOT NULL)
"""
_SELLER = "CREATE TABLE IF NOT EXISTS seller (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, name TEXT NOT NULL)"
_FIRST = date(2026, 3, 1)

SaleId = Annotated[str, Field(pattern=r"^sale-\d{1,9}$", examples=["sale-1"])]
SellerId = Annotated[str, Field(pattern=r"^seller-\d{1,9}$", examples=["seller-1"])]
Currency = Literal["EUR", "USD"]
Minor = Annotated[int, MinorUnits(), Field(ge=0, le=10**12)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
State = Literal["open", "closed"]
Days = Literal["day", "week"]
_ABOUT: dict[str, Any] = {"version": "1.0", "use_when": "the user asks for it", "not_for": "anything else"}


class Unknown(Fault):
    """Nothing with that id is visible to you."""

    code, retry, next_step = "unknown", Retry.NEVER, "Ask the user which one they mean"


class NameTaken(Fault):
    """Somebody has that name."""

    code, retry, next_step = "name_taken", Retry.NEVER, "Ask the user for another name"


class Order(Input):
    currency: Currency
    amount_minor: Annotated[int, MinorUnits(), Field(ge=1, le=100_000)]
    pieces: Annotated[int, Field(ge=1, le=1_000)]


class SaleKey(Input):
    sale_id: SaleId


class SellerKey(Input):
    seller_id: SellerId


class Named(Input):
    name: Name


class Filter(Input):
    state: State | None = None


class Nothing(Input):
    pass


class Range(Input):
    first_day: date
    before: date
    group_by: Days


class Priced(Output):
    currency: Currency
    total_minor: Minor


class Sale(Output):
    sale_id: SaleId
    currency: Currency
    total_minor: Minor
    state: State
    version: Annotated[str, Field(max_length=10)]
    allowed_actions: Annotated[list[Literal["sale_close"]], Field(max_length=1)]


class Gone(Output):
    sale_id: SaleId


class Seller(Output):
    seller_id: SellerId
    name: Name


class Sum(Output):
    currency: Currency
    total_minor: Minor


class Part(Output):
    first_day: date
    before: date
    sums: Annotated[list[Sum], Field(max_length=2)]


class Report(Page[Part]):
    totals: Annotated[list[Sum], Field(max_length=2)]


class Till:
    """What one tenant has, as far as the faults leave it so."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self.unit = unit
        self.tenant = caller.tenant

    def sale(self, sale_id: str) -> Row:
        row = self.unit.row("SELECT * FROM sale WHERE tenant = ? AND id = ?", (self.tenant, int(sale_id[5:])))
        if row is None:
            raise Unknown
        return row

    def add(self, order: Order) -> Row:
        sql = "INSERT INTO sale (tenant, currency, total_minor, state, sold_on, version) VALUES (?, ?, ?, 'open', ?, 1)"
        total = order.amount_minor * order.pieces
        self.unit.execute(sql, (self.tenant, order.currency, total, _FIRST.isoformat()))
        return self.unit.rows("SELECT * FROM sale ORDER BY id DESC LIMIT 1")[0]

    def sums(self, first: date, before: date, *, of_all: bool) -> list[Sum]:
        sql = """
            SELECT currency, SUM(total_minor) AS total FROM sale
            WHERE (tenant = ? OR ?) AND sold_on >= ? AND sold_on < ? GROUP BY currency ORDER BY currency
        """
        rows = self.unit.rows(sql, (self.tenant, of_all, first.isoformat(), before.isoformat()))
        return [Sum(currency=row["currency"], total_minor=int(row["total"])) for row in rows]


def _tables(unit: Unit) -> None:
    unit.execute(_SALE)
    unit.execute(_SELLER)
    for number in range(1, 25):
        tenant, state = ("one", "two")[number % 2], ("open", "closed")[number % 3 == 0]
        sold, currency = (_FIRST + timedelta(days=number * 2)).isoformat(), ("EUR", "USD")[number % 5 == 0]
        row = (number, tenant, currency, number * 100, state, sold)
        unit.execute("INSERT OR IGNORE INTO sale VALUES (?, ?, ?, ?, ?, ?, 1)", row)
        unit.execute("INSERT OR IGNORE INTO seller VALUES (?, ?, ?)", (number, tenant, f"Seller {number}"))


def till(*faults: str) -> LoadedCatalog:
    """The catalog with these faults."""
    catalog = Catalog("till")
    catalog.provide(Till)
    catalog.prepare(_tables)
    _sales(catalog, frozenset(faults))
    _sellers(catalog, frozenset(faults))
    _report(catalog, frozenset(faults))
    return LoadedCatalog(catalog.build(), None)


def _sales(catalog: Catalog, faults: frozenset[str]) -> None:  # noqa: C901  one function for each tool
    def shown(row: Row) -> Sale:
        actions: list[Literal["sale_close"]] = ["sale_close"] if row["state"] == "open" or "allowed" in faults else []
        return Sale(
            sale_id=f"sale-{row['id']}",
            currency="EUR" if "euros" in faults else row["currency"],
            total_minor=row["total_minor"],
            state=row["state"],
            version=str(row["version"]),
            allowed_actions=actions,
        )

    def on_sale(request: SaleKey, till: Till) -> Resource | None:
        return Resource(id=request.sale_id, version=str(till.sale(request.sale_id)["version"]))

    def impact(request: SaleKey, till: Till) -> Impact:
        return Impact(summary=f"Deletes sale {till.sale(request.sale_id)['id']}")

    @catalog.tool(name="sale_preview", does="Prices a sale", effect=Preview(), **_ABOUT)
    def sale_preview(request: Order) -> Priced:
        return Priced(currency=request.currency, total_minor=request.amount_minor * request.pieces)

    @catalog.tool(name="sale_create", does="Makes a sale", effect=Create(), **_ABOUT)
    def sale_create(request: Order, till: Till) -> Sale:
        made = shown(till.add(request))
        rounded = int(request.amount_minor / 100 * request.pieces * 100)
        changed = {"total_minor": rounded} if "float" in faults else {"version": "9"} if "version" in faults else {}
        return made.model_copy(update=changed)

    @catalog.tool(name="sale_close", does="Closes a sale", effect=Update(), missing=Unknown, resource=on_sale, **_ABOUT)
    def sale_close(request: SaleKey, till: Till) -> Sale:
        row = till.sale(request.sale_id)
        if row["state"] != "open":
            raise WrongState
        till.unit.execute("UPDATE sale SET state = 'closed', version = version + 1 WHERE id = ?", (row["id"],))
        return shown(till.sale(request.sale_id))

    @catalog.tool(
        name="sale_delete",
        does="Deletes a sale",
        effect=Destroy(plan=PlanTerms(impact=impact)),
        missing=Unknown,
        resource=on_sale,
        **_ABOUT,
    )
    def sale_delete(request: SaleKey, till: Till) -> Gone:
        change = "UPDATE sale SET version = version + 1" if "there" in faults else "DELETE FROM sale"
        till.unit.execute(f"{change} WHERE id = ?", (till.sale(request.sale_id)["id"],))
        return Gone(sale_id=request.sale_id)

    @catalog.tool(name="sale_get", does="Shows a sale", effect=Read(), missing=Unknown, **_ABOUT)
    def sale_get(request: SaleKey, till: Till) -> Sale:
        return shown(till.sale(request.sale_id))

    @catalog.tool(name="sale_list", does="Lists sales", effect=Read(), page_limit=50, **_ABOUT)
    def sale_list(request: Filter, till: Till, *, page: PageRequest) -> Page[Sale]:
        last = 6 if "cut" in faults and request.state is None else 10**9
        state = None if "filter" in faults else request.state
        sql = (
            "SELECT * FROM sale WHERE tenant = ? AND (? IS NULL OR state = ?) AND id > ? AND id < ? ORDER BY id LIMIT ?"
        )
        after = int(page.after[0]) if page.after else 0
        rows = till.unit.rows(sql, (till.tenant, state, state, after, last, page.limit + 1))
        return Page[Sale].of([shown(row) for row in rows], page, position=lambda sale: (sale.sale_id[5:],))


def _sellers(catalog: Catalog, faults: frozenset[str]) -> None:
    def shown(row: Row) -> Seller:
        return Seller(seller_id=f"seller-{row['id']}", name=row["name"])

    @catalog.tool(name="clerk_create", does="Saves a clerk", effect=Create(), faults=[NameTaken], **_ABOUT)
    def clerk_create(request: Named, till: Till) -> Clerk:
        sql = "SELECT 1 FROM seller WHERE (tenant = ? OR ?) AND name = ?"
        if till.unit.row(sql, (till.tenant, "names" in faults, request.name)) is not None:
            raise NameTaken
        till.unit.execute("INSERT INTO seller (tenant, name) VALUES (?, ?)", (till.tenant, request.name))
        return Clerk(name=request.name)

    @catalog.tool(name="seller_get", does="Shows a seller", effect=Read(), missing=Unknown, **_ABOUT)
    def seller_get(request: SellerKey, till: Till) -> Seller:
        sql = "SELECT * FROM seller WHERE tenant = ? AND id = ?"
        row = till.unit.row(sql, (till.tenant, int(request.seller_id[7:])))
        if row is None:
            raise Unknown
        return shown(row)

    @catalog.tool(name="seller_list", does="Lists sellers", effect=Read(), page_limit=50, **_ABOUT)
    def seller_list(request: Nothing, till: Till, *, page: PageRequest) -> Page[Seller]:
        sql = "SELECT * FROM seller WHERE (tenant = ? OR ?) AND id <= 24 AND id > ? ORDER BY id LIMIT ?"
        after = int(page.after[0]) if page.after else 0
        rows = till.unit.rows(sql, (till.tenant, "sellers" in faults, after, page.limit + 1))
        return Page[Seller].of([shown(row) for row in rows], page, position=lambda seller: (seller.seller_id[7:],))


class Clerk(Output):
    name: Name


def _report(catalog: Catalog, faults: frozenset[str]) -> None:
    @catalog.tool(name="sale_report", does="Sums up sales", effect=Read(), page_limit=20, **_ABOUT)
    def sale_report(request: Range, till: Till, *, page: PageRequest) -> Report:
        step = timedelta(days=1 if request.group_by == "day" else 7)
        day = date.fromisoformat(str(page.after[0])) if page.after else request.first_day
        of_all, found, start = "figures" in faults, list[Part](), day
        while day < request.before and len(found) <= page.limit:
            end = min(day + step, request.before)
            if "gap" not in faults or end.month == day.month:
                found.append(Part(first_day=day, before=end, sums=till.sums(day, end, of_all=of_all)))
            day = end
        items, more = found[: page.limit], len(found) > page.limit
        first, last = (start, items[-1].before) if "page" in faults else (request.first_day, request.before)
        totals = till.sums(first, last, of_all=of_all)
        report = Report(items=items, returned=len(items), has_more=more, totals=totals)
        return report.at((items[-1].before.isoformat(),) if more else None)
