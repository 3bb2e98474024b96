"""A client on two pipes, line by line, with the edge's stdio transport on the other side in the same process."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from fourfold.edge.server import ToolService, build_server
from fourfold.edge.stdio import serve_pipes
from tests.edge.edge_service import ANNA


@dataclass
class PipeClient:
    """Sends lines and reads answers."""

    descriptor: int
    answers: asyncio.StreamReader
    listening: asyncio.ReadTransport
    ended: anyio.Event

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        """Write messages, or raw lines, in one go."""
        lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
        os.write(self.descriptor, b"".join(line + b"\n" for line in lines))

    def hang_up(self) -> None:
        """End the server's input."""
        os.close(self.descriptor)
        self.descriptor = -1

    async def receive(self) -> Any:
        """The next answer."""
        with anyio.fail_after(5):
            return json.loads(await self.answers.readline())

    async def rest(self) -> list[Any]:
        """Every answer until the server has ended."""
        with anyio.fail_after(5):
            return [json.loads(line) for line in (await self.answers.read()).splitlines()]

    async def ask(self, message: dict[str, Any] | bytes) -> Any:
        """Send one message and read one answer."""
        self.send(message)
        return await self.receive()


@asynccontextmanager
async def pipes(
    service: ToolService, *, modern_only: bool = False, reads_ahead: int = 4_194_304
) -> AsyncGenerator[PipeClient]:
    """A client of `service` over pipes, which reads at most twice `reads_ahead` bytes before it is asked to."""
    theirs, ours = os.pipe()
    reading, writing = os.pipe()
    answers = asyncio.StreamReader(reads_ahead)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(answers), os.fdopen(reading, "rb")
    )
    client = PipeClient(ours, answers, transport, anyio.Event())

    async def serve() -> None:
        server = build_server(service)
        await serve_pipes(server, ANNA, reading=theirs, writing=writing, modern_only=modern_only)
        os.close(theirs)
        os.close(writing)
        client.ended.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        yield client
        if client.descriptor != -1:
            client.hang_up()
        with anyio.fail_after(10):
            await client.ended.wait()
    transport.close()
