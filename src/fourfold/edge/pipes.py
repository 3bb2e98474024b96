"""Lines in and bytes out over file descriptors, on the event loop: no thread, and nothing set on the descriptors.

Descriptors stay in blocking mode, because that mode belongs to the open file and other processes may share it.
So a read or write happens only after the loop said that it will not wait, and a write is never longer than what
POSIX promises to take at once.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from select import PIPE_BUF

import anyio
from anyio import lowlevel

__all__ = ["MAX_LINE_BYTES", "read_lines", "write_all"]

MAX_LINE_BYTES = 1_048_576
"""The longest line that is read, without its end; the same as the default cap of an HTTP body."""

_CHUNK = 65_536


async def read_lines(descriptor: int) -> AsyncGenerator[bytes | None]:
    """Each line without its end, until the end of the input; `None` stands for one that was too long.

    Memory is bounded: what follows after `MAX_LINE_BYTES` in a line is dropped as it comes.
    """
    line = bytearray()
    while chunk := await _read(descriptor):
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            yield _bounded(line + piece)
            line.clear()
        # One byte more than the limit is enough to know, at the end of the line, that it was too long.
        line += rest[: MAX_LINE_BYTES + 1 - len(line)]
    if line:
        yield _bounded(line)


def _bounded(line: bytearray) -> bytes | None:
    return bytes(line) if len(line) <= MAX_LINE_BYTES else None


async def _read(descriptor: int) -> bytes:
    """The next bytes; none at the end, which a terminal that went away also counts as."""
    while True:
        await _ready(anyio.wait_readable, descriptor)
        try:
            return os.read(descriptor, _CHUNK)
        except BlockingIOError:
            # Another process reads the same pipe, or the loop was wrong.
            continue
        except OSError:
            return b""


async def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`.

    Raises:
        OSError: the other side is gone.
    """
    rest = memoryview(data)
    while rest:
        await _ready(anyio.wait_writable, descriptor)
        try:
            rest = rest[os.write(descriptor, rest[:PIPE_BUF]) :]
        except BlockingIOError:
            continue


async def _ready(wait: Callable[[int], Awaitable[None]], descriptor: int) -> None:
    try:
        await wait(descriptor)
    except PermissionError:
        # epoll refuses regular files and the null device, which are always ready.
        await lowlevel.checkpoint()
