"""Carries out an order with the official Python SDK, as a program of its own."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


async def main(order: dict[str, Any]) -> None:
    """List the tools and call them; what a model sees is the host's choice between the blocks and the object."""
    async with (
        httpx2.AsyncClient(headers=order.get("headers"), timeout=60) as http,
        Client(transport_of(order, http), mode=order["mode"], read_timeout_seconds=60) as client,
    ):
        tools = [tool.name for tool in (await client.list_tools()).tools]
        answers = [await answer(client, name, arguments) for name, arguments in order["calls"]]
        revision = client.protocol_version
    report = {"tools": tools, "revision": revision, "answers": answers}
    print(json.dumps({"version": metadata.version("mcp"), **report}))


def transport_of(order: dict[str, Any], http: httpx2.AsyncClient) -> Any:
    """The connection that the order names."""
    if "url" in order:
        return streamable_http_client(order["url"], http_client=http)
    program, *arguments = order["command"]
    return stdio_client(StdioServerParameters(command=program, args=arguments, env=order["env"]))


async def answer(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The text blocks, the object, and whether it is an error."""
    result = await client.call_tool(name, arguments)
    texts = [getattr(block, "text", "") for block in result.content]
    return {"texts": texts, "object": result.structured_content, "failed": result.is_error}


anyio.run(main, json.loads(sys.argv[1]))
