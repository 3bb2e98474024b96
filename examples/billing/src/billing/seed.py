"""The first rows of the books: two companies with accounts, prices and invoices. The same on every machine.

The dates are those of autumn 2026. Later the open invoices fall due, as they do in any books.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import TypedDict

__all__ = ["ACCOUNTS", "AccountRow", "InvoiceRow", "PriceRow", "invoices", "prices"]


class AccountRow(TypedDict):
    """An account; amounts in minor units of every currency, discounts in basis points under list."""

    tenant: str
    account_id: str
    account_reference: str
    name: str
    credit_limit_minor: int
    floor_bps: int
    hard_floor_bps: int


class PriceRow(TypedDict):
    """What one piece of an article lists at, in minor units."""

    tenant: str
    currency: str
    sku: str
    list_price_minor: int


class InvoiceRow(TypedDict):
    """An invoice; dates as YYYY-MM-DD, `paid_on` is `None` until it is paid."""

    tenant: str
    invoice_reference: str
    account_id: str
    currency: str
    amount_minor: int
    issued_on: str
    due_on: str
    paid_on: str | None
    version: int


def _account(key: tuple[str, str], account_id: str, *, name: str, terms: tuple[int, int, int]) -> AccountRow:
    """An account from (tenant, reference) and (credit limit, floor, hard floor)."""
    limit, floor, hard_floor = terms
    return AccountRow(
        tenant=key[0],
        account_id=account_id,
        account_reference=key[1],
        name=name,
        credit_limit_minor=limit,
        floor_bps=floor,
        hard_floor_bps=hard_floor,
    )


ACCOUNTS: tuple[AccountRow, ...] = (
    _account(("acme", "ACC-1001"), "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", name="Nordic Outfitters",
             terms=(5_000_000, 1_200, 2_500)),
    _account(("acme", "ACC-1002"), "1c383cd3-0b7c-498a-b1d4-9e4a7a1f2c11", name="Café Müller",
             terms=(2_000_000, 500, 1_000)),
    _account(("acme", "ACC-1003"), "19ca14e7-ea63-48a4-ae0d-5c8e3b6f7a22", name="Harbour Supplies",
             terms=(3_000_000, 1_000, 2_000)),
    _account(("acme", "ACC-1004"), "a5bfc9e0-7964-4f8d-9d2b-6f1d8c9e0b33", name="Harbour Supplies North",
             terms=(3_000_000, 1_000, 2_000)),
    _account(("acme", "ACC-1005"), "a87ff679-a2f3-471d-8181-a67b7542122c", name="Kestrel Analytics",
             terms=(400_000, 0, 1_500)),
    _account(("globex", "ACC-1001"), "e4da3b7f-bbce-4345-9777-2b0674a318d5", name="Orchard Street Clinic",
             terms=(1_500_000, 1_000, 2_000)),
    _account(("globex", "ACC-2001"), "1679091c-5a88-4faf-afb5-e6087eb1b2dc", name="Meridian Foods",
             terms=(8_000_000, 800, 1_600)),
)  # fmt: skip

_LIST_PRICES = {
    "acme": {"ABC-1234": (3_000, 3_000, 3_000), "ABC-2000": (12_490, 11_990, 89_900), "BOX-0010": (450, 399, 3_150),
             "SRV-0100": (150_000, 140_000, 1_080_000), "PEN-0001": (1, 1, 7)},
    "globex": {"ABC-1234": (4_100, 3_900, 29_500), "GLX-7001": (25_000, 24_000, 180_000)},
}  # fmt: skip
"""By tenant and article, in USD, EUR and CNY. List prices are set for each currency and not converted."""


def prices() -> Iterator[PriceRow]:
    """The price lists; `OLD-0001` is sold in EUR alone."""
    for tenant, articles in _LIST_PRICES.items():
        for sku, listed in articles.items():
            for currency, price in zip(("USD", "EUR", "CNY"), listed, strict=True):
                yield PriceRow(tenant=tenant, currency=currency, sku=sku, list_price_minor=price)
    yield PriceRow(tenant="acme", currency="EUR", sku="OLD-0001", list_price_minor=990)


def invoices() -> Iterator[InvoiceRow]:
    """The invoices. Each company numbers its own, so that some references exist twice."""
    for number in range(1, 31):
        due = date(2026, 3, 2) + timedelta(days=number)
        yield _invoice("acme", number, due=due, paid=due - timedelta(days=2))
    for number in range(31, 91):
        # Two are due on each day, so that the order needs more than the date.
        yield _invoice("acme", number, due=date(2026, 5, 4) + timedelta(days=6 * ((number - 31) // 2)))
    for number in range(91, 161):
        yield _invoice("acme", number, due=date(2026, 11, 3) + timedelta(days=(number - 91) * 5 // 4))
    for number in range(125, 145):
        yield _invoice("globex", number, due=date(2026, 9, 30) + timedelta(days=5 * (number - 125)))


def _invoice(tenant: str, number: int, *, due: date, paid: date | None = None) -> InvoiceRow:
    """One invoice, due 90 days after its issue. Account, currency and amount follow from the number."""
    # The first account has no invoices, so that all of its credit is available.
    customers = [account for account in ACCOUNTS if account["tenant"] == tenant][1:]
    return InvoiceRow(
        tenant=tenant,
        invoice_reference=f"INV-2026-{number:04}",
        account_id=customers[number % len(customers)]["account_id"],
        currency=("EUR", "USD", "EUR", "CNY", "EUR")[number % 5],
        amount_minor=12_500 + number * 7_919 % 90_000,
        issued_on=(due - timedelta(days=90)).isoformat(),
        due_on=due.isoformat(),
        paid_on=paid.isoformat() if paid else None,
        version=1 if paid is None else 2,
    )
