"""A server of one folder on the official SDK's low-level server: `python folder_server.py FOLDER FAULT …`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

FAULTS = frozenset({"follows-links", "shows-environment"})
FOLDER, ON = Path(sys.argv[1]).resolve(), frozenset(sys.argv[2:])
PATH = {"type": "string", "minLength": 1, "maxLength": 400, "examples": ["a.txt"]}
DEFINITION = {
    "name": "file_read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"path": PATH}, "required": ["path"]},
    "annotations": {"readOnlyHint": True},
}


async def list_tools(_context: object, _params: object) -> ListToolsResult:
    """The tool."""
    return ListToolsResult(tools=[Tool.model_validate(DEFINITION, by_name=False)])


def read(path: str) -> str:
    """The beginning of a file; empty if there is none in the folder."""
    plain = Path(os.path.normpath(FOLDER / path))
    try:
        found = plain if "follows-links" in ON else plain.resolve()
        return found.read_text()[:200] if found.is_relative_to(FOLDER) else ""
    except (OSError, ValueError):
        return ""


async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult:
    """A file, or that there is none."""
    text = read(str((params.arguments or {}).get("path")))
    if "shows-environment" in ON and not text:
        text = f"not found, with {dict(os.environ)}"
    return CallToolResult(content=[TextContent(text=text or "not_found: no such file")], is_error=not text)


async def main() -> None:
    """Serve on the pipes until the input ends."""
    if ON - FAULTS:
        raise SystemExit(f"no such fault: {', '.join(ON - FAULTS)}")
    server = Server("folder", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, written):
        await server.run(read, written, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
