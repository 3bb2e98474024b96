"""Carries out an order with the MCP client of the OpenAI Agents SDK, run by its own environment; no model takes part.

The package is not installed beside Fourfold, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module, metadata
from typing import Any

mcp: Any = import_module("agents.mcp")
tool_context: Any = import_module("agents.tool_context")


async def main(order: dict[str, Any]) -> None:
    """List the tools, and invoke each as the agent loop does when a model has chosen it."""
    async with server_of(order) as server:
        functions = {tool.name: tool for tool in await mcp.MCPUtil.get_function_tools(server, False, None, None)}
        answers = [await answer(functions[name], arguments) for name, arguments in order["calls"]]
        revision = server.session.protocol_version
    report = {"tools": [*functions], "revision": revision, "answers": answers}
    print(json.dumps({"version": metadata.version("openai-agents"), **report}))


def server_of(order: dict[str, Any]) -> Any:
    """The connection that the order names."""
    if "url" in order:
        params = {"url": order["url"], "headers": order["headers"]}
        return mcp.MCPServerStreamableHttp(params=params, client_session_timeout_seconds=60)
    program, *arguments = order["command"]
    params = {"command": program, "args": arguments, "env": order["env"]}
    return mcp.MCPServerStdio(params=params, client_session_timeout_seconds=60)


async def answer(function: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """What goes back to the model: one text item, or a list of them. Errors are not told apart."""
    text = json.dumps(arguments)
    context = tool_context.ToolContext(None, tool_name=function.name, tool_call_id="1", tool_arguments=text)
    output: Any = await function.on_invoke_tool(context, text)
    # One block comes as it is, several as a list.
    items = [output] if "text" in output else output
    return {"texts": [item["text"] for item in items], "failed": None}


asyncio.run(main(json.loads(sys.argv[1])))
