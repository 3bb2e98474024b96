"""The billing server: quotes and invoices, declared as MCP tools. `fourfold serve billing:catalog` serves it.

Importing the package loads every module that declares a tool, a repository or a table.
"""

from __future__ import annotations

from billing import accounts, drafts, invoices, ledger, quotes, revenue, store, threads, unpaid
from billing.catalog import catalog

__all__ = ["accounts", "catalog", "drafts", "invoices", "ledger", "quotes", "revenue", "store", "threads", "unpaid"]
