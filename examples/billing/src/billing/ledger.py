"""The ledger for questions that no other tool answers: one SELECT of the caller's own, over views of its own books.

The typed boundary lies around the query instead of in it: which views, how many rows, how long, what comes back.
Another tenant's rows are not in the views, so that no query can be wrong about them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from billing import store
from billing.catalog import catalog
from fourfold import Input, Read, Sandbox, Unit
from fourfold.sandbox import QueryResult, SandboxedQuery

__all__ = ["LedgerQuery", "ledger_query", "prepare"]

_VIEWS = {
    "accounts": "SELECT tenant, account_id, account_reference, name, credit_limit_minor FROM account",
    "customers": "SELECT tenant, customer_reference, name, client_location, account_id FROM customer",
    "invoices": """
      SELECT i.tenant, i.invoice_reference, i.customer_reference, c.name AS customer_name, i.account_id, i.currency,
        i.without_tax_minor, i.amount_minor, i.issued_on, i.due_on, i.paid_on
      FROM invoice AS i JOIN customer AS c ON c.tenant = i.tenant AND c.customer_reference = i.customer_reference
      WHERE i.state = 'final'
    """,
    "quotes": "SELECT tenant, quote_id, account_id, currency, total_minor, created_on FROM quote",
}

_COLUMNS = (
    "One SELECT in SQLite's dialect, over "
    "accounts(account_id, account_reference, name, credit_limit_minor), "
    "customers(customer_reference, name, client_location, account_id), "
    "invoices(invoice_reference, customer_reference, customer_name, account_id, currency, without_tax_minor, "
    "amount_minor, issued_on, due_on, paid_on), "
    "quotes(quote_id, account_id, currency, total_minor, created_on). "
    "invoices are the issued ones, no drafts; amount_minor is what is payable. Dates are text, YYYY-MM-DD; paid_on "
    "is NULL until it is paid. Group sums by currency."
)


class LedgerQuery(Input):
    """The question, as SQL."""

    sql: Annotated[
        str,
        Field(min_length=8, max_length=2_000, description=_COLUMNS),
        Sandbox(readable=tuple(_VIEWS), max_rows=200, timeout_s=2),
    ]


@catalog.prepare
def prepare(unit: Unit) -> None:
    """Make the views anew, so that they are always those of this version."""
    store.prepare(unit)  # a view needs its tables, whichever module was imported first
    for name, select in _VIEWS.items():
        unit.execute(f"DROP VIEW IF EXISTS {name}")
        unit.execute(f"CREATE VIEW {name} AS {select}")


@catalog.tool(
    name="ledger_query",
    version="1.0",
    does="Answer a question about invoices, quotes and accounts with one SQL SELECT",
    use_when="the user asks for counts, sums or comparisons",
    not_for="one invoice (invoice_get) or unpaid ones (invoice_list)",
    effect=Read(),
    needs={"ledger:read"},
    toolsets={"ledger"},
    returns="Returns typed columns and at most 200 rows; complete is false if there are more",
    says="rows: {returned}, complete: {complete}",
)
def ledger_query(request: LedgerQuery, query: SandboxedQuery) -> QueryResult:
    """The rows of the query, in the caller's tenant."""
    return QueryResult.of(query.run(request.sql))
