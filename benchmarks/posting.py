"""Posts to an ASGI application without a socket, so that what is measured is the application."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
from starlette.types import ASGIApp, Message, Scope

__all__ = ["posting"]


def posting(app: ASGIApp, request: bytes) -> Callable[[], Awaitable[bytes]]:
    """Posts `request`, makes sure that it was answered, and returns the body of the answer."""
    head, _, body = request.partition(b"\r\n\r\n")
    scope = _scope(head)

    async def post() -> bytes:
        events: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            if not events:
                await anyio.sleep_forever()
            return events.pop()

        async def send(event: Message) -> None:
            sent.append(event)

        await app({**scope}, receive, send)
        assert sent[0]["status"] == 200, sent
        return b"".join(event.get("body", b"") for event in sent[1:])

    return post


def _scope(head: bytes) -> Scope:
    lines = [line.partition(b": ") for line in head.split(b"\r\n")[1:]]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "root_path": "",
        "headers": [(name, value) for name, _, value in lines],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
