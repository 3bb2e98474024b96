"""A plain Starlette endpoint a tool: JSON in, pydantic, JSON out. No protocol, no identity, no record."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from anyio import to_thread
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.listen import Announce, listen
from benchmarks.plain_store import PlainStore
from benchmarks.quote import InvoicesRequest, QuoteRequest, price

__all__ = ["serve"]

ModelT = TypeVar("ModelT", bound=BaseModel)


async def serve(folder: Path, announce: Announce) -> None:
    """Serve over a database in `folder`."""
    store = PlainStore(folder / "starlette.db")

    async def preview(request: Request) -> Response:
        return _answer(price(await _read(request, QuoteRequest)))

    async def create(request: Request) -> Response:
        asked = await _read(request, QuoteRequest)
        return _answer(await to_thread.run_sync(store.save, asked))

    async def invoices(request: Request) -> Response:
        account = (await _read(request, InvoicesRequest)).account_id
        return _answer(await to_thread.run_sync(store.invoices, account))

    routes = {"quote_preview": preview, "quote_create": create, "invoice_list": invoices}
    app = Starlette(
        routes=[Route(f"/{name}", endpoint, methods=["POST"]) for name, endpoint in routes.items()],
        exception_handlers={ValidationError: _invalid},
    )
    await listen(app, announce)


async def _read(request: Request, model: type[ModelT]) -> ModelT:
    return model.model_validate_json(await request.body())


def _answer(result: BaseModel) -> Response:
    return Response(result.model_dump_json(), media_type="application/json")


def _invalid(_request: Request, _error: Exception) -> Response:
    return Response(status_code=422)
