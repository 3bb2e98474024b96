"""Requests as clients write them, and the shortest way to post one."""

from __future__ import annotations

import json
from typing import Any

import httpx2

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def request(method: str, params: dict[str, Any] | None = None, *, number: Any = 1) -> dict[str, Any]:
    """A legacy request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def modern(
    method: str, params: dict[str, Any] | None = None, *, number: Any = 1, meta: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A request of 2026-07-28."""
    return request(method, {**(params or {}), "_meta": {**META, **(meta or {})}}, number=number)


def headers_of(body: dict[str, Any]) -> dict[str, str]:
    """The headers that a client of 2026-07-28 sends with `body`."""
    headers = {**ACCEPT, "mcp-protocol-version": MODERN, "mcp-method": body["method"]}
    name = body["params"].get("name")
    return headers if name is None else {**headers, "mcp-name": name}


def initialize(version: str = "2025-11-25") -> dict[str, Any]:
    """The first request of the handshake."""
    client = {"name": "test", "version": "1"}
    return request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})


async def post(
    client: httpx2.AsyncClient, body: dict[str, Any] | bytes, headers: dict[str, str] | None = None
) -> httpx2.Response:
    """Post `body` with `headers`; by default those that go with it."""
    if headers is None:
        headers = headers_of(body) if isinstance(body, dict) else ACCEPT
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await client.post("/mcp", content=content, headers=headers)


async def call(client: httpx2.AsyncClient, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> Any:
    """The JSON-RPC answer to a modern `tools/call`."""
    body = modern("tools/call", {"name": tool, "arguments": arguments or {}}, meta=meta)
    return (await post(client, body)).json()
