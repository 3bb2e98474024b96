"""The gate: the one perimeter before the SDK, as a plain ASGI application.

In this order: path, Host and Origin, method, identity, body (size, time, strict JSON), envelope, era, headers,
step-up. What passes is handed to the SDK with its `Arrival` in the scope. The SDK's Host, Origin and authorization
checks are off behind it, because these are stricter.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from secrets import token_hex

import anyio
from mcp_types import INTERNAL_ERROR
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from fourfold.edge.arrival import Arrival
from fourfold.edge.headers import ParameterHeaders, Tools, duplicated_header
from fourfold.edge.identity import Identity
from fourfold.edge.message import Message, MessageError, era_refusal, is_modern, read_message
from fourfold.edge.perimeter import Perimeter
from fourfold.edge.reply import Reply, without_null_id
from fourfold.edge.settings import HttpSettings
from fourfold.edge.tracing import ambient
from fourfold.model.caller import Caller

__all__ = ["Gate"]

_log = logging.getLogger("fourfold.edge")

_CLOSE = (b"connection", b"close")
_NOT_FOUND = Reply.json(404, {"error": "not_found"})
_WRONG_HOST = Reply.json(421, {"error": "host_not_allowed"})
_WRONG_ORIGIN = Reply.json(403, {"error": "origin_not_allowed"})
_WRONG_METHOD = Reply.json(405, {"error": "method_not_allowed"}, (b"allow", b"POST"))
_TOO_LARGE = Reply.json(413, {"error": "body_too_large"}, _CLOSE)
_TOO_SLOW = Reply.json(408, {"error": "body_too_slow"}, _CLOSE)
_ACCEPTED = Reply(202)


class _Request:
    """One HTTP request, as far as it has come."""

    __slots__ = ("_left", "_send", "headers", "pairs", "receive", "scope", "started")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # HTTP parsers differ in whether they leave white space at the end of a value (RFC 9110, section 5.5).
        trimmed = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        self.scope = {**scope, "headers": trimmed}
        self.receive = receive
        self._send = send
        self.pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in trimmed]
        self.headers = dict(self.pairs)
        self.started = False
        self._left = False

    def all(self, name: str) -> list[str]:
        """Every value of a header, by its lower-case name."""
        return [value for key, value in self.pairs if key == name]

    def modern(self, message: Message) -> bool:
        """Whether `message`, which came with this request, belongs to the era without a handshake."""
        return is_modern(message, self.headers.get("mcp-protocol-version"))

    async def send(self, event: Event) -> None:
        """The connection's `send`, remembering that the answer has begun, and silent for a client that left."""
        self.started = True
        if not self._left:
            await self._send(event)

    async def cancel_when_left(self, scope: anyio.CancelScope) -> None:
        """Cancel `scope` when the client leaves. What the stages shield, a claimed write, still ends."""
        while (await self.receive())["type"] != "http.disconnect":
            pass
        self._left = True
        scope.cancel()


class Gate:
    """ASGI application that admits, refuses or answers a request before the SDK sees it.

    Args:
        inner: the SDK's application.
        lifespan: what `inner` needs entered, once, while it serves.
        identity: who is behind an `Authorization` header.
        tools: what is asked about a tool before it is called.
        settings: bounds and names.
    """

    def __init__(
        self,
        inner: ASGIApp,
        lifespan: AbstractAsyncContextManager[None],
        *,
        identity: Identity,
        tools: Tools,
        settings: HttpSettings,
    ) -> None:
        self.settings = settings
        self._inner = inner
        self._lifespan = lifespan
        self._identity = identity
        self._tools = tools
        self._parameter_headers = ParameterHeaders(tools)
        self._perimeter = Perimeter(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection: the lifespan, or one request."""
        # A websocket is neither, and returning refuses it.
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._contain(_Request(scope, receive, send))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Serve while this is entered, for a host without the ASGI lifespan protocol. It can be entered once."""
        async with self._lifespan:
            yield

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _contain(self, request: _Request) -> None:
        """Serve, and let nothing that goes wrong say more than that something did."""
        try:
            await self._serve(request)
        except Exception:  # whatever it is, its text belongs to nobody outside
            reference = token_hex(8)
            _log.error("a request failed, reference %s", reference)
            _log.debug("reference %s", reference, exc_info=True)
            # An answer that has begun cannot be taken back; the connection ends with it.
            if not request.started:
                error = MessageError(code=INTERNAL_ERROR, message="Internal error", data={"reference": reference})
                await Reply(500, error.encode()).send(request.send)

    async def _serve(self, request: _Request) -> None:
        if request.scope["path"] == "/healthz":
            await self._health(request).send(request.send)
            return
        refused = self._outside(request)
        if refused is not None:
            await refused.send(request.send)
            return
        # Before the body is read, so that nobody unknown makes us hold one.
        caller = self._identify(request)
        if caller is None:
            await self._unauthorized().send(request.send)
            return
        body = await self._body(request)
        if isinstance(body, bytes):
            await self._admit(request, caller=caller, body=body)
        elif body is not None:
            await body.send(request.send)

    def _health(self, request: _Request) -> Reply:
        """Status for an orchestrator, which asks by address: the only path without a host check."""
        if request.scope["method"] not in {"GET", "HEAD"}:
            return Reply.json(405, {"error": "method_not_allowed"}, (b"allow", b"GET, HEAD"))
        return Reply.json(200, {"status": "ok", "host_rejections_total": self._perimeter.host_rejections})

    def _outside(self, request: _Request) -> Reply | None:
        """What is refused before anybody is identified."""
        if not self._perimeter.admits_host(request.all("host")):
            return _WRONG_HOST
        if not self._perimeter.admits_origin(request.all("origin")):
            return _WRONG_ORIGIN
        if request.scope["path"] != self.settings.path:
            return _NOT_FOUND
        return None if request.scope["method"] == "POST" else _WRONG_METHOD

    def _identify(self, request: _Request) -> Caller | None:
        values = request.all("authorization")
        return None if len(values) > 1 else self._identity.identify(values[0] if values else None)

    def _unauthorized(self) -> Reply:
        """The same bytes for a missing, a malformed and an unknown token."""
        return Reply.json(401, {"error": "unauthorized"}, (b"www-authenticate", self._challenge()))

    def _challenge(self, *parameters: str) -> bytes:
        where = self.settings.resource_metadata
        known = parameters if where is None else (*parameters, f'resource_metadata="{where}"')
        return f"Bearer {', '.join(known)}".rstrip().encode("latin-1")

    async def _body(self, request: _Request) -> bytes | Reply | None:
        """The whole body; a refusal if it is too large or too slow; `None` if the client left."""
        received = bytearray()
        with anyio.move_on_after(self.settings.read_timeout_s):
            while len(received) <= self.settings.max_body_bytes:
                event = await request.receive()
                if event["type"] != "http.request":
                    return None
                received += event.get("body", b"")
                if not event.get("more_body", False):
                    return bytes(received) if len(received) <= self.settings.max_body_bytes else _TOO_LARGE
            return _TOO_LARGE
        return _TOO_SLOW

    async def _admit(self, request: _Request, *, caller: Caller, body: bytes) -> None:
        message = read_message(body)
        if isinstance(message, MessageError):
            await Reply(message.status, message.encode()).send(request.send)
            return
        reply = self._answer(request, message, caller=caller)
        if reply is not None:
            await reply.send(request.send)
            return
        # Only what had to be mended is written again; everything else goes on as it came.
        raw = json.dumps(message.body).encode() if message.problems else body
        with ambient(request.headers) as trace:
            arrival = Arrival(caller=caller, transport="http", problems=message.problems, ambient=trace)
            scope, modern = arrival.on(request.scope), request.modern(message)
            await self._dispatch(request, scope, receive=_replay(raw), modern=modern)

    def _answer(self, request: _Request, message: Message, *, caller: Caller) -> Reply | None:
        """What is answered without the SDK; `None` for what may be dispatched."""
        refused = self._refusal(request, message, caller=caller)
        if refused is not None:
            return Reply(refused.status, refused.encode())
        if message.id is None:
            # Nothing acts on a posted notification: a cancellation by id could hit another caller's request.
            return _ACCEPTED
        scopes = self._tools.step_up(caller, message.tool) if message.tool else None
        return self._insufficient(scopes) if scopes else None

    def _refusal(self, request: _Request, message: Message, *, caller: Caller) -> MessageError | None:
        found = duplicated_header(message, request.pairs) or era_refusal(
            message, request.headers, modern_only=self.settings.modern_only
        )
        if found is not None or not request.modern(message):
            return found
        return self._parameter_headers.refusal(message, caller=caller, headers=request.headers)

    def _insufficient(self, scopes: frozenset[str]) -> Reply:
        """The step-up challenge (RFC 6750, section 3.1), with every scope that the operation needs."""
        wanted = " ".join(sorted(scopes))
        challenge = self._challenge('error="insufficient_scope"', f'scope="{wanted}"')
        return Reply.json(403, {"error": "insufficient_scope", "scope": wanted}, (b"www-authenticate", challenge))

    async def _dispatch(self, request: _Request, scope: Scope, *, receive: Receive, modern: bool) -> None:
        send = without_null_id(request.send)
        if not modern:
            await self._inner(scope, receive, send)  # in this era a lost connection is not a cancellation
            return
        # A task group here would cost a tenth of the whole call; this task has nothing that could outlive it.
        with anyio.CancelScope() as cancel_scope:
            watch = asyncio.create_task(request.cancel_when_left(cancel_scope))
            try:
                await self._inner(scope, receive, send)
            finally:
                watch.cancel()


def _replay(body: bytes) -> Receive:
    """A `receive` that gives the body once and then waits: only the gate listens for the end of the connection."""
    events: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Event:
        if not events:
            await anyio.sleep_forever()
        return events.pop()

    return receive
