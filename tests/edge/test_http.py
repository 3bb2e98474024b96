"""`serve_http` as a process, over real sockets: bad clients, lost clients, and the end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import anyio
import pytest
import uvicorn

from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.connection import BoundedConnection
from fourfold.errors import ConfigError
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller
from tests.edge.wire import headers_of, modern

ROOT = Path(__file__).parents[2]


class Server:
    """The process and its port."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.process = process
        self.output: IO[str] = process.stdout
        self.port: int = urlsplit(self.output.readline()).port or 0

    def connection(self) -> socket.socket:
        """A new connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def post(self, body: dict[str, Any]) -> Any:
        """The answer to one request on a connection of its own."""
        with self.connection() as connection:
            connection.sendall(_raw(body))
            return json.loads(_read(connection).split(b"\r\n\r\n", 1)[1])

    def told(self) -> Any:
        """What the service says has happened so far; this also lets writes commit."""
        return self.post(modern("tools/call", {"name": "release"}))["result"]["structuredContent"]

    def until_running(self, connection: socket.socket, tool: str) -> None:
        """Start `tool` on `connection` and return when it runs."""
        connection.sendall(_raw(modern("tools/call", {"name": tool})))
        for _ in range(1000):
            if tool in self.told()["running"]:
                return
        raise AssertionError(f"{tool} does not run")


@contextmanager
def _server() -> Generator[Server]:
    command = [sys.executable, "-m", "tests.edge.edge_server", "http"]
    with subprocess.Popen(command, text=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield Server(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    """One process for the tests that leave it as it was."""
    with _server() as running:
        yield running


def _raw(body: dict[str, Any], *, length: int | None = None) -> bytes:
    content = json.dumps(body).encode()
    headers = {**headers_of(body), "host": "localhost", "content-length": str(length or len(content))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /mcp HTTP/1.1\r\n{head}connection: close\r\n\r\n".encode() + content


def _read(connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    return received


def _abort(connection: socket.socket) -> None:
    """Close without a goodbye, as a killed client does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    connection.close()


def test_a_killed_client_cancels_its_read(server: Server) -> None:
    """MP-091: the connection is the call's life, also when it is only reset."""
    before = len(server.told()["cancelled"])
    connection = server.connection()
    server.until_running(connection, "slow_report")
    _abort(connection)
    told = server.told()
    for _ in range(1000):
        if len(told["cancelled"]) > before:
            break
        told = server.told()
    assert (told["running"], len(told["cancelled"])) == ([], before + 1)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01 not HTTP\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: abc\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/9.9\r\n\r\n" * 50,
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * 10_000 + b"\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 1_000_000 + b"\r\n\r\n",
    ],
)
def test_garbage_on_a_connection_harms_nobody_else(server: Server, garbage: bytes) -> None:
    """B19: whatever one client sends, the next is served."""
    with server.connection() as connection:
        connection.sendall(garbage)
        connection.shutdown(socket.SHUT_WR)
        _read(connection)
    assert server.post(modern("tools/list"))["id"] == 1


@pytest.mark.parametrize("piece", [b"a: b\r\n", b"y"])
def test_a_head_without_end_is_cut_off(server: Server, piece: bytes) -> None:
    """B19: memory does not grow with the headers that a client sends."""
    head = b"POST /mcp HTTP/1.1\r\nx: " + piece * (8_000_000 // len(piece))
    assert _is_cut_off(("127.0.0.1", server.port), head)
    assert server.post(modern("tools/list"))["id"] == 1


class Hasty(BoundedConnection):
    """A connection whose head has no time."""

    max_seconds = 0.0


@pytest.mark.anyio
@pytest.mark.parametrize("sent", [b"", b"POST /mcp HTTP/1.1\r\nhost: loc"])
async def test_a_head_that_does_not_end_in_time_is_cut_off(service: EdgeService, sent: bytes) -> None:
    """B19: a connection is not held by a client that sends nothing, or half a head."""
    config = uvicorn.Config(build_app(service, SoleCaller(ANNA)), http=Hasty, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener, anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listener])
            assert await anyio.to_thread.run_sync(_is_cut_off, listener.getsockname(), sent)
            server.should_exit = True


def _is_cut_off(address: tuple[str, int], sent: bytes) -> bool:
    """Whether the server closes a connection on which only `sent` comes; pieces of a megabyte at a time."""
    with socket.create_connection(address, timeout=10) as connection:
        try:
            for piece in range(0, len(sent), 1_000_000):
                connection.sendall(sent[piece : piece + 1_000_000])
            return connection.recv(1) == b""
        except ConnectionError:
            return True


def test_half_a_request_harms_nobody_else(server: Server) -> None:
    """B19: a body that never comes holds one connection and no call."""
    body = modern("tools/call", {"name": "echo"})
    with server.connection() as halting, server.connection() as leaving:
        halting.sendall(_raw(body, length=100_000))
        leaving.sendall(_raw(body, length=100_000)[:-10])
        leaving.close()
        assert server.post(modern("tools/list"))["id"] == 1


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    """B9: one connection, one request after the other."""
    keeping = [_raw(modern("tools/list", number=n)).replace(b"connection: close\r\n", b"") for n in (1, 2)]
    with server.connection() as connection:
        connection.sendall(b"".join(keeping) + _raw(modern("tools/list", number=3)))
        answers = _read(connection)
    places = [answers.index(f'"id":{number},'.encode()) for number in (1, 2, 3)]
    assert places == sorted(places)


def test_a_stopped_server_lets_a_claimed_write_end() -> None:
    """B19, D1: after the signal nobody new is served, the open write commits and is answered, and the exit is clean."""
    with _server() as server, server.connection() as writing, server.connection() as releasing:
        writing.sendall(_raw(modern("tools/call", {"name": "quote_create"})))
        # On a connection that is already open, because a stopping server takes no new one.
        first = _raw(modern("tools/call", {"name": "echo"})).replace(b"connection: close\r\n", b"")
        releasing.sendall(first)
        assert b"200 OK" in releasing.recv(65536)
        release = _raw(modern("tools/call", {"name": "release"}))
        releasing.sendall(release[:-5])
        server.process.send_signal(signal.SIGTERM)
        releasing.sendall(release[-5:])
        answered = _read(writing)
        assert server.process.wait(timeout=30) == 0
        printed, logged = server.output.read(), server.process.stderr.read() if server.process.stderr else ""
    assert b'"structuredContent":{"quote":1}' in answered
    assert (printed, logged) == ("ended with 1 writes\n", "")


@pytest.mark.anyio
async def test_an_address_that_other_machines_reach_must_be_meant(service: EdgeService) -> None:
    """MP-133: binding beyond loopback without saying so is refused."""
    with pytest.raises(ConfigError, match="beyond_loopback"):
        await serve_http(build_app(service, SoleCaller(ANNA)), host="192.0.2.1", port=0)


@pytest.mark.anyio
async def test_a_port_that_is_taken_is_a_configuration_error(service: EdgeService) -> None:
    """B9: with the remedy, and without a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken, anyio.fail_after(5):
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match="choose another port"):
            await serve_http(build_app(service, SoleCaller(ANNA)), port=port)
