"""A pass-through that an agent is pointed at instead of its provider: it forwards everything, and hears decisions.

Owns the forwarding. What becomes of a decision is `keep`'s matter. Keys pass through in their headers, and are neither
read nor kept.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.edge.perimeter import Perimeter, is_loopback
from fourfold.edge.settings import HttpSettings
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES
from fourfold.selection.wire.events import EventReader
from fourfold.selection.wire.format import WireFormat
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import object_of

__all__ = ["Keep", "recorder"]

Keep = Callable[[WireFormat, JsonObject, JsonObject], None]
"""Takes the format, the request's body and the answer's, which is put together where it was streamed."""

_FORMATS = (OPENAI_CHAT, ANTHROPIC_MESSAGES)
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
     "upgrade", "proxy-connection"}
)  # fmt: skip
"""Headers about one connection (RFC 9110, 7.6.1)."""

_NOT_SENT = _HOP_BY_HOP | {"host", "content-length", "accept-encoding"}
_MOST_REQUEST = 32 << 20
_MOST_ANSWER = 16 << 20
"""Bytes that are read: a larger request is refused, a larger answer passes and is not heard."""

_CONNECT_S = 15.0


@asynccontextmanager
async def recorder(upstream: str, keep: Keep, *, settings: HttpSettings) -> AsyncGenerator[Starlette]:
    """The application that forwards to `upstream`, until the block ends.

    Args:
        upstream: what the path of a request is put behind, such as `https://api.openai.com`.
        keep: called with each decision, after the agent has its answer.
        settings: whether other machines may come in, and under which names.

    Raises:
        ConfigError: `upstream` is no URL that keys may travel to.
    """
    parts = urlsplit(upstream)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ConfigError("an upstream is http or https with a host, such as https://api.openai.com, and no query")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigError(f"{parts.hostname} would be sent keys in the clear; name its https address")
    # No end of reading: a model may think for minutes. No redirect is followed: the client decides about that.
    timeout = httpx2.Timeout(None, connect=_CONNECT_S)
    async with httpx2.AsyncClient(timeout=timeout, follow_redirects=False) as http:
        passing = _Passing(http, upstream.rstrip("/"), keep, perimeter=Perimeter(settings))
        yield Starlette(routes=[Route("/{path:path}", passing.answer, methods=_METHODS)])


@dataclass(frozen=True, slots=True)
class _Passing:
    """Passes each request on, and its answer back."""

    http: httpx2.AsyncClient
    upstream: str
    keep: Keep
    perimeter: Perimeter = field(kw_only=True)

    async def answer(self, request: Request) -> Response:
        """What the upstream answers."""
        headers = request.headers
        if not self.perimeter.admits_host(headers.getlist("host")):
            return _refusal(403, "this Host is not served here")
        if not self.perimeter.admits_origin(headers.getlist("origin")):
            return _refusal(403, "web pages do not come in here")
        raw_path = bytes(request.scope["raw_path"])
        # A target in another form could name another host.
        if not raw_path.startswith(b"/"):
            return _refusal(400, "the target is no path")
        body = await _bounded(request)
        if body is None:
            return _refusal(413, "the request is too large")
        return await self._passed(request, raw_path, body)

    async def _passed(self, request: Request, raw_path: bytes, body: bytes) -> Response:
        query = bytes(request.scope["query_string"])
        url = self.upstream + (raw_path + (b"?" + query if query else b"")).decode("latin-1")
        # Nothing is unpacked here, so the provider is asked not to pack.
        headers = [*_without(request.headers.raw, _NOT_SENT), (b"accept-encoding", b"identity")]
        try:
            sent = self.http.build_request(request.method, url, headers=headers, content=body)
            answer = await self.http.send(sent, stream=True)
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return _refusal(502, "the upstream did not answer")
        wire = next((each for each in _FORMATS if request.url.path.endswith(each.ending)), None)
        heard = _Heard(wire, body, answer) if wire is not None and request.method == "POST" else None
        response = StreamingResponse(self._stream(answer, heard), status_code=answer.status_code)
        response.raw_headers = [*_without(answer.headers.raw, _HOP_BY_HOP)]
        return response

    async def _stream(self, answer: httpx2.Response, heard: _Heard | None) -> AsyncGenerator[bytes]:
        try:
            async for chunk in answer.aiter_raw():
                if heard is not None:
                    heard.listen(chunk)
                yield chunk
        finally:
            await answer.aclose()
        # Behind the last byte: an agent that went away has made no decision that anybody acted on.
        if heard is not None and (decision := heard.decision()) is not None:
            self.keep(*decision)


@dataclass(slots=True)
class _Heard:
    """An answer that passes by."""

    wire: WireFormat
    request: bytes
    answer: httpx2.Response
    body: bytearray = field(default_factory=bytearray)

    def listen(self, chunk: bytes) -> None:
        """Keep what passes, up to the bound and one chunk."""
        if len(self.body) <= _MOST_ANSWER:
            self.body += chunk

    def decision(self) -> tuple[WireFormat, JsonObject, JsonObject] | None:
        """What was asked and answered; `None` where the answer is none, or nobody can read it."""
        packed = self.answer.headers.get("content-encoding", "identity") != "identity"
        if self.answer.status_code != 200 or packed or len(self.body) > _MOST_ANSWER:
            return None
        try:
            return self.wire, object_of(parse(self.request).value), self._whole()
        except StrictJsonError:
            return None

    def _whole(self) -> JsonObject:
        if not self.answer.headers.get("content-type", "").startswith("text/event-stream"):
            return object_of(parse(bytes(self.body)).value)
        gathering = self.wire.gather()
        for event in EventReader().read(bytes(self.body)):
            gathering.take(event)
        return gathering.body()


async def _bounded(request: Request) -> bytes | None:
    """The body; `None` if it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_REQUEST:
            return None
    return bytes(body)


def _without(headers: Iterable[tuple[bytes, bytes]], names: frozenset[str]) -> Iterable[tuple[bytes, bytes]]:
    """The headers, names in lower case, but these, and those that `Connection` names."""
    lower = [(name.lower(), value) for name, value in headers]
    named = {each.strip() for name, value in lower if name == b"connection" for each in value.lower().split(b",")}
    return [(name, value) for name, value in lower if name.decode("latin-1") not in names and name not in named]


def _refusal(status: int, message: str) -> Response:
    return JSONResponse({"error": {"type": "recorder", "message": message}}, status_code=status)
