"""Starts `fourfold serve billing:catalog` on a store of its own, and ends it with everything that it left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import httpx2

from billing.gateway import URL_VARIABLE

__all__ = ["Server", "ServerFailed", "fourfold", "serving"]

_USUAL_PORT = 8765
_PATIENCE_S = 30
_GRACE_S = 15


class ServerFailed(Exception):
    """The server ended or does not answer; the text holds what it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that answers. `store` is the URL of its database in `folder`, `gateway` that of its payment gateway."""

    url: str
    store: str
    folder: Path
    gateway: str
    process: Popen[bytes]

    @property
    def operators(self) -> Path:
        """Where the people who decide by hand are configured."""
        return self.folder / "operators.toml"

    @property
    def manager_token(self) -> Path:
        """Where the token of the one who agreed to the refund is."""
        return self.folder / "manager.token"


def fourfold(*arguments: str) -> tuple[str, ...]:
    """The command line of `fourfold` in this environment."""
    return (str(Path(sys.executable).with_name("fourfold")), *arguments)


@contextmanager
def serving() -> Generator[Server]:
    """A running billing server with its payment gateway. Folder and processes are gone when the block ends.

    Raises:
        ServerFailed: it ended or did not answer in time.
    """
    with tempfile.TemporaryDirectory(prefix="fourfold-demo-") as name:
        folder = Path(name)
        port = _free_port()
        store = f"sqlite:///{folder / 'billing.db'}"
        command = fourfold("serve", "billing:catalog", "--http", f"127.0.0.1:{port}", "--store", store)
        # From an empty folder, so that the configuration is the one that is shipped beside the package.
        with (
            _paying(folder) as gateway,
            (folder / "server.log").open("wb") as log,
            Popen(command, cwd=folder, stderr=log, env={**os.environ, URL_VARIABLE: gateway}) as process,  # noqa: S603
        ):
            try:
                _await_answer(f"http://127.0.0.1:{port}/healthz", process, log=Path(log.name))
                yield Server(
                    url=f"http://127.0.0.1:{port}/mcp", store=store, folder=folder, gateway=gateway, process=process
                )
            finally:
                _end(process)


@contextmanager
def _paying(folder: Path) -> Generator[str]:
    """A payment gateway with a ledger of its own, at the URL that is yielded."""
    command = (sys.executable, "-m", "payment_gateway", "--port", "0", "--ledger", str(folder / "gateway.db"))
    with Popen(command, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        line = process.stderr.readline() if process.stderr else ""
        try:
            if " at http://" not in line:
                raise ServerFailed(f"the payment gateway did not start; it wrote:\n{line}")
            yield line.split(" at ")[1].strip()
        finally:
            _end(process)


def _free_port() -> int:
    """The usual port, or any other if somebody has it."""
    for port in (_USUAL_PORT, 0):
        with socket.socket() as probe:
            if os.name == "posix":  # as the server does: a port in TIME_WAIT is free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerFailed("no port is free on 127.0.0.1")


def _await_answer(url: str, process: Popen[bytes], *, log: Path) -> None:
    give_up = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < give_up:
        try:
            if httpx2.get(url, timeout=1).is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    ended = "ended" if process.poll() is not None else f"did not answer within {_PATIENCE_S} s"
    raise ServerFailed(f"the server {ended}; it wrote:\n{log.read_text('utf-8', 'replace')}")


def _end(process: Popen[bytes] | Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
