"""uvicorn for the contenders that bring no server of their own, set up as Fourfold sets up its own."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

__all__ = ["Announce", "listen"]

Announce = Callable[[int], None]
"""Told the port as soon as connections are taken."""


async def listen(app: ASGIApp, announce: Announce) -> None:
    """Serve `app` on a free port, one worker, until SIGTERM."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        # Unset, the head of an answer would wait for the client's acknowledgement before the body follows.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = uvicorn.Config(app, ws="none", access_log=False, log_config=None, server_header=False)
        announce(listener.getsockname()[1])
        await uvicorn.Server(config).serve(sockets=[listener])
