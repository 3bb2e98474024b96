"""`Peer`: a client that writes its own frames, well or badly on purpose, in the era that the server speaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.ports.wire import WireAnswer, WireTarget

__all__ = [
    "CAPABILITIES",
    "CLIENT",
    "LEGACY",
    "LOG_LEVEL",
    "MODERN",
    "SERVER_INFO",
    "SPEC",
    "VERSION",
    "Peer",
    "Reply",
    "as_object",
]

MODERN = "2026-07-28"
"""The revision without a handshake."""

LEGACY = ("2025-11-25", "2025-06-18")
"""Revisions with a handshake, the newest first."""

SPEC = f"https://modelcontextprotocol.io/specification/{MODERN}"
"""Where the pages of the specification begin."""

_PREFIX = "io.modelcontextprotocol"
VERSION = f"{_PREFIX}/protocolVersion"
CAPABILITIES = f"{_PREFIX}/clientCapabilities"
LOG_LEVEL = f"{_PREFIX}/logLevel"
SERVER_INFO = f"{_PREFIX}/serverInfo"
CLIENT: JsonObject = {"name": "fourfold-prove", "version": "1"}

Headers = Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back for a frame.

    Attributes:
        answer: all of it.
        response: the message that answers the frame; empty if there is none.
    """

    answer: WireAnswer
    response: JsonObject

    @property
    def result(self) -> JsonObject | None:
        """The result; `None` if there is none."""
        return as_object(self.response.get("result"))

    @property
    def error(self) -> JsonObject:
        """The error; empty if there is none."""
        return as_object(self.response.get("error")) or {}

    @property
    def code(self) -> object:
        """The error's code; `None` if there is no error."""
        return self.error.get("code")

    @property
    def messages(self) -> tuple[JsonObject, ...]:
        """Every message that came, what is no object left out."""
        return tuple(found for each in self.answer.messages if (found := as_object(each)) is not None)

    @property
    def shown(self) -> str:
        """The answer as a verdict says it."""
        what = "a result" if self.result is not None else f"error {self.code}" if self.error else "no JSON-RPC response"
        return f"HTTP {self.answer.status} with {what}" if self.answer.status else what


@dataclass(slots=True, kw_only=True)
class Peer:
    """One conversation with a server.

    Attributes:
        revision: the one that frames are written in.
        spend: counts a frame and gives its number.
        capabilities: what the server has declared.
        session: the session that a server of an older revision has opened; empty without one.
        heard: everything that came back, in order.
    """

    wire: WireTarget
    revision: str
    spend: Callable[[], int]
    capabilities: JsonObject = field(default_factory=dict[str, object])
    session: str = ""
    heard: list[Reply] = field(default_factory=list[Reply])

    @property
    def is_modern(self) -> bool:
        """Whether frames carry the envelope of 2026-07-28."""
        return self.revision == MODERN

    @property
    def over_http(self) -> bool:
        """Whether there are headers and a status."""
        return self.wire.transport == "http"

    def request(self, method: str, params: JsonObject | None = None, *, meta: JsonObject | None = None) -> JsonObject:
        """A request as a good client writes it; `meta` comes on top of what it always carries."""
        given = dict(params or {})
        always: JsonObject = {VERSION: MODERN, CAPABILITIES: {}, f"{_PREFIX}/clientInfo": CLIENT}
        if self.is_modern or meta:
            given["_meta"] = {**(always if self.is_modern else {}), **(meta or {})}
        return {"jsonrpc": "2.0", "id": f"prove-{self.spend()}", "method": method, "params": given}

    def headers(self, frame: JsonObject) -> dict[str, str | None]:
        """The headers that go with a frame."""
        headers: dict[str, str | None] = {"mcp-protocol-version": self.revision}
        if self.session:
            headers["mcp-session-id"] = self.session
        if self.is_modern and "method" in frame:
            name = (as_object(frame.get("params")) or {}).get("name")
            named = {"mcp-name": name} if isinstance(name, str) and name.isascii() else {}
            headers = {**headers, "mcp-method": str(frame["method"]), **named}
        return headers

    async def ask(self, method: str, params: JsonObject | None = None, *, meta: JsonObject | None = None) -> Reply:
        """Send a good request."""
        return await self.send(self.request(method, params, meta=meta))

    async def call(self, tool: str, arguments: JsonObject, *, meta: JsonObject | None = None) -> Reply:
        """Call a tool."""
        return await self.ask("tools/call", {"name": tool, "arguments": arguments}, meta=meta)

    async def cut(self, tool: str, arguments: JsonObject, *, after_s: float | None) -> None:
        """Call a tool, and break the connection before the answer is there; see `WireTarget.cut`."""
        frame = self.request("tools/call", {"name": tool, "arguments": arguments})
        await self.wire.cut(json.dumps(frame).encode(), self.headers(frame), after_s=after_s)

    async def send(self, frame: JsonObject | list[JsonObject], headers: Headers | None = None) -> Reply:
        """Send any JSON, with other headers where some are given; `None` as a value leaves one out."""
        usual = self.headers(frame[0] if isinstance(frame, list) else frame)
        return await self.send_bytes(json.dumps(frame).encode(), {**usual, **(headers or {})})

    async def send_bytes(self, frame: bytes, headers: Headers | None = None) -> Reply:
        """Send a frame as it is, with no headers but the given ones."""
        answer = await self.wire.exchange(frame, headers)
        reply = Reply(answer=answer, response=_response(answer, frame))
        self.heard.append(reply)
        return reply


def _response(answer: WireAnswer, frame: bytes) -> JsonObject:
    """The response with the frame's id, else the first one that came."""
    found = [message for each in answer.messages if (message := as_object(each)) is not None and _ends(message)]
    sent = as_object(json.loads(frame)) if frame.startswith(b"{") and frame.endswith(b"}") else None
    number = None if sent is None else sent.get("id")
    return next((message for message in found if message.get("id") == number), found[0] if found else {})


def _ends(message: JsonObject) -> bool:
    return "result" in message or "error" in message


def as_object(value: object) -> JsonObject | None:
    """A value that is an object; `None` for anything else."""
    return cast("JsonObject", value) if isinstance(value, dict) else None
