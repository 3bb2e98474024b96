"""Carries out an order with LangChain's MCP adapters, run by their own environment; no model takes part.

The package is not installed beside Fourfold, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module, metadata
from typing import Any

sessions: Any = import_module("langchain_mcp_adapters.sessions")
tools_module: Any = import_module("langchain_mcp_adapters.tools")


async def main(order: dict[str, Any]) -> None:
    """List the tools, and invoke them as an agent does when a model has chosen one."""
    async with sessions.create_session(connection_of(order)) as session:
        revision = (await session.initialize()).protocolVersion
        tools = {tool.name: tool for tool in await tools_module.load_mcp_tools(session)}
        answers = [await answer(tools[name], arguments) for name, arguments in order["calls"]]
    report = {"tools": [*tools], "revision": revision, "answers": answers}
    print(json.dumps({"version": metadata.version("langchain-mcp-adapters"), **report}))


def connection_of(order: dict[str, Any]) -> dict[str, Any]:
    """The connection that the order names."""
    if "url" in order:
        return {"transport": "streamable_http", "url": order["url"], "headers": order["headers"]}
    program, *arguments = order["command"]
    return {"transport": "stdio", "command": program, "args": arguments, "env": order["env"]}


async def answer(tool: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """What goes back to the model: a tool message, with its status."""
    message = await tool.ainvoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})
    return {"texts": [block["text"] for block in message.content], "failed": message.status == "error"}


asyncio.run(main(json.loads(sys.argv[1])))
