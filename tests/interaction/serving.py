"""Starts `fourfold serve` for a test, over HTTP or stdio, and connects the official Python client to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

__all__ = ["ERAS", "ROOT", "Served", "configuration", "serving"]

ROOT = Path(__file__).parents[2]
ERAS = {"2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
"""Client modes, and the revision that each agrees on."""

_FOURFOLD = [sys.executable, "-m", "fourfold.cli"]
_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def configuration(*callers: tuple[str, str, str]) -> str:
    """A fourfold.toml with `(name, tenant, scopes separated by spaces)`; the token of each is `token-<name>`."""
    entries = [
        f'[[caller]]\nname = "{name}"\ntenant = "{tenant}"\nprincipal = "{name}@{tenant}"\n'
        f"scopes = {scopes.split()!r}\n"
        f'token_sha256 = "{sha256(f"token-{name}".encode()).hexdigest()}"\n'
        for name, tenant, scopes in callers
    ]
    return "\n".join(entries)


@dataclass(frozen=True, slots=True)
class Served:
    """A catalog that is served over HTTP at `url`; over stdio each client starts a server of its own."""

    target: str
    folder: Path
    url: str

    @property
    def store(self) -> str:
        """The URL of the store that all of its servers share."""
        return f"sqlite:///{self.folder / 'store.db'}"

    def command(self, *options: str) -> list[str]:
        """The command line of a server of this catalog."""
        paths = ["--store", self.store, "--config", str(self.folder / "fourfold.toml")]
        return [*_FOURFOLD, "serve", self.target, *paths, *options]

    @asynccontextmanager
    async def client(self, caller: str, *, transport: str, mode: str = "2026-07-28") -> AsyncGenerator[Client]:
        """The official client as `caller`, over `http` or `stdio`."""
        if transport == "stdio":
            program, *arguments = self.command("--caller", caller)
            parameters = StdioServerParameters(command=program, args=arguments, env=_ENVIRONMENT, cwd=ROOT)
            async with Client(stdio_client(parameters), mode=mode, read_timeout_seconds=60) as client:
                yield client
            return
        headers = {"authorization": f"Bearer token-{caller}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            yield client


@contextmanager
def serving(target: str, folder: Path, *callers: tuple[str, str, str]) -> Generator[Served]:
    """Serve `target` over HTTP on a free port until the block ends."""
    (folder / "fourfold.toml").write_text(configuration(*callers), encoding="utf-8")
    command = Served(target, folder, "").command("--http", "127.0.0.1:0")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=_ENVIRONMENT) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert " at http://" in line, line
        try:
            yield Served(target, folder, line.split(" at ")[1].split()[0])
        finally:
            process.terminate()
            process.stderr.close()
