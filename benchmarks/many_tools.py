"""A catalog of 157 tools as a billing system has them: five templates for 32 resources.

There are reads, pages, previews, creations and updates. Each tool has models of its own, nested where a real one has
them, and works on a store.
"""

# Annotations are evaluated where they stand, since the templates make their models inside functions.
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Create,
    Fault,
    Input,
    Minor,
    MinorUnits,
    Offer,
    Output,
    Page,
    PageRequest,
    Preview,
    Read,
    Resource,
    Retry,
    Subject,
    Unit,
    Update,
)

__all__ = ["RESOURCES", "SCOPES", "TOOLS", "catalog", "make"]

TOOLS = 157
"""As many as the largest server has that the product was made for."""

RESOURCES = (
    "invoice", "quote", "order", "receipt", "estimate", "contract", "subscription", "statement", "reminder", "dispute",
    "voucher", "rebate", "deposit", "retainer", "proposal", "tender", "lease", "rental", "repair", "shipment",
    "delivery", "collection", "expense", "mileage", "timesheet", "milestone", "licence", "warranty", "membership",
    "donation", "grant", "settlement",
)  # fmt: skip

SCOPES = frozenset(f"{resource}:{right}" for resource in RESOURCES for right in ("read", "write"))
"""What a caller needs to see all of them."""

Currency = Literal["USD", "EUR", "CNY"]
Number = Annotated[int, Field(ge=1, le=999_999)]
Title = Annotated[str, Field(min_length=1, max_length=80)]
Sku = Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", examples=["ABC-1234"])]
UnitPrice = Annotated[int, MinorUnits(), Field(ge=0, le=1_000_000_000)]

_TABLE = """
CREATE TABLE IF NOT EXISTS paper (
  tenant TEXT NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  currency TEXT NOT NULL,
  total_minor INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (tenant, kind, number)
)
"""
_FIND = "SELECT * FROM paper WHERE tenant = ? AND kind = ? AND number = ?"
_AFTER = """
SELECT number, title FROM paper
WHERE tenant = :tenant AND kind = :kind AND number > :after AND currency = coalesce(:currency, currency)
ORDER BY number LIMIT :limit
"""
_LAST = "SELECT coalesce(max(number), 0) AS number FROM paper WHERE tenant = ? AND kind = ?"
_INSERT = "INSERT INTO paper VALUES (?, ?, ?, ?, ?, ?, 1)"
_RENAME = "UPDATE paper SET title = ?, version = version + 1 WHERE tenant = ? AND kind = ? AND number = ?"


class UnknownPaper(Fault):
    """Nothing with that number is visible to you."""

    code, retry, next_step = "unknown_number", Retry.NEVER, "Ask the user which one they mean"


def prepare(unit: Unit) -> None:
    """Make the one table that all of them share."""
    unit.execute(_TABLE)


def make(count: int = TOOLS) -> Catalog:
    """A catalog of the first `count` tools, not built yet."""
    made = Catalog("many", version="1.0", instructions="Papers of one company, by kind and number.")
    made.prepare(prepare)
    for index in range(count):
        declare = _TEMPLATES[index % len(_TEMPLATES)]
        declare(made, RESOURCES[index // len(_TEMPLATES)])
    return made


def _declare_get(made: Catalog, kind: str) -> None:
    class Asked(Input):
        number: Annotated[Number, Subject()]

    class Shown(Output):
        number: Number
        title: Title
        currency: Currency
        total_minor: Minor
        version: Annotated[str, Field(max_length=10)]

    @made.tool(
        name=f"{kind}_get",
        version="1.0",
        does=f"Show one {kind} by its number",
        use_when=f"the user asks what a certain {kind} holds",
        not_for=f"looking for one ({kind}_list)",
        effect=Read(),
        missing=UnknownPaper,
        needs={f"{kind}:read"},
        toolsets={kind},
        says=f"{kind} {{number}}: {{total_minor}} minor units of {{currency}}",
    )
    def get(request: Asked, caller: Caller, *, unit: Unit) -> Shown:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        row = unit.row(_FIND, (caller.tenant, kind, request.number))
        if row is None:
            raise UnknownPaper
        shown = {name: row[name] for name in ("number", "title", "currency", "total_minor")}
        return Shown(**shown, version=str(row["version"]))


def _declare_list(made: Catalog, kind: str) -> None:
    class Asked(Input):
        currency: Annotated[Currency | None, Field(description="Only these.")] = None

    class Item(Output):
        number: Number
        title: Title

    @made.tool(
        name=f"{kind}_list",
        version="1.0",
        does=f"List every {kind} of the company, the oldest first",
        use_when=f"the user looks for a {kind} or wants an overview",
        not_for=f"the whole of one ({kind}_get)",
        effect=Read(),
        needs={f"{kind}:read"},
        toolsets={kind},
        says=f"{kind} entries on this page: {{returned}}",
    )
    def list_(request: Asked, caller: Caller, *, unit: Unit, page: PageRequest) -> Page[Item]:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        after = page.after[0] if page.after else 0
        wanted = {"tenant": caller.tenant, "kind": kind, "currency": request.currency}
        rows = unit.rows(_AFTER, {**wanted, "after": after, "limit": page.limit + 1})
        items = [Item(number=row["number"], title=row["title"]) for row in rows]
        return Page[Item].of(items, page, position=lambda item: (item.number,))


def _declare_preview(made: Catalog, kind: str) -> None:
    class Line(Input):
        sku: Sku
        quantity: Annotated[int, Field(ge=1, le=10_000)]
        unit_price_minor: Offer[UnitPrice]

    class Draft(Input):
        account_id: Annotated[UUID, Subject()]
        currency: Currency
        lines: Annotated[list[Line], Field(min_length=1, max_length=200)]

    class Priced(Output):
        currency: Currency
        total_minor: Minor

    @made.tool(
        name=f"{kind}_preview",
        version="1.0",
        does=f"Price the lines of a {kind} without keeping it",
        use_when=f"the user asks what a {kind} would come to",
        not_for=f"one that is kept ({kind}_create)",
        effect=Preview(),
        needs={f"{kind}:read"},
        toolsets={kind},
        says="{total_minor} minor units of {currency}; nothing was saved",
    )
    def preview(request: Draft) -> Priced:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        total = sum(line.quantity * line.unit_price_minor for line in request.lines)
        return Priced(currency=request.currency, total_minor=total)


def _declare_create(made: Catalog, kind: str) -> None:
    class Address(Input):
        street: Title
        city: Title
        country: Annotated[str, Field(pattern=r"^[A-Z]{2}$", description="ISO 3166-1, such as ES.")]

    class Line(Input):
        sku: Sku
        quantity: Annotated[int, Field(ge=1, le=10_000)]
        unit_price_minor: Offer[UnitPrice]

    class Draft(Input):
        account_id: Annotated[UUID, Subject()]
        title: Title
        currency: Currency
        lines: Annotated[list[Line], Field(min_length=1, max_length=200)]
        deliver_to: Address | None = None

    class Saved(Output):
        number: Number
        currency: Currency
        total_minor: Minor

    @made.tool(
        name=f"{kind}_create",
        version="1.0",
        does=f"Save a new {kind} under the next number",
        use_when=f"the user wants a {kind} made",
        not_for=f"trying prices out ({kind}_preview)",
        effect=Create(),
        needs={f"{kind}:write"},
        toolsets={kind},
        says=f"{kind} {{number}} saved: {{total_minor}} minor units of {{currency}}",
    )
    def create(request: Draft, caller: Caller, *, unit: Unit) -> Saved:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        total = sum(line.quantity * line.unit_price_minor for line in request.lines)
        number: int = unit.rows(_LAST, (caller.tenant, kind))[0]["number"] + 1
        unit.execute(_INSERT, (caller.tenant, kind, number, request.title, request.currency, total))
        return Saved(number=number, currency=request.currency, total_minor=total)


def _declare_rename(made: Catalog, kind: str) -> None:
    class Change(Input):
        number: Annotated[Number, Subject()]
        title: Title

    class Changed(Output):
        number: Number
        title: Title
        version: Annotated[str, Field(max_length=10)]

    def find(request: Change, caller: Caller, *, unit: Unit) -> Resource | None:
        row = unit.row(_FIND, (caller.tenant, kind, request.number))
        return None if row is None else Resource(id=f"{kind}-{request.number}", version=str(row["version"]))

    @made.tool(
        name=f"{kind}_rename",
        version="1.0",
        does=f"Give one {kind} another title",
        use_when=f"the user wants the title of a {kind} put right",
        not_for=f"making a new one ({kind}_create)",
        effect=Update(),
        resource=find,
        missing=UnknownPaper,
        needs={f"{kind}:write"},
        toolsets={kind},
        says=f"{kind} {{number}} is now: {{title}}",
    )
    def rename(request: Change, caller: Caller, *, unit: Unit) -> Changed:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        unit.execute(_RENAME, (request.title, caller.tenant, kind, request.number))
        row = unit.rows(_FIND, (caller.tenant, kind, request.number))[0]
        return Changed(number=request.number, title=row["title"], version=str(row["version"]))


_TEMPLATES = (_declare_get, _declare_list, _declare_preview, _declare_create, _declare_rename)

catalog = make()
"""Served as `benchmarks.many_tools:catalog`."""
