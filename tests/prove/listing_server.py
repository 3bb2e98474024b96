"""The listing server of article B, which has no Go here, on the official SDK's low-level server. It serves stdio.

The article's `invoice_list` stops at `limit` and always answers with an empty `next_cursor`, so that a client takes the
first page for everything. Names, schemas, descriptions and refusals are those of the article; it has more invoices, or
there would be nothing to stop at. `python listing_server.py --mended` answers with a cursor, and takes it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

IS_MENDED = "--mended" in sys.argv
STATUSES = ("open", "overdue")
INVOICES: list[dict[str, Any]] = [
    {
        "tenant": "tenant-a" if number % 3 else "tenant-b",
        "status": STATUSES[number % 2],
        "shown": {"invoice_reference": f"INV-{number}", "currency": "USD", "amount_minor": 1_299},
    }
    for number in range(1, 41)
]
INVOICE = {
    "type": "object",
    "properties": {
        "invoice_reference": {"type": "string"},
        "currency": {"type": "string"},
        "amount_minor": {"type": "integer"},
    },
    "required": ["invoice_reference", "currency", "amount_minor"],
    "additionalProperties": False,
}
INPUT: dict[str, Any] = {
    "status": {"type": "string", "description": "invoice status: open or overdue"},
    "limit": {"type": "integer", "description": "maximum number of invoices to return"},
}
CURSOR = {"cursor": {"type": "string", "description": "next_cursor of the page before"}}
OUTPUT = {"items": {"type": "array", "items": INVOICE}, "next_cursor": {"type": "string"}}


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """An object as the Go SDK describes a struct."""
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


TOOL = {
    "name": "invoice_list",
    "description": "List open or overdue invoices visible to the authenticated tenant. Use for invoice lookup, not for "
    "payment or reminders. Returns at most 50 invoice summaries.",
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
    "inputSchema": closed({**INPUT, **(CURSOR if IS_MENDED else {})}, "status", "limit"),
    "outputSchema": closed(OUTPUT, "items", *([] if IS_MENDED else ["next_cursor"])),
}


def listed(arguments: dict[str, Any]) -> dict[str, Any]:
    """One page."""
    if arguments.get("status") not in STATUSES:
        raise ValueError("invalid_status")
    limit = arguments.get("limit")
    if not isinstance(limit, int) or not 1 <= limit <= 50:
        raise ValueError("invalid_limit")
    if unknown := {*arguments} - {*INPUT, *(CURSOR if IS_MENDED else ())}:
        raise ValueError(f"unexpected additional properties {sorted(unknown)}")
    found = [it["shown"] for it in INVOICES if (it["tenant"], it["status"]) == ("tenant-a", arguments["status"])]
    if not IS_MENDED:
        return {"items": found[:limit], "next_cursor": ""}
    after = arguments.get("cursor")
    known = [it["invoice_reference"] for it in found]
    if after is not None and after not in known:
        raise ValueError("invalid_cursor")
    start = 0 if after is None else known.index(after) + 1
    page = found[start : start + limit]
    more = start + limit < len(found)
    return {"items": page, **({"next_cursor": page[-1]["invoice_reference"]} if more else {})}


async def list_tools(_context: object, _params: object) -> ListToolsResult:
    """The one tool."""
    return ListToolsResult(tools=[Tool.model_validate(TOOL, by_name=False)])


async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult:
    """A page, or why there is none."""
    try:
        page = listed(params.arguments or {})
    except ValueError as refusal:
        return CallToolResult(content=[TextContent(text=str(refusal))], is_error=True)
    return CallToolResult(content=[TextContent(text=json.dumps(page))], structured_content=page)


async def main() -> None:
    """Serve until the input ends."""
    server: Server[Any] = Server("invoice-server", version="v1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
