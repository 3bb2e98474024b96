"""The tables of the billing server, and its first rows. Owns no query: those stand with the repositories.

Every key begins with the tenant, so that no row can be found without one.
"""

from __future__ import annotations

from collections.abc import Mapping

from billing import seed
from billing.accounts import folded
from billing.catalog import catalog
from fourfold import Unit

__all__ = ["prepare"]

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS account (
      tenant TEXT NOT NULL,
      account_id TEXT NOT NULL,
      account_reference TEXT NOT NULL,
      name TEXT NOT NULL,
      name_folded TEXT NOT NULL,
      credit_limit_minor BIGINT NOT NULL CHECK (credit_limit_minor >= 0),
      floor_bps INTEGER NOT NULL CHECK (floor_bps BETWEEN 0 AND 10000),
      hard_floor_bps INTEGER NOT NULL CHECK (hard_floor_bps BETWEEN floor_bps AND 10000),
      PRIMARY KEY (tenant, account_id),
      UNIQUE (tenant, account_reference)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS price (
      tenant TEXT NOT NULL,
      currency TEXT NOT NULL,
      sku TEXT NOT NULL,
      list_price_minor BIGINT NOT NULL CHECK (list_price_minor > 0),
      PRIMARY KEY (tenant, currency, sku)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS quote (
      tenant TEXT NOT NULL,
      number INTEGER NOT NULL,
      quote_id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      total_minor BIGINT NOT NULL CHECK (total_minor >= 0),
      flags TEXT NOT NULL,
      lines TEXT NOT NULL,
      created_ms BIGINT NOT NULL,
      created_on TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant, number),
      FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, account_id)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS company (
      tenant TEXT PRIMARY KEY,
      established TEXT NOT NULL,
      time_zone TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS customer (
      tenant TEXT NOT NULL,
      customer_reference TEXT NOT NULL,
      name TEXT NOT NULL,
      name_folded TEXT NOT NULL,
      tax_number TEXT,
      client_location TEXT NOT NULL,
      email TEXT,
      account_id TEXT,
      PRIMARY KEY (tenant, customer_reference),
      UNIQUE (tenant, tax_number),
      FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, account_id)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS series (
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      last INTEGER NOT NULL CHECK (last > 0),
      PRIMARY KEY (tenant, name)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS invoice (
      tenant TEXT NOT NULL,
      draft_reference TEXT NOT NULL,
      invoice_reference TEXT,
      state TEXT NOT NULL CHECK (state IN ('draft', 'final')),
      customer_reference TEXT NOT NULL,
      account_id TEXT,
      currency TEXT NOT NULL,
      amount_minor BIGINT NOT NULL CHECK (amount_minor >= 0),
      without_tax_minor BIGINT NOT NULL CHECK (without_tax_minor >= 0),
      with_tax_minor BIGINT NOT NULL CHECK (with_tax_minor >= 0),
      credited_minor BIGINT NOT NULL DEFAULT 0 CHECK (credited_minor BETWEEN 0 AND with_tax_minor),
      sent_on TEXT,
      issued_on TEXT,
      issued_ms BIGINT,
      due_on TEXT NOT NULL CHECK (due_on >= issued_on),
      paid_on TEXT,
      document TEXT NOT NULL,
      version INTEGER NOT NULL,
      PRIMARY KEY (tenant, draft_reference),
      UNIQUE (tenant, invoice_reference),
      FOREIGN KEY (tenant, customer_reference) REFERENCES customer (tenant, customer_reference),
      FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, account_id),
      CHECK ((state = 'final') = (invoice_reference IS NOT NULL)),
      CHECK ((state = 'final') = (issued_on IS NOT NULL)),
      CHECK ((state = 'final') = (issued_ms IS NOT NULL))
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS invoice_unpaid ON invoice (tenant, due_on, invoice_reference)
    WHERE state = 'final' AND paid_on IS NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS invoice_owed ON invoice (tenant, account_id, currency)
    WHERE state = 'final' AND paid_on IS NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS invoice_issued ON invoice (tenant, issued_ms) WHERE state = 'final'
    """,
    """
    CREATE TABLE IF NOT EXISTS credit_note (
      tenant TEXT NOT NULL,
      credit_note_reference TEXT NOT NULL,
      draft_reference TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
      without_tax_minor BIGINT NOT NULL CHECK (without_tax_minor BETWEEN 0 AND amount_minor),
      issued_on TEXT NOT NULL,
      issued_ms BIGINT NOT NULL,
      reason TEXT NOT NULL,
      taxes TEXT NOT NULL,
      left_taxes TEXT NOT NULL,
      invoice_version INTEGER NOT NULL,
      PRIMARY KEY (tenant, credit_note_reference),
      UNIQUE (tenant, draft_reference, invoice_version),
      FOREIGN KEY (tenant, draft_reference) REFERENCES invoice (tenant, draft_reference)
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS credit_note_issued ON credit_note (tenant, issued_ms)
    """,
    """
    CREATE TABLE IF NOT EXISTS payment (
      tenant TEXT NOT NULL,
      payment_id TEXT NOT NULL,
      draft_reference TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
      taken_minor BIGINT NOT NULL DEFAULT 0 CHECK (taken_minor BETWEEN 0 AND amount_minor),
      received_on TEXT NOT NULL,
      version INTEGER NOT NULL,
      PRIMARY KEY (tenant, payment_id),
      FOREIGN KEY (tenant, draft_reference) REFERENCES invoice (tenant, draft_reference)
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS payment_of_invoice ON payment (tenant, draft_reference, received_on, payment_id)
    """,
    """
    CREATE TABLE IF NOT EXISTS refund (
      tenant TEXT NOT NULL,
      refund_key TEXT NOT NULL,
      payment_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'paid')),
      amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
      reason TEXT NOT NULL,
      refund_id TEXT,
      PRIMARY KEY (tenant, refund_key),
      FOREIGN KEY (tenant, payment_id) REFERENCES payment (tenant, payment_id),
      CHECK ((state = 'paid') = (refund_id IS NOT NULL))
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS refund_of_payment ON refund (tenant, payment_id)
    """,
)


@catalog.prepare
def prepare(unit: Unit) -> None:
    """Make what is missing; fill the books only if they are empty."""
    for table in _TABLES:
        unit.execute(table)
    if unit.row("SELECT 1 FROM account LIMIT 1") is None:
        _fill(unit)


def _fill(unit: Unit) -> None:
    for account in seed.ACCOUNTS:
        _insert(unit, "account", row={**account, "name_folded": folded(account["name"])})
    for price in seed.prices():
        _insert(unit, "price", row=price)
    for company in seed.COMPANIES:
        _insert(unit, "company", row=company)
    for customer in seed.CUSTOMERS:
        _insert(unit, "customer", row={**customer, "name_folded": folded(customer["name"])})
    for invoice in seed.invoices():
        _insert(unit, "invoice", row=invoice)
    for payment in seed.payments():
        _insert(unit, "payment", row=payment)
    for counter in seed.counters():
        _insert(unit, "series", row=counter)


def _insert(unit: Unit, table: str, *, row: Mapping[str, object]) -> None:
    columns, places = ", ".join(row), ", ".join(f":{column}" for column in row)
    unit.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", row)  # noqa: S608  names of this package only
