"""What every contender does: price a quote of three lines, save one, list an account's invoices.

One model, one piece of domain code and one set of statements, so that what differs is what is measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from secrets import token_hex
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from fourfold.contracts.base import Input, Output
from fourfold.contracts.markers import Minor, Offer
from fourfold.ports.units import Unit

__all__ = [
    "ACCOUNT",
    "TENANT",
    "AccountId",
    "Currency",
    "Invoice",
    "Invoices",
    "InvoicesRequest",
    "Line",
    "Lines",
    "Quote",
    "QuoteRequest",
    "Saved",
    "invoices_of",
    "prepare",
    "price",
    "save",
]

TENANT = "acme"
ACCOUNT = UUID("8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60")

_INVOICES = 8

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS quote (
        quote_id TEXT PRIMARY KEY, tenant TEXT NOT NULL, account_id TEXT NOT NULL, currency TEXT NOT NULL,
        total_minor INTEGER NOT NULL, lines TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS invoice (
        tenant TEXT NOT NULL, account_id TEXT NOT NULL, invoice_id TEXT NOT NULL, currency TEXT NOT NULL,
        total_minor INTEGER NOT NULL, status TEXT NOT NULL, PRIMARY KEY (tenant, account_id, invoice_id)
    )
    """,
)

_SEED = "INSERT INTO invoice VALUES (?, ?, ?, 'EUR', ?, 'open') ON CONFLICT DO NOTHING"

_INSERT = "INSERT INTO quote (quote_id, tenant, account_id, currency, total_minor, lines) VALUES (?, ?, ?, ?, ?, ?)"

_LIST = """
SELECT invoice_id, currency, total_minor, status FROM invoice
WHERE tenant = ? AND account_id = ? ORDER BY invoice_id LIMIT 20
"""

Currency = Annotated[Literal["USD", "EUR", "CNY"], Field(description="Currency of every price.")]
AccountId = Annotated[UUID, Field(description="The account, from account_find.")]


class Line(Input):
    """One line of a quote."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", max_length=8, description="Article number.")]
    quantity: Annotated[int, Field(ge=1, le=10_000, description="Pieces.")]
    unit_price_minor: Annotated[Offer[Minor], Field(le=10_000_000, description="Offered price of one piece.")]


Lines = Annotated[list[Line], Field(min_length=1, max_length=200, description="What is quoted.")]


class QuoteRequest(Input):
    """What is quoted, to whom."""

    account_id: AccountId
    currency: Currency
    lines: Lines


class PricedLine(Output):
    """A line and what it comes to."""

    sku: Annotated[str, Field(max_length=8)]
    quantity: Annotated[int, Field(ge=1, le=10_000)]
    amount_minor: Minor


class Quote(Output):
    """A priced quote."""

    currency: Currency
    total_minor: Minor
    lines: Annotated[list[PricedLine], Field(max_length=200)]
    flags: Annotated[list[Literal["manual_review", "below_floor"]], Field(max_length=2)]


class Saved(Quote):
    """A priced quote that was saved."""

    quote_id: Annotated[str, Field(max_length=40)]


class InvoicesRequest(Input):
    """Whose invoices."""

    account_id: AccountId


class Invoice(Output):
    """One invoice."""

    invoice_id: Annotated[str, Field(max_length=16)]
    currency: Currency
    total_minor: Minor
    status: Literal["open", "paid"]


class Invoices(Output):
    """Up to 20 invoices."""

    items: Annotated[list[Invoice], Field(max_length=20)]


def price(request: QuoteRequest) -> Quote:
    """The quote for `request`."""
    lines = [_priced(line) for line in request.lines]
    total = sum(line.amount_minor for line in lines)
    return Quote(currency=request.currency, total_minor=total, lines=lines, flags=_flags(total))


def _priced(line: Line) -> PricedLine:
    return PricedLine(sku=line.sku, quantity=line.quantity, amount_minor=line.quantity * line.unit_price_minor)


def _flags(total: int) -> list[Literal["manual_review", "below_floor"]]:
    return ["manual_review"] if total >= 1_000_000 else []


def save(unit: Unit, request: QuoteRequest, *, tenant: str) -> Saved:
    """Price `request` and insert it: one statement."""
    quote = price(request)
    quote_id = f"quo_{token_hex(10)}"
    lines = json.dumps([[line.sku, line.quantity, line.amount_minor] for line in quote.lines])
    unit.execute(_INSERT, (quote_id, tenant, str(request.account_id), quote.currency, quote.total_minor, lines))
    return Saved(
        quote_id=quote_id,
        currency=quote.currency,
        total_minor=quote.total_minor,
        lines=quote.lines,
        flags=quote.flags,
    )


def invoices_of(unit: Unit, account_id: UUID, *, tenant: str) -> Invoices:
    """The invoices of an account: one query for eight rows."""
    rows = unit.rows(_LIST, (tenant, str(account_id)))
    return Invoices(items=[Invoice(**row) for row in rows])


def prepare(unit: Unit) -> None:
    """The tables and the invoices that are listed."""
    for statement in _TABLES:
        unit.execute(statement)
    for values in _invoices():
        unit.execute(_SEED, values)


def _invoices() -> Sequence[tuple[str, str, str, int]]:
    return [(TENANT, str(ACCOUNT), f"inv_{number:04}", number * 12_500) for number in range(1, _INVOICES + 1)]
