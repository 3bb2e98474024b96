"""Fourfold: the catalog that is measured, and how it is served. Callers are recognised by their token."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.listen import Announce
from benchmarks.quote import (
    TENANT,
    Invoices,
    InvoicesRequest,
    Quote,
    QuoteRequest,
    Saved,
    invoices_of,
    prepare,
    price,
    save,
)
from benchmarks.wire import TOKEN
from fourfold.bootstrap.service import open_service
from fourfold.catalog.declare import Catalog
from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.edge.stdio import serve_stdio, take_stdout
from fourfold.model.caller import Caller
from fourfold.model.contract import Limits
from fourfold.model.effect import Create, Preview, Read
from fourfold.ports.units import Unit

__all__ = ["CALLER", "IDENTITY", "catalog", "serve", "speak"]

CALLER = Caller(principal="clerk@acme", tenant=TENANT, scopes=frozenset({"quotes:write"}), name="clerk")
IDENTITY = TokenIdentity([KnownToken(caller=CALLER, token_sha256=sha256(TOKEN.encode()).hexdigest())])

_LIMITS = Limits(calls_per_minute=100_000_000, concurrency=64)
"""One caller makes all the calls here; the rate is still counted, but never reached."""

catalog = Catalog("bench", version="1", instructions="Quotes and invoices.")
catalog.prepare(prepare)


@catalog.tool(
    name="quote_preview",
    version="1.0",
    does="Price line items without saving anything.",
    use_when="the user asks what something would cost",
    not_for="saving a quote (quote_create)",
    effect=Preview(),
    limits=_LIMITS,
)
async def quote_preview(request: QuoteRequest) -> Quote:
    """Price a quote, on the event loop."""
    return price(request)


@catalog.tool(
    name="quote_estimate",
    version="1.0",
    does="Estimate the total of line items in a worker thread.",
    use_when="the handler of a preview has to be a plain function",
    not_for="an ordinary price (quote_preview)",
    effect=Preview(),
    limits=_LIMITS,
)
def quote_estimate(request: QuoteRequest) -> Quote:
    """Price a quote, in a thread."""
    return price(request)


@catalog.tool(
    name="quote_create",
    version="1.0",
    does="Save a priced quote with a number.",
    use_when="the user wants a quote that can be sent",
    not_for="asking for a price only (quote_preview)",
    effect=Create(),
    needs={"quotes:write"},
    limits=_LIMITS,
)
def quote_create(request: QuoteRequest, unit: Unit, caller: Caller) -> Saved:
    """Save a quote, in the transaction of its claim and its run."""
    return save(unit, request, tenant=caller.tenant)


@catalog.tool(
    name="invoice_list",
    version="1.0",
    does="List the newest invoices of one account.",
    use_when="the user asks what an account was billed",
    not_for="quotes, which are not billed yet (quote_preview)",
    effect=Read(),
    limits=_LIMITS,
)
def invoice_list(request: InvoicesRequest, unit: Unit, caller: Caller) -> Invoices:
    """List invoices, over a reader of the store."""
    return invoices_of(unit, request.account_id, tenant=caller.tenant)


async def serve(folder: Path, announce: Announce) -> None:
    """Serve over HTTP, from a SQLite store in `folder`."""

    def found(url: str) -> None:
        announce(urlsplit(url).port or 0)

    async with open_service(catalog.build(), _store(folder)) as service:
        await serve_http(build_app(service, IDENTITY), port=0, announce=found)


async def speak(folder: Path) -> None:
    """Serve one client over stdio."""
    wire = take_stdout()
    async with open_service(catalog.build(), _store(folder)) as service:
        await serve_stdio(service, CALLER, wire=wire)


def _store(folder: Path) -> str:
    return f"sqlite:///{folder / 'fourfold.db'}"
