"""Child processes: contenders that serve, and the client that loads them. Each is ended by its own process id."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from benchmarks.load import Order, Tally
from benchmarks.wire import Operation, http_request

__all__ = ["CONTENDERS", "MCP", "Child", "Load", "WrongAnswer", "installed", "loading", "serving", "started", "talking"]

CONTENDERS = ("starlette", "sdk", "fastmcp", "fourfold")
"""In the order in which they take their turns."""

MCP = frozenset(CONTENDERS) - {"starlette"}
"""Those that speak MCP."""

_END_S = 10


def installed() -> tuple[str, ...]:
    """The contenders that can run here; FastMCP is there only in the environment of `scripts/bench`."""
    return tuple(name for name in CONTENDERS if name != "fastmcp" or find_spec("fastmcp") is not None)


class WrongAnswer(Exception):
    """A contender did not do the same as the others, so comparing it would mean nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A contender that runs. `port` is 0 over stdio."""

    contender: str
    process: subprocess.Popen[bytes]
    port: int = 0

    def cpu_s(self) -> float:
        """User and system time of the process so far, in seconds, all threads, exact to the microsecond.

        Linux gives each process a clock; its number is made of the process id (clock_getcpuclockid(3)).
        """
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def exchange(self, request: bytes) -> bytes:
        """The answer to one request over HTTP, as bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=_END_S) as connection:
            connection.sendall(request.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))
            return b"".join(iter(lambda: connection.recv(65_536), b""))

    def talk(self, line: bytes) -> bytes:
        """The answer to one line over stdio."""
        _pipe(self.process.stdin).write(line)
        _pipe(self.process.stdin).flush()
        return _pipe(self.process.stdout).readline()

    def structured(self, operation: Operation) -> dict[str, Any]:
        """What the tool returned, taken out of the protocol.

        Raises:
            WrongAnswer: the answer is no result.
        """
        answer = self.exchange(http_request(operation, mcp=self.contender in MCP))
        try:
            body: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
            return body["result"]["structuredContent"] if self.contender in MCP else body
        except (ValueError, KeyError) as error:
            raise WrongAnswer(f"{operation}: {self.contender} answered {answer[:300]!r}") from error


class Load:
    """The client process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def run(self, order: Order) -> Tally:
        """Carry out `order` and wait for its end."""
        _pipe(self._process.stdin).write(json.dumps(asdict(order)).encode() + b"\n")
        _pipe(self._process.stdin).flush()
        return Tally(**json.loads(_pipe(self._process.stdout).readline()))


@contextmanager
def serving(contenders: Sequence[str], folder: Path) -> Generator[list[Child]]:
    """Contenders over HTTP. All are started before the first is waited for."""
    with ExitStack() as stack:
        processes = [stack.enter_context(started("serve", name, str(folder))) for name in contenders]
        yield [
            Child(contender=name, process=process, port=int(_pipe(process.stdout).readline()))
            for name, process in zip(contenders, processes, strict=True)
        ]


@contextmanager
def talking(contender: str, folder: Path) -> Generator[Child]:
    """A contender over stdio."""
    with started("serve", contender, str(folder), "--stdio") as process:
        yield Child(contender=contender, process=process)


@contextmanager
def loading() -> Generator[Load]:
    """The client process, idle."""
    with started("load") as process:
        yield Load(process)


@contextmanager
def started(module: str, *arguments: str) -> Generator[subprocess.Popen[bytes]]:
    """`python -m benchmarks.<module>` with its input and output as pipes; ended with the block."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    root = Path(__file__).resolve().parents[1]
    quiet = {**os.environ, "FASTMCP_LOG_LEVEL": "CRITICAL", "FASTMCP_CHECK_FOR_UPDATES": "off"}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=quiet)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
