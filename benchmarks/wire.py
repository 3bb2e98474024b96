"""The bytes that a client sends. Markers in them are replaced for each call, so that no two writes are the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

__all__ = ["KEY", "OPERATIONS", "PRICE", "TOKEN", "Operation", "http_request", "mcp_request", "stdio_line"]

Operation = Literal["quote_preview", "invoice_list", "quote_create"]
OPERATIONS: tuple[Operation, ...] = ("quote_preview", "invoice_list", "quote_create")

TOKEN = "benchmark-token"  # noqa: S105  # opens nothing but the server that the benchmark starts
KEY = "K" * 32
"""Stands where the idempotency key goes; every contender gets one, Fourfold reads it."""
PRICE = 9_999_999
"""Stands where a price goes, so that no two quotes are alike; the same number of digits as what replaces it."""

_REVISION = "2026-07-28"
_ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
_QUOTE = {
    "account_id": _ACCOUNT,
    "currency": "EUR",
    "lines": [
        {"sku": "ABC-1234", "quantity": 3, "unit_price_minor": 2_500},
        {"sku": "DEF-5678", "quantity": 10, "unit_price_minor": 1_999},
        {"sku": "GHI-9012", "quantity": 1, "unit_price_minor": PRICE},
    ],
}
_ARGUMENTS: Mapping[Operation, Mapping[str, Any]] = {
    "quote_preview": _QUOTE,
    "invoice_list": {"account_id": _ACCOUNT},
    "quote_create": _QUOTE,
}
_META = {
    "io.modelcontextprotocol/protocolVersion": _REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "fourfold/idempotencyKey": KEY,
}


def http_request(operation: Operation, *, mcp: bool) -> bytes:
    """One whole HTTP request: a `tools/call` to `/mcp`, or the arguments alone to `/<operation>`."""
    if mcp:
        return mcp_request("tools/call", name=operation, arguments=_ARGUMENTS[operation])
    return _post(f"/{operation}", _json(_ARGUMENTS[operation]), {})


def mcp_request(method: str, **params: Any) -> bytes:
    """One whole HTTP request to `/mcp`."""
    named = {"mcp-name": params["name"]} if "name" in params else {}
    headers = {"mcp-protocol-version": _REVISION, "mcp-method": method, **named}
    return _post("/mcp", _message(method, params), headers)


def stdio_line(operation: Operation) -> bytes:
    """The same `tools/call` as one line."""
    return _message("tools/call", {"name": operation, "arguments": _ARGUMENTS[operation]}) + b"\n"


def _post(path: str, body: bytes, more: Mapping[str, str]) -> bytes:
    headers = {
        "host": "127.0.0.1:80",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "accept": "application/json, text/event-stream",
        "authorization": f"Bearer {TOKEN}",
        **more,
    }
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _message(method: str, params: Mapping[str, Any]) -> bytes:
    return _json({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": _META}})


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
