"""What each protocol revision does on our wire: one table, read by the tests and written as `docs/compatibility.md`.

`python -m tests.edge.compatibility` writes the page. Every cell is a short text that a probe makes out of real
answers; `test_compatibility.py` runs the probes and compares.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.edge.wire import ACCEPT, headers_of, initialize, modern, post, request

PAGE = Path(__file__).parents[2] / "docs" / "compatibility.md"
MODERN, NOVEMBER, JUNE = "2026-07-28", "2025-11-25", "2025-06-18"
REVISIONS = (MODERN, NOVEMBER, JUNE)


@dataclass(frozen=True)
class Peer:
    """A client that speaks one revision over HTTP."""

    http: httpx2.AsyncClient
    revision: str

    @property
    def modern(self) -> bool:
        """Whether the revision has no handshake."""
        return self.revision == MODERN

    async def ask(self, method: str, params: dict[str, Any] | None = None, **capabilities: Any) -> httpx2.Response:
        """One request, as a client of the revision writes it."""
        if not self.modern:
            return await post(self.http, request(method, params), {**ACCEPT, "mcp-protocol-version": self.revision})
        meta = {"io.modelcontextprotocol/clientCapabilities": capabilities}
        return await post(self.http, modern(method, params, meta=meta))

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **capabilities: Any) -> Any:
        """The result of a tool."""
        answer = await self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, **capabilities)
        return answer.json()["result"]


Probe = Callable[[Peer], Awaitable[str]]


@dataclass(frozen=True)
class Behaviour:
    """One row: what is looked at, how, and what each revision shows."""

    name: str
    probe: Probe
    cells: Mapping[str, str]


def _shown(answer: httpx2.Response) -> str:
    """Status and error code, or that there is a result."""
    if not answer.content:
        return f"HTTP {answer.status_code}"
    body = answer.json()
    what = str(body["error"]["code"]) if isinstance(body.get("error"), dict) else "a result"
    return f"HTTP {answer.status_code}, {what}" if "jsonrpc" in body else f"HTTP {answer.status_code}"


async def _first_request(peer: Peer) -> str:
    return _shown(await peer.ask("tools/list"))


async def _initialize(peer: Peer) -> str:
    answer = await peer.ask("initialize", initialize(peer.revision)["params"])
    return f"answers {answer.json()['result']['protocolVersion']}" if "result" in answer.json() else _shown(answer)


async def _unknown_version(peer: Peer) -> str:
    if not peer.modern:
        answer = await post(peer.http, initialize("1999-01-01"), ACCEPT)
        return f"answers {answer.json()['result']['protocolVersion']}"
    body = modern("tools/list", meta={"io.modelcontextprotocol/protocolVersion": "1999-01-01"})
    answer = await post(peer.http, body, {**headers_of(body), "mcp-protocol-version": "1999-01-01"})
    return f"{_shown(answer)}, names {', '.join(answer.json()['error']['data']['supported'])}"


async def _no_version_header(peer: Peer) -> str:
    body = modern("tools/list") if peer.modern else request("tools/list")
    return _shown(await post(peer.http, body, ACCEPT))


async def _discover(peer: Peer) -> str:
    return _shown(await peer.ask("server/discover"))


async def _ping(peer: Peer) -> str:
    return _shown(await peer.ask("ping"))


async def _unknown_method(peer: Peer) -> str:
    return _shown(await peer.ask("no/such"))


async def _unknown_tool(peer: Peer) -> str:
    return _shown(await peer.ask("tools/call", {"name": "no_such"}))


async def _invalid_arguments(peer: Peer) -> str:
    result = await peer.call("echo", {"other": 1})
    return f"tool error `{result['_meta']['fourfold/fault']['code']}`" if result["isError"] else "accepted"


async def _success(peer: Peer) -> str:
    result = await peer.call("echo", {"text": "hi"})
    said = [block["type"] for block in result["content"]]
    return f"structuredContent and {len(said)} text blocks" if said == ["text", "text"] else str(said)


async def _result_fields(peer: Peer) -> str:
    result = (await peer.ask("tools/list")).json()["result"]
    fields = [name for name in ("resultType", "ttlMs", "cacheScope") if name in result]
    if "io.modelcontextprotocol/serverInfo" in result.get("_meta", {}):
        fields.append("serverInfo")
    return ", ".join(fields) or "none"


async def _tool_fields(peer: Peer) -> str:
    tool = (await peer.ask("tools/list")).json()["result"]["tools"][0]
    return ", ".join(name for name in ("title", "outputSchema", "annotations") if name in tool)


async def _question(peer: Peer) -> str:
    result = await peer.call("ask", elicitation={})
    if result.get("resultType") == "input_required":
        return "input_required"
    return f"tool error `{result['_meta']['fourfold/fault']['code']}`"


async def _question_undeclared(peer: Peer) -> str:
    answer = await peer.ask("tools/call", {"name": "ask"})
    if not peer.modern:
        return f"tool error `{answer.json()['result']['_meta']['fourfold/fault']['code']}`"
    return _shown(answer)


async def _get(peer: Peer) -> str:
    return _shown(await peer.http.get("/mcp", headers={**ACCEPT, "mcp-protocol-version": peer.revision}))


async def _session(peer: Peer) -> str:
    answer = await peer.ask("tools/list")
    return "issued" if "mcp-session-id" in answer.headers else "none"


async def _batch(peer: Peer) -> str:
    headers = {**ACCEPT, "mcp-protocol-version": peer.revision}
    answer = await post(peer.http, b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', headers)
    return _shown(answer) + (", no id" if "id" not in answer.json() else "")


async def _parse_error(peer: Peer) -> str:
    answer = await post(peer.http, b"{", {**ACCEPT, "mcp-protocol-version": peer.revision})
    return _shown(answer) + (", no id" if "id" not in answer.json() else "")


async def _notification(peer: Peer) -> str:
    body = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    return _shown(await post(peer.http, body, {**ACCEPT, "mcp-protocol-version": peer.revision}))


async def _listen(peer: Peer) -> str:
    return _shown(await peer.ask("subscriptions/listen", {"notifications": {"toolsListChanged": True}}))


def _both_eras(modern_cell: str, legacy_cell: str) -> Mapping[str, str]:
    return {MODERN: modern_cell, NOVEMBER: legacy_cell, JUNE: legacy_cell}


def _all(cell: str) -> Mapping[str, str]:
    return dict.fromkeys(REVISIONS, cell)


BEHAVIOURS = (
    Behaviour("First request without a handshake", _first_request, _all("HTTP 200, a result")),
    Behaviour(
        "`initialize`",
        _initialize,
        {MODERN: "HTTP 404, -32601", NOVEMBER: "answers 2025-11-25", JUNE: "answers 2025-06-18"},
    ),
    Behaviour(
        "A version that does not exist",
        _unknown_version,
        _both_eras("HTTP 400, -32022, names 2026-07-28", "answers 2025-11-25"),
    ),
    Behaviour("No version header", _no_version_header, _both_eras("HTTP 400, -32020", "HTTP 200, a result")),
    Behaviour("`server/discover`", _discover, _both_eras("HTTP 200, a result", "HTTP 200, -32601")),
    Behaviour("`ping`", _ping, _both_eras("HTTP 404, -32601", "HTTP 200, a result")),
    Behaviour("`subscriptions/listen`", _listen, _both_eras("HTTP 404, -32601", "HTTP 200, -32601")),
    Behaviour("Unknown method", _unknown_method, _both_eras("HTTP 404, -32601", "HTTP 200, -32601")),
    Behaviour("Unknown or hidden tool", _unknown_tool, _both_eras("HTTP 400, -32602", "HTTP 200, -32602")),
    Behaviour("Arguments that break the schema", _invalid_arguments, _all("tool error `invalid_arguments`")),
    Behaviour("A success", _success, _all("structuredContent and 2 text blocks")),
    Behaviour("Fields of a listed tool", _tool_fields, _all("title, outputSchema, annotations")),
    Behaviour(
        "Fields of every result or list",
        _result_fields,
        _both_eras("resultType, ttlMs, cacheScope, serverInfo", "none"),
    ),
    Behaviour("A call that asks a person", _question, _both_eras("input_required", "tool error `approval_required`")),
    Behaviour(
        "The same, client cannot be asked",
        _question_undeclared,
        _both_eras("HTTP 400, -32021", "tool error `approval_required`"),
    ),
    Behaviour("Session", _session, _all("none")),
    Behaviour("GET and DELETE", _get, _all("HTTP 405")),
    Behaviour("Posted notification", _notification, _all("HTTP 202")),
    Behaviour("JSON-RPC batch", _batch, _all("HTTP 400, -32600, no id")),
    Behaviour("Unreadable JSON", _parse_error, _all("HTTP 400, -32700, no id")),
)
"""Rows that one request over HTTP shows."""

OTHER_ROWS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "Client disconnects (HTTP)": (
        _both_eras("reads stop, claimed writes end", "nothing stops"),
        "tests/edge/test_gate.py",
    ),
    "`notifications/cancelled` (stdio)": (
        _all("reads stop, claimed writes end, no answer"),
        "tests/edge/test_stdio.py",
    ),
    "A person answers, in one round or in several": (
        _both_eras("the call goes on with the answers", "never asked: tool error `approval_required`"),
        "tests/edge/test_rounds.py",
    ),
    "A person declines, or cancels": (
        _both_eras("tool error `input_declined`", "never asked: tool error `approval_required`"),
        "tests/edge/test_rounds.py",
    ),
    "A page to open (URL mode)": (
        _both_eras("input_required, with `url`", "tool error `approval_required`"),
        "tests/edge/test_rounds.py",
    ),
    "A question with `out_of_band=`, client cannot be asked": (
        _all("tool error `approval_required` that names the way"),
        "tests/edge/test_rounds.py",
    ),
    "An answer that breaks its form": (
        _both_eras("tool error `invalid_arguments` with its place", "never asked"),
        "tests/edge/test_rounds.py",
    ),
    "`requestState` that is forged, expired or somebody else's": (
        _both_eras("HTTP 400, -32602", "HTTP 200, -32602"),
        "tests/edge/test_rounds.py",
    ),
    "`--modern-only`": (_both_eras("served", "HTTP 400, -32022"), "tests/edge/test_gate.py"),
}
"""Rows that take more than one request; the named tests show them."""

_HEAD = """\
# Compatibility

What a Fourfold server does, by protocol revision. This page is generated: `python -m tests.edge.compatibility`
writes it, and a test runs a probe for each cell of the first table and fails when the page says something else.

A message belongs to 2026-07-28 when its body says so in `params._meta`, or when its version header names something
that is no older revision. Everything else belongs to the revisions with a handshake, which are served without
sessions: any process answers any request. The handshake also accepts 2025-03-26 and 2024-11-05.

"""

_MIDDLE = """
These take more than one request. The named tests prove them.

"""

_TAIL = """
Over stdio the same messages get the same answers. A stdio process serves one client, and stays with the era of its
first request.

Against the official conformance suite, required sets: 37 of 37 scenarios at 2026-07-28, and 25 of 30 at 2025-11-25.
The five others need a session, in which a server sends requests of its own; `tests/conformance/baseline-2025-11-25.yml`
names them.
"""


def page() -> str:
    """The page as it should stand in `docs`."""
    first = [(behaviour.name, *(behaviour.cells[revision] for revision in REVISIONS)) for behaviour in BEHAVIOURS]
    other = [
        (name, *(cells[revision] for revision in REVISIONS), f"`{proof}`")
        for name, (cells, proof) in OTHER_ROWS.items()
    ]
    return (
        _HEAD
        + _table(("Behaviour", *REVISIONS), first)
        + _MIDDLE
        + _table(("Behaviour", *REVISIONS, "Test"), other)
        + _TAIL
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *rows))


if __name__ == "__main__":
    PAGE.write_text(page())
