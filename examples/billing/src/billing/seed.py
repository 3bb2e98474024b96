"""The first rows of the books: two companies with accounts, prices, customers and invoices. The same on every machine.

The dates are those of autumn 2026. Later the open invoices fall due, as they do in any books.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import TypedDict
from zoneinfo import ZoneInfo

from billing.arithmetic import from_minor
from billing.documents import document_of
from billing.invoice_model import DraftLine, DraftRequest
from billing.invoices import InvoiceRow
from billing.money import InvoiceCurrency
from billing.periods import start_ms
from billing.reckoning import reckoned
from billing.tax import Origin, Zone

__all__ = [
    "ACCOUNTS",
    "COMPANIES",
    "CUSTOMERS",
    "AccountRow",
    "CompanyRow",
    "CounterRow",
    "CustomerRow",
    "PaymentRow",
    "PriceRow",
    "counters",
    "invoices",
    "payments",
    "prices",
]


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


class CompanyRow(TypedDict):
    """Who invoices: from where it supplies, and by which clock its days begin."""

    tenant: str
    established: Origin
    time_zone: str


class CustomerRow(TypedDict):
    """Somebody who is invoiced, and the account that it has, if it has one."""

    tenant: str
    customer_reference: str
    name: str
    tax_number: str | None
    client_location: Zone
    email: str | None
    account_id: str | None


class PaymentRow(TypedDict):
    """What was paid for an invoice."""

    tenant: str
    payment_id: str
    draft_reference: str
    currency: str
    amount_minor: int
    received_on: str
    version: int


class CounterRow(TypedDict):
    """The last number of a series that is taken."""

    tenant: str
    name: str
    last: int


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


COMPANIES = (
    CompanyRow(tenant="acme", established="peninsula", time_zone="Europe/Madrid"),
    CompanyRow(tenant="globex", established="canarias", time_zone="Atlantic/Canary"),
)


def _customer(place: int, *, tax_number: str | None, zone: Zone, email: str | None = None) -> CustomerRow:
    """The customer with the account at that place of `ACCOUNTS`; each company numbers its own."""
    account = ACCOUNTS[place]
    number = 1 + sum(before["tenant"] == account["tenant"] for before in ACCOUNTS[:place])
    return CustomerRow(
        tenant=account["tenant"],
        customer_reference=f"C-{number:06}",
        name=account["name"],
        tax_number=tax_number,
        client_location=zone,
        email=email,
        account_id=account["account_id"],
    )


CUSTOMERS: tuple[CustomerRow, ...] = (
    _customer(0, tax_number="DK12345674", zone="eu", email="invoices@nordic-outfitters.example"),
    _customer(1, tax_number="DE136695976", zone="eu", email="buchhaltung@cafe-mueller.example"),
    _customer(2, tax_number=None, zone="world", email="accounts@harbour-supplies.example"),
    _customer(3, tax_number=None, zone="world"),
    _customer(4, tax_number="B35123452", zone="canarias"),
    CustomerRow(tenant="acme", customer_reference="C-000006", name="Papelería Sol", tax_number="B28123451",
                client_location="peninsula", email="compras@papeleria-sol.example", account_id=None),
    _customer(5, tax_number="B35678902", zone="canarias", email="billing@orchard-street.example"),
    _customer(6, tax_number="B38456781", zone="canarias"),
)  # fmt: skip


def counters() -> Iterator[CounterRow]:
    """Where the series stand after these rows. Both companies took their books over in the course of a year."""
    for tenant, customers, invoiced in (("acme", 6, 160), ("globex", 2, 144)):
        yield CounterRow(tenant=tenant, name="customer", last=customers)
        yield CounterRow(tenant=tenant, name="draft", last=invoiced)
        yield CounterRow(tenant=tenant, name="INV-2026", last=invoiced)


@cache
def invoices() -> tuple[InvoiceRow, ...]:
    """The invoices, all of them final. Each company numbers its own, so that some references exist twice."""
    return tuple(_invoices())


def _invoices() -> Iterator[InvoiceRow]:
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


def payments() -> Iterator[PaymentRow]:
    """A payment for each invoice that is paid, by the same number; the last one is paid in three parts."""
    paid = [row for row in invoices() if row["paid_on"]]
    for number, invoice in enumerate(paid[:-1], start=1):
        yield _payment(number, invoice, amount_minor=invoice["amount_minor"])
    last, whole = paid[-1], paid[-1]["amount_minor"]
    for part, amount_minor in enumerate((whole // 2, whole // 4, whole - whole // 2 - whole // 4)):
        yield _payment(len(paid) + part, last, amount_minor=amount_minor)


def _payment(number: int, invoice: InvoiceRow, *, amount_minor: int) -> PaymentRow:
    return PaymentRow(
        tenant=invoice["tenant"],
        payment_id=f"PAY-{number:06}",
        draft_reference=invoice["draft_reference"],
        currency=invoice["currency"],
        amount_minor=amount_minor,
        received_on=invoice["paid_on"] or "",
        version=1,
    )


def _invoice(tenant: str, number: int, *, due: date, paid: date | None = None) -> InvoiceRow:
    """One invoice. Customer, currency and amount follow from the number; none bears a tax."""
    company = next(row for row in COMPANIES if row["tenant"] == tenant)
    # The first account has no invoices, so that all of its credit is available.
    customers = [row for row in CUSTOMERS if row["tenant"] == tenant and row["account_id"]][1:]
    customer = customers[number % len(customers)]
    amount_minor = 12_500 + number * 7_919 % 90_000
    # The first are due early, so that all are issued in the year and the order of their numbers.
    issued = due - timedelta(days=60 if paid else 90)
    return InvoiceRow(
        tenant=tenant,
        draft_reference=f"DRAFT-{number:06}",
        invoice_reference=f"INV-2026-{number:04}",
        state="final",
        customer_reference=customer["customer_reference"],
        account_id=customer["account_id"],
        currency=_currency(number),
        amount_minor=amount_minor,
        without_tax_minor=amount_minor,
        with_tax_minor=amount_minor,
        issued_on=issued.isoformat(),
        issued_ms=start_ms(issued, ZoneInfo(company["time_zone"])) + _TEN_HOURS_MS,
        due_on=due.isoformat(),
        paid_on=paid.isoformat() if paid else None,
        document=_document(
            number, amount_minor, due=due, zone=customer["client_location"], origin=company["established"]
        ),
        version=1 if paid is None else 2,
    )


_TEN_HOURS_MS = 36_000_000


def _currency(number: int) -> InvoiceCurrency:
    currencies: tuple[InvoiceCurrency, ...] = ("EUR", "USD", "EUR", "CNY", "EUR")
    return currencies[number % 5]


def _document(number: int, amount_minor: int, *, due: date, zone: Zone, origin: Origin) -> str:
    """The document of one line at a price, by the rules that invoice_create goes by."""
    currency = _currency(number)
    line = DraftLine(
        description=f"Work on order {number}",
        quantity=Decimal(1),
        unit_price=from_minor(amount_minor, currency),
        tax_rate="zero",
    )
    # Only the customer's place matters here; where it is the company's own, the rate is zero.
    request = DraftRequest(
        customer_reference="C-000001", operation_type="service", currency=currency, due_on=due, lines=[line]
    )
    return document_of(request, reckoned(request, zone=zone, origin=origin)).model_dump_json(exclude_none=True)
