"""The HTTP side, put together: the gate before the SDK's session manager, and uvicorn around both."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp

from fourfold.edge.connection import BoundedConnection
from fourfold.edge.gate import Gate
from fourfold.edge.headers import Tools
from fourfold.edge.identity import Identity
from fourfold.edge.perimeter import is_loopback
from fourfold.edge.server import LowLevelServer, ToolService, build_server
from fourfold.edge.settings import HttpSettings
from fourfold.errors import ConfigError

__all__ = ["build_app", "mount", "serve_asgi", "serve_http"]

_DRAIN_S = 40
"""Seconds that open calls get at shutdown. Above the default deadline of a call, so that a claimed write ends."""


def build_app(service: ToolService, identity: Identity, *, settings: HttpSettings | None = None) -> Gate:
    """The ASGI application that serves `service`."""
    return mount(build_server(service), tools=service, identity=identity, settings=settings or HttpSettings())


def mount(server: LowLevelServer, *, tools: Tools, identity: Identity, settings: HttpSettings) -> Gate:
    """The gate before any low-level server; see `build_app`."""
    manager = StreamableHTTPSessionManager(
        server,
        json_response=settings.json_response,
        stateless=True,
        # The gate has counted the bytes; what it mended may be written longer than it came.
        max_request_body_size=settings.max_body_bytes * 8,
    )
    return Gate(manager.handle_request, manager.run(), identity=identity, tools=tools, settings=settings)


async def serve_http(
    app: Gate,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    announce: Callable[[str], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Serve until SIGINT or SIGTERM, then let open calls finish and return. Writes nothing to standard output.

    Args:
        app: from `build_app`.
        host: address to bind.
        port: port to bind; 0 takes a free one.
        announce: called with the endpoint's URL as soon as connections are taken.
        stop: asked several times a second; when it says so, it ends as after SIGTERM.

    Raises:
        ConfigError: the address cannot be bound, or other machines reach it and the settings do not say so.
    """
    if not is_loopback(host) and not app.settings.beyond_loopback:
        raise ConfigError(f"{host} is reachable from other machines: set beyond_loopback and public_hosts")
    path = app.settings.path
    await serve_asgi(app, host=host, port=port, announce=lambda url: announce and announce(url + path), stop=stop)


async def serve_asgi(
    app: ASGIApp,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None],
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Serve any application as `serve_http` does. Who may reach it is the application's to check.

    Raises:
        ConfigError: the address cannot be bound.
    """
    with _listen(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{listener.getsockname()[1]}"
        server = _Uvicorn(_config(app), started=lambda: announce(url), stop=stop)
        try:
            await server.serve(sockets=[listener])
        finally:
            server.let_go()


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="on",
        http=BoundedConnection,
        ws="none",
        access_log=False,
        # The process decides about logging; uvicorn's own set-up would write to standard output.
        log_config=None,
        server_header=False,
        # Nothing here depends on the client's address, so no header may change it.
        proxy_headers=False,
        timeout_graceful_shutdown=_DRAIN_S,
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(f"cannot listen on {host} port {port}: {error.strerror}; choose another port") from None
    # asyncio sets this only on sockets that name their protocol, and these do not. Without it the body of an answer
    # waits up to 40 ms until the client has acknowledged the head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class _Uvicorn(uvicorn.Server):
    """uvicorn, but a signal ends `serve` instead of being raised again, so that what follows it still runs.

    `started` is called when requests are answered and signals are listened to, and not before.
    """

    def __init__(self, config: uvicorn.Config, *, started: Callable[[], None], stop: Callable[[], bool]) -> None:
        super().__init__(config)
        self.servers = []
        self._started = started
        self._stop = stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._started()

    async def on_tick(self, counter: int) -> bool:
        return self._stop() or await super().on_tick(counter)

    def let_go(self) -> None:
        """Stop listening, also where `serve` was cancelled.

        The loop would otherwise take a later socket of the same number for this one, and never look at it.
        """
        for each in self.servers:
            each.close()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
