"""The three callers of the demo, each connected through the official MCP client with its own token."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent, Tool

__all__ = ["TOKENS", "Desk", "Reply", "open_desk"]

TOKENS = {
    "acme's clerk": "demo-acme-clerk",
    "acme's reader": "demo-acme-reader",
    "globex's clerk": "demo-globex-clerk",
}
"""Bearer token by caller; fourfold.toml beside the package has their digests."""

_TIMEOUT_S = 30


class Reply:
    """What a tool answered."""

    def __init__(self, result: CallToolResult) -> None:
        self.is_error = result.is_error
        self.text = next((block.text for block in result.content if isinstance(block, TextContent)), "")
        self.structured: Mapping[str, Any] = result.structured_content or {}
        self.meta: Mapping[str, Any] = result.meta or {}
        self.wire = result.model_dump_json(by_alias=True)
        """The whole answer as JSON, to be compared byte by byte."""

    @property
    def fault(self) -> Mapping[str, Any]:
        """Code, retry, next step and problems of an error."""
        return self.meta.get("fourfold/fault", {})

    @property
    def code(self) -> str:
        """The fault's code; "" for a success."""
        return self.fault.get("code", "")


class Desk:
    """Lists and calls tools as one of the callers."""

    def __init__(self, url: str, clients: Mapping[str, Client]) -> None:
        self.url = url
        self._clients = clients

    async def tools(self, who: str) -> list[Tool]:
        """What the caller is shown."""
        return (await self._clients[who].list_tools()).tools

    async def call(self, tool: str, arguments: Mapping[str, object], *, who: str = "acme's clerk") -> Reply:
        """Call one tool."""
        return Reply(await self._clients[who].call_tool(tool, dict(arguments)))

    @property
    def revision(self) -> str:
        """The protocol revision that was agreed on."""
        return next(iter(self._clients.values())).protocol_version


@asynccontextmanager
async def open_desk(url: str) -> AsyncGenerator[Desk]:
    """Connect every caller to the server at `url`."""
    async with AsyncExitStack() as stack:
        clients: dict[str, Client] = {}
        for who, token in TOKENS.items():
            headers = {"Authorization": f"Bearer {token}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=_TIMEOUT_S))
            transport = streamable_http_client(url, http_client=http)
            clients[who] = await stack.enter_async_context(Client(transport, read_timeout_seconds=_TIMEOUT_S))
        yield Desk(url, clients)
