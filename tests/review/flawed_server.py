"""A billing server with planted faults, on the official SDK's low-level server. `python flawed_server.py` serves stdio.

`--ends` makes the process end in the middle of a call, `--hangs` makes a call that is never answered.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable
from itertools import count
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

READ = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITE = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}

INVOICES = [
    {"invoice_id": number, "tenant": "acme" if number % 2 else "globex", "amount": 19.9} for number in range(40)
]


def tool(
    name: str,
    description: str,
    properties: dict[str, Any],
    *,
    required: tuple[str, ...] = (),
    output: dict[str, Any] | None = None,
    annotations: dict[str, bool] | None = None,
) -> dict[str, Any]:
    """A definition as this server lists it."""
    definition: dict[str, Any] = {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "required": [*required]},
    }
    if output is not None:
        definition["outputSchema"] = {"type": "object", "properties": output, "required": [*output]}
    if annotations is not None:
        definition["annotations"] = annotations
    return definition


TOOLS = [
    tool(
        "get_invoice",
        "Get the invoice data for an invoice.",
        {"invoice_id": {"type": "integer"}, "tenant_id": {"type": "string"}},
        required=("invoice_id",),
        output={"invoice_id": {"type": "integer"}, "amount": {"type": "string"}},
        annotations=READ,
    ),
    tool(
        "fetch_invoice",
        "Fetch the invoice data of an invoice.",
        {"invoice_id": {"type": "integer"}, "tenant_id": {"type": "string"}},
        required=("invoice_id",),
        annotations=READ,
    ),
    tool(
        "list_invoices",
        "List invoices.",
        {"cursor": {"type": "string"}, "limit": {"type": "integer"}},
        output={"items": {"type": "array"}, "next_cursor": {"type": "string"}},
        annotations=READ,
    ),
    tool("list_payments", "List payments.", {}, annotations=READ),
    tool("query_ledger", "Run any SQL.", {"sql": {"type": "string"}}, required=("sql",), annotations=READ),
    tool("get_report", "Get a report.", {"name": {"type": "string"}}, required=("name",), annotations=READ),
    tool("sync_status", "Show the state of the sync.", {}, annotations=READ),
    tool("update_invoice", "Change an invoice.", {"changes": {"type": "object"}}, required=("changes",)),
    tool("delete_invoice", "Delete an invoice.", {"invoice_id": {"type": "integer"}}, required=("invoice_id",)),
    tool(
        "refund_payment",
        "Refund a payment.",
        {"payment_id": {"type": "string"}, "amount": {"type": "number"}},
        required=("payment_id", "amount"),
        annotations=WRITE,
    ),
]


def get_invoice(arguments: dict[str, Any]) -> CallToolResult:
    """Whoever names an invoice gets it, of whatever tenant; the amount has another type than promised."""
    found = INVOICES[int(arguments["invoice_id"])]
    return CallToolResult(content=[TextContent(text=json.dumps(found))], structured_content=found)


def list_invoices(_arguments: dict[str, Any]) -> CallToolResult:
    """Every cursor gives the first page."""
    page: dict[str, Any] = {"items": INVOICES[:5], "next_cursor": "5"}
    return CallToolResult(content=[TextContent(text=json.dumps(page))], structured_content=page)


def list_payments(_arguments: dict[str, Any]) -> CallToolResult:
    """All of them, however many there are."""
    rows = [{"payment_id": number, "amount": 19.9, "note": "paid by transfer"} for number in range(2_999)]
    return CallToolResult(content=[TextContent(text=json.dumps(rows))])


def query_ledger(arguments: dict[str, Any]) -> CallToolResult:
    """Runs what it is given, and says what the driver says."""
    with sqlite3.connect(":memory:") as database:
        rows = database.execute(arguments["sql"]).fetchall()
    return CallToolResult(content=[TextContent(text=str(rows))])


def get_report(_arguments: dict[str, Any]) -> CallToolResult:
    """Fails as a driver does, with its connection string."""
    raise ConnectionError("could not connect to postgresql://billing:hunter2@db1.prod.internal:5432/billing")


def sync_status(_arguments: dict[str, Any]) -> CallToolResult:
    """Reports a failure as a success."""
    return CallToolResult(content=[TextContent(text="Error executing sync: ConnectionRefused")])


def write(_arguments: dict[str, Any]) -> CallToolResult:
    """Leaves a trace, so that tests see whether anybody called it."""
    sys.stderr.write("WRITTEN\n")
    return CallToolResult(content=[TextContent(text="done")])


HANDLERS: dict[str, Callable[[dict[str, Any]], CallToolResult]] = {
    "get_invoice": get_invoice,
    "fetch_invoice": get_invoice,
    "list_invoices": list_invoices,
    "list_payments": list_payments,
    "query_ledger": query_ledger,
    "get_report": get_report,
    "sync_status": sync_status,
}
LISTED = count()


async def list_tools(_context: object, _params: object) -> ListToolsResult:
    """The tools, in another order each time."""
    order = TOOLS if next(LISTED) % 2 == 0 else [*reversed(TOOLS)]
    return ListToolsResult(tools=[Tool.model_validate(definition, by_name=False) for definition in order])


async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult:
    """Checks nothing, and answers an exception with all of it."""
    if "--ends" in sys.argv:
        os._exit(3)
    if "--hangs" in sys.argv:
        await anyio.sleep_forever()
    try:
        return HANDLERS.get(params.name, write)(params.arguments or {})
    except Exception:  # this is one of the planted faults
        return CallToolResult(content=[TextContent(text=traceback.format_exc())], is_error=True)


async def main() -> None:
    """Serve on the pipes until the input ends."""
    server = Server("flawed-billing", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, written):
        await server.run(read, written, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
