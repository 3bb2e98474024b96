"""The bare SDK: a low-level `Server`, its schema hook set, pydantic in the handler. No identity, no record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio import to_thread
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from pydantic import BaseModel
from starlette.applications import Starlette

from benchmarks.listen import Announce, listen
from benchmarks.plain_store import PlainStore
from benchmarks.quote import InvoicesRequest, QuoteRequest, price

__all__ = ["app", "serve", "speak"]

Context = ServerRequestContext[Any, Any]
Tool = Callable[[dict[str, Any]], Awaitable[BaseModel]]


async def serve(folder: Path, announce: Announce) -> None:
    """Serve over HTTP, with a database in `folder`."""
    await listen(app(folder), announce)


def app(folder: Path) -> Starlette:
    """The ASGI application."""
    return _server(folder).streamable_http_app(json_response=True, stateless_http=True)


async def speak(folder: Path) -> None:
    """Serve one client over stdio."""
    server = _server(folder)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _server(folder: Path) -> Server[Any]:
    tools = _tools(PlainStore(folder / "sdk.db"))

    async def call(_context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        result = await tools[params.name](params.arguments or {})
        content = [types.TextContent(text=result.model_dump_json())]
        return types.CallToolResult(content=[*content], structured_content=result.model_dump(mode="json"))

    return Server("bench", version="1", on_call_tool=call, get_tool_input_schema=lambda _name: None)


def _tools(store: PlainStore) -> dict[str, Tool]:
    async def preview(arguments: dict[str, Any]) -> BaseModel:
        return price(QuoteRequest.model_validate(arguments, strict=False))

    async def create(arguments: dict[str, Any]) -> BaseModel:
        asked = QuoteRequest.model_validate(arguments, strict=False)
        return await to_thread.run_sync(store.save, asked)

    async def invoices(arguments: dict[str, Any]) -> BaseModel:
        account = InvoicesRequest.model_validate(arguments, strict=False).account_id
        return await to_thread.run_sync(store.invoices, account)

    return {"quote_preview": preview, "quote_create": create, "invoice_list": invoices}
