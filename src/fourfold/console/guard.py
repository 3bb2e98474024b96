"""What every request to the console passes: host, origin, size; and what every answer says to the browser.

The cookie is `SameSite=Strict`, every form holds its session's token, and a form must come from the console's own
origin: each of the three stops a form of another site by itself.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourfold.edge.perimeter import Perimeter
from fourfold.edge.settings import HttpSettings

__all__ = ["Guard"]

_MAX_BODY_BYTES = 65_536
_SAFE = frozenset({"GET", "HEAD"})

_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: with it a browser sends the origin of a form as `null`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """ASGI application around the console."""

    def __init__(self, inner: ASGIApp, *, hosts: frozenset[str], beyond_loopback: bool) -> None:
        self._inner = inner
        settings = HttpSettings(public_hosts=tuple(sorted(hosts)), beyond_loopback=beyond_loopback)
        self._perimeter = Perimeter(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, _headed(send))
            return
        await self._inner(scope, receive, _headed(send))

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if not self._perimeter.admits_host(headers.getlist("host")):
            return PlainTextResponse("this console is not reached by that name; see --public-host", 421)
        if scope["method"] in _SAFE:
            return None
        if _host(headers.get("origin", "")) != headers["host"].lower():
            return PlainTextResponse("a form of the console is sent from the console", 403)
        length = headers.get("content-length", "")
        # A body without a length could be of any; browsers always send one with a form.
        if not (length.isascii() and length.isdecimal()) or int(length) > _MAX_BODY_BYTES:
            return PlainTextResponse("a form has a length, and at most 64 KiB", 413)
        return None


def _host(origin: str) -> str:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


def _headed(send: Send) -> Send:
    """`send`, with the headers that every answer has."""

    async def headed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return headed
