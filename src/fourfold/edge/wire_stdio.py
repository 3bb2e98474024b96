"""Raw frames to a process: one line each. Nothing is checked, everything is bounded."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import cast

import anyio
from anyio.abc import ByteSendStream, Process

from fourfold.edge.frames import MAX_ANSWER_BYTES, id_of, is_answer, values
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.ports.wire import Transport, WireAnswer, WireTarget

__all__ = ["StdioWire", "stdio_wire"]

_SILENCE_S = 0.4
"""Seconds after which nothing more is expected, where no answer is due."""

_ENOUGH_S = 3.0
"""Seconds that a process may take to end after its input has."""


@dataclass(slots=True, kw_only=True)
class StdioWire:
    """Lines to a process, which is started at the first one and again when it has ended; see `ports.wire.WireTarget`.

    What the process writes to stderr is dropped: the other connection to the same command shows it.
    """

    command: Sequence[str]
    revision: str
    timeout_s: float
    transport: Transport = "stdio"
    has_token: bool = False
    _process: Process | None = None
    _rest: bytearray = field(default_factory=bytearray)

    async def exchange(
        self,
        frame: bytes,
        headers: Mapping[str, str | None] | None = None,  # noqa: ARG002  # lines have none
        *,
        method: str = "POST",  # noqa: ARG002
    ) -> WireAnswer:
        """Write one line, and read lines until it is answered, or until nothing more is expected.

        Raises:
            TargetError: the command can't be started.
        """
        process = await self._running()
        wanted, lines, ended = id_of(frame), list[bytes](), False
        try:
            with anyio.move_on_after(self.timeout_s if wanted is not None else _SILENCE_S):
                await _stdin(process).send(frame + b"\n")
                while not _settles(lines, wanted) and sum(map(len, lines)) <= MAX_ANSWER_BYTES:
                    lines.append(await self._line(process))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError):
            ended = True
            await self.hang_up()
        body = b"".join(line + b"\n" for line in lines)
        return WireAnswer(messages=tuple(values(lines)), body=body, ended=ended)

    async def cut(
        self,
        frame: bytes,
        headers: Mapping[str, str | None] | None = None,  # noqa: ARG002  # lines have none
        *,
        after_s: float | None,
    ) -> None:
        """Write one line, and end the process's input instead of reading what it writes.

        Raises:
            TargetError: the command can't be started.
        """
        process = await self._running()
        with (
            suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError),
            anyio.move_on_after(self.timeout_s if after_s is None else after_s),
        ):
            await _stdin(process).send(frame + b"\n")
            await self._line(process)
        await self.hang_up()

    async def hang_up(self) -> bool:
        """End the process's input, and see whether it ends within a moment; else it is killed with its children."""
        process, self._process = self._process, None
        return True if process is None else await _ended(process)

    @asynccontextmanager
    async def fresh(self) -> AsyncGenerator[WireTarget]:
        """Another process of the same command, which is ended afterwards."""
        async with stdio_wire(self.command, revision=self.revision, timeout_s=self.timeout_s) as wire:
            yield wire

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._rest.clear()
            try:
                self._process = await anyio.open_process(
                    [*self.command], stderr=subprocess.DEVNULL, env=dict(os.environ), start_new_session=True
                )
            except OSError as error:
                name = " ".join(self.command)
                raise TargetError(f"{name} can't be started: {error.strerror}; check the command") from None
        return self._process

    async def _line(self, process: Process) -> bytes:
        """The next line, or the first bytes of one that is too long."""
        if process.stdout is None:
            raise anyio.EndOfStream
        while b"\n" not in self._rest and len(self._rest) <= MAX_ANSWER_BYTES:
            self._rest += await process.stdout.receive()
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest[:] = rest
        return line


@asynccontextmanager
async def stdio_wire(command: Sequence[str], *, revision: str, timeout_s: float = 10.0) -> AsyncGenerator[StdioWire]:
    """Lines to a command, which is started when it is needed and ended afterwards."""
    wire = StdioWire(command=command, revision=revision, timeout_s=timeout_s)
    try:
        yield wire
    finally:
        await wire.hang_up()


def _stdin(process: Process) -> ByteSendStream:
    if process.stdin is None:
        raise anyio.ClosedResourceError
    return process.stdin


async def _ended(process: Process) -> bool:
    """End a process's input, wait a moment, kill what is left; whether nothing was."""
    code = process.returncode
    # Whatever cancels this, no process is left behind.
    with anyio.CancelScope(shield=True):
        with anyio.move_on_after(_ENOUGH_S):
            await _stdin(process).aclose()
            await process.wait()
        code = process.returncode
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.aclose()
    return code is not None


def _settles(lines: Sequence[bytes], wanted: object) -> bool:
    """Whether the last line answers the frame, or says that it can't tell what it answers."""
    last = next(values(lines[-1:]), None)
    return is_answer(last) and cast("JsonObject", last).get("id", wanted) in (wanted, None)
