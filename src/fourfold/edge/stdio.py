"""The stdio transport: one JSON-RPC message a line, between the process's pipes and the SDK's server.

It owns the pipes and the answers to what cannot be dispatched. A process serves one client, and the SDK locks it
to the era of its first request; both eras are there until then.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from contextlib import aclosing
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from fourfold.edge.arrival import Arrival
from fourfold.edge.message import Message, MessageError, era_refusal, read_message
from fourfold.edge.pipes import read_lines, write_all
from fourfold.edge.server import LowLevelServer, ToolService, build_server
from fourfold.model.caller import Caller

__all__ = ["serve_pipes", "serve_stdio", "take_stdin", "take_stdout"]

_END_GRACE_S = 1.0
"""Seconds that open requests get to be answered after the input has ended, as with `printf … | server`."""

_FLUSH_S = 1.0
"""Seconds that a client gets to read the last answers."""

_QUEUE = 64
"""Answers that may wait to be written before handlers wait too."""


def take_stdout() -> int:
    """Keep standard output for the protocol: its descriptor moves away, and everything else goes to stderr.

    Call it before any user module is imported. What those print, log, or let child processes write to
    descriptor 1 then reaches stderr, and no child inherits the protocol's pipe.

    Returns:
        The descriptor to write the protocol to.
    """
    # From 3 up and closed on exec, so that it is neither a standard stream nor a child's.
    wire = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
    os.dup2(2, 1)
    # What is buffered in the old object reaches stderr too, through descriptor 1.
    sys.stdout = sys.stderr
    return wire


def take_stdin() -> int:
    """Move standard input away too, so that a child process cannot read the protocol."""
    wire = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return wire


async def serve_stdio(service: ToolService, caller: Caller, *, wire: int, modern_only: bool = False) -> None:
    """Serve `service` to the one client of this process until its input ends.

    Args:
        service: what is served.
        caller: who the client is; stdio has no tokens, so the configuration says (requirement B18).
        wire: the descriptor that `take_stdout` returned.
        modern_only: turns the revisions with a handshake (up to 2025-11-25) off.
    """
    reading = take_stdin()
    await serve_pipes(build_server(service), caller, reading=reading, writing=wire, modern_only=modern_only)


async def serve_pipes(
    server: LowLevelServer, caller: Caller, *, reading: int, writing: int, modern_only: bool = False
) -> None:
    """Serve any low-level server over two descriptors; see `serve_stdio`.

    At the end of the input, open reads are cancelled after a moment and claimed writes end before this returns.
    """
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, outgoing = anyio.create_memory_object_stream[SessionMessage | MessageError](_QUEUE)
    open_requests = _OpenRequests()
    reader = _Reader(reading, caller, modern_only, open_requests)
    writer = _Writer(writing, open_requests)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(writer.run, outgoing, tasks.cancel_scope)
        tasks.start_soon(reader.run, to_server, to_client.clone())
        await server.run(from_client, to_client, server.create_initialization_options())
        # A client that has stopped reading must not keep the process alive.
        with anyio.move_on_after(_FLUSH_S):
            await writer.flushed.wait()
        tasks.cancel_scope.cancel()


@dataclass(slots=True)
class _OpenRequests:
    """The ids of requests that are not answered yet."""

    ids: set[str] = field(default_factory=set[str])
    changed: anyio.Event = field(default_factory=anyio.Event)

    def opened(self, number: object) -> None:
        self.ids.add(str(number))

    def closed(self, number: object) -> None:
        self.ids.discard(str(number))
        self.changed.set()

    async def none_left(self) -> None:
        while self.ids:
            self.changed = anyio.Event()
            await self.changed.wait()


@dataclass(slots=True)
class _Reader:
    """Turns lines into messages for the server, and answers those that are none."""

    descriptor: int
    caller: Caller
    modern_only: bool
    open_requests: _OpenRequests

    async def run(
        self,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        to_client: MemoryObjectSendStream[SessionMessage | MessageError],
    ) -> None:
        """Read to the end of the input, then give open requests a moment."""
        async with to_server, to_client, aclosing(read_lines(self.descriptor)) as lines:
            async for line in lines:
                found = self._message(line)
                if isinstance(found, MessageError):
                    await to_client.send(found)
                else:
                    await to_server.send(self._session_message(found))
            # The server cancels what is open as soon as its input is closed, so that waits until here.
            with anyio.move_on_after(_END_GRACE_S):
                await self.open_requests.none_left()

    def _message(self, line: bytes | None) -> Message | MessageError:
        if line is None:
            return MessageError(code=INVALID_REQUEST, message="Message too large")
        message = read_message(line)
        if isinstance(message, MessageError) or message.id is None or not self.modern_only:
            return message
        return era_refusal(message, modern_only=True) or message

    def _session_message(self, message: Message) -> SessionMessage:
        params = dict(message.params) if "params" in message.body else None
        arrival = Arrival(caller=self.caller, transport="stdio", problems=message.problems)
        metadata = ServerMessageMetadata(request_context=arrival)
        if message.id is None:
            # A cancelled request is never answered, so nothing else would close it.
            if message.method == "notifications/cancelled":
                self.open_requests.closed(message.params.get("requestId"))
            notification = JSONRPCNotification(jsonrpc="2.0", method=message.method, params=params)
            return SessionMessage(notification, metadata)
        self.open_requests.opened(message.id)
        request = JSONRPCRequest(jsonrpc="2.0", id=message.id, method=message.method, params=params)
        return SessionMessage(request, metadata)


@dataclass(slots=True)
class _Writer:
    """Writes answers, one line each and whole."""

    descriptor: int
    open_requests: _OpenRequests
    flushed: anyio.Event = field(default_factory=anyio.Event)

    async def run(
        self, outgoing: MemoryObjectReceiveStream[SessionMessage | MessageError], scope: anyio.CancelScope
    ) -> None:
        """Write until nobody sends any more; if the client stops listening, end `scope`."""
        try:
            async with outgoing:
                async for item in outgoing:
                    await self._write(item)
        except OSError:
            scope.cancel()
        self.flushed.set()

    async def _write(self, item: SessionMessage | MessageError) -> None:
        line = _encode(item)
        if line:
            await write_all(self.descriptor, line + b"\n")
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self.open_requests.closed(item.message.id)


def _encode(item: SessionMessage | MessageError) -> bytes:
    """The line for `item`, in ASCII, so that there is no text that it cannot hold; empty for what is not sent."""
    if isinstance(item, MessageError):
        return item.encode()
    message = item.message
    # The SDK answers what it cancels at the end with a code of its own, to a client that has left.
    if isinstance(message, JSONRPCError) and (message.error.code == CONNECTION_CLOSED or message.id is None):
        return b"" if message.id is not None else MessageError(**message.error.model_dump()).encode()
    try:
        return json.dumps(message.model_dump(by_alias=True, exclude_unset=True), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        number = message.id if isinstance(message, JSONRPCResponse) else None
        return MessageError(code=INTERNAL_ERROR, message="Internal error", id=number).encode()
