"""Carries out an order with the MCP client of Pydantic AI, run by its own environment; no model takes part.

The package is not installed beside Fourfold, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module, metadata
from typing import Any

mcp: Any = import_module("pydantic_ai.mcp")
transports: Any = import_module("fastmcp.client.transports")
ModelRetry: Any = import_module("pydantic_ai").ModelRetry


async def main(order: dict[str, Any]) -> None:
    """List the tools, and call them as the agent does when a model has chosen one."""
    async with mcp.MCPToolset(transport_of(order), id="billing") as toolset:
        tools = [tool.name for tool in await toolset.list_tools()]
        answers = [await answer(toolset, name, arguments) for name, arguments in order["calls"]]
        revision = toolset.client.session.protocol_version
    report = {"tools": tools, "revision": revision, "answers": answers}
    print(json.dumps({"version": metadata.version("pydantic-ai-slim"), **report}))


def transport_of(order: dict[str, Any]) -> Any:
    """The connection that the order names."""
    if "url" in order:
        return transports.StreamableHttpTransport(order["url"], headers=order["headers"])
    program, *arguments = order["command"]
    return transports.StdioTransport(program, arguments, env=order["env"])


async def answer(toolset: Any, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What goes back to the model: the value as JSON, or the text that asks it to try again."""
    try:
        value = await toolset.direct_call_tool(name, arguments)
    except ModelRetry as retry:
        return {"texts": [retry.message], "failed": True}
    return {"texts": [json.dumps(value)], "failed": False}


asyncio.run(main(json.loads(sys.argv[1])))
