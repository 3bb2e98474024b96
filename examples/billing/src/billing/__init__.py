"""The billing server: quotes and invoices, declared as MCP tools. `fourfold serve billing:catalog` serves it.

Importing the package loads every module that declares a tool, a repository or a table.
"""

from __future__ import annotations

from billing import (
    accounts,
    credit_notes,
    drafts,
    issuing,
    ledger,
    mail,
    payments,
    quotes,
    refunds,
    revenue,
    sending,
    store,
    threads,
    unpaid,
)
from billing.catalog import catalog

__all__ = [
    "accounts",
    "catalog",
    "credit_notes",
    "drafts",
    "issuing",
    "ledger",
    "mail",
    "payments",
    "quotes",
    "refunds",
    "revenue",
    "sending",
    "store",
    "threads",
    "unpaid",
]
