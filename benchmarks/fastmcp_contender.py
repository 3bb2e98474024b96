"""FastMCP with its strict switches on. No identity, no record.

It is installed for benchmarks only, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.listen import Announce, listen
from benchmarks.plain_store import PlainStore
from benchmarks.quote import AccountId, Currency, Invoices, Lines, Quote, QuoteRequest, Saved, price

__all__ = ["serve"]


async def serve(folder: Path, announce: Announce) -> None:
    """Serve over HTTP, with a database in `folder`."""
    fastmcp: Any = import_module("fastmcp")
    server = fastmcp.FastMCP("bench", version="1", strict_input_validation=True, mask_error_details=True)
    store = PlainStore(folder / "fastmcp.db")

    async def quote_preview(account_id: AccountId, currency: Currency, lines: Lines) -> Quote:
        return price(QuoteRequest.model_construct(account_id=account_id, currency=currency, lines=lines))

    def quote_create(account_id: AccountId, currency: Currency, lines: Lines) -> Saved:
        asked = QuoteRequest.model_construct(account_id=account_id, currency=currency, lines=lines)
        return store.save(asked)

    def invoice_list(account_id: AccountId) -> Invoices:
        return store.invoices(account_id)

    for tool in (quote_preview, quote_create, invoice_list):
        server.tool(tool)
    await listen(server.http_app(json_response=True, stateless_http=True), announce)
