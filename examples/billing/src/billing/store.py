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
      credit_limit_minor INTEGER NOT NULL CHECK (credit_limit_minor >= 0),
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
      list_price_minor INTEGER NOT NULL CHECK (list_price_minor > 0),
      PRIMARY KEY (tenant, currency, sku)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS quote (
      tenant TEXT NOT NULL,
      number INTEGER NOT NULL,
      account_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      total_minor INTEGER NOT NULL CHECK (total_minor >= 0),
      flags TEXT NOT NULL,
      lines TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant, number),
      FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, account_id)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS invoice (
      tenant TEXT NOT NULL,
      invoice_reference TEXT NOT NULL,
      account_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
      issued_on TEXT NOT NULL,
      due_on TEXT NOT NULL CHECK (due_on >= issued_on),
      paid_on TEXT,
      version INTEGER NOT NULL,
      PRIMARY KEY (tenant, invoice_reference),
      FOREIGN KEY (tenant, account_id) REFERENCES account (tenant, account_id)
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS invoice_unpaid ON invoice (tenant, due_on, invoice_reference) WHERE paid_on IS NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS invoice_owed ON invoice (tenant, account_id, currency) WHERE paid_on IS NULL
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
    for invoice in seed.invoices():
        _insert(unit, "invoice", row=invoice)


def _insert(unit: Unit, table: str, *, row: Mapping[str, object]) -> None:
    columns, places = ", ".join(row), ", ".join(f":{column}" for column in row)
    unit.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", row)  # noqa: S608  names of this package only
