"""A catalog behind everything that a deployed server has: the HTTP gate, tokens, stages and a store."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import httpx2

from fourfold import Caller, Catalog
from fourfold.bootstrap.service import open_service
from fourfold.edge.asgi import build_app
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.model.run import Run, RunFilter
from fourfold.stages.service import Service
from fourfold.testing import FixedClock, caller

__all__ = ["TOKEN", "Wire", "deployed"]

TOKEN = "token-of-the-tester"
_MODERN = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": _MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "cases", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Wire:
    """A client of the server, and a look into the server's records."""

    client: httpx2.AsyncClient
    service: Service
    clock: FixedClock

    async def post(self, content: bytes, *, token: str | None = TOKEN, **headers: str) -> httpx2.Response:
        """Post a body as it is."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        bearer = {} if token is None else {"authorization": f"Bearer {token}"}
        accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        version = {"mcp-protocol-version": _MODERN}
        return await self.client.post("/mcp", content=content, headers={**accept, **version, **bearer, **named})

    async def request(self, method: str, params: Mapping[str, Any], *, token: str | None = TOKEN) -> Any:
        """The JSON-RPC answer to a request."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": {**_META, **_meta(params)}}}
        named = {"mcp_name": params["name"]} if "name" in params else {}
        answer = await self.post(json.dumps(body).encode(), token=token, mcp_method=method, **named)
        return answer.json()

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, token: str = TOKEN, key: str | None = None
    ) -> Any:
        """The result of a `tools/call`."""
        meta = {} if key is None else {"fourfold/idempotencyKey": key}
        params = {"name": tool, "arguments": arguments or {}, "_meta": meta}
        return (await self.request("tools/call", params, token=token))["result"]

    async def listed(self, *, token: str = TOKEN) -> Any:
        """The result of a `tools/list`."""
        return (await self.request("tools/list", {}, token=token))["result"]

    async def runs(self) -> list[Run]:
        """Every run so far, the newest first."""
        await self.service.ports.runs.flush()
        return [record.run for record in await self.service.ports.runs.list(RunFilter(), limit=1_000)]


def _meta(params: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = params.get("_meta", {})
    return found


@asynccontextmanager
async def deployed(
    catalog: Catalog, callers: Mapping[str, Caller] | None = None, *, store: str = "memory:"
) -> AsyncGenerator[Wire]:
    """Serve `catalog` to `callers`, by their tokens; to the tester alone if none are named."""
    known = callers or {TOKEN: caller(scopes=[])}
    identity = TokenIdentity(
        [KnownToken(caller=who, token_sha256=sha256(token.encode()).hexdigest()) for token, who in known.items()]
    )
    clock = FixedClock()
    async with open_service(catalog.build(), store, clock=clock) as service:
        app = build_app(service, identity)
        transport = httpx2.ASGITransport(app)
        async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
            yield Wire(client, service, clock)
