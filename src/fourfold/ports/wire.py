"""The wire to a running server, as bytes: what a client of its own writes, and what came back for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = ["Transport", "WireAnswer", "WireTarget"]

Transport = Literal["http", "stdio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WireAnswer:
    """What came back for one frame.

    Attributes:
        status: the HTTP status; 0 over stdio, and where nothing came back.
        headers: the HTTP headers by lower-case name; empty over stdio.
        messages: what came, as JSON values in their order; what is no JSON is not among them.
        body: what came, as bytes: an HTTP body, or lines.
        ended: over HTTP, that the body came to its end within the limits; over stdio, that the process has ended.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    messages: tuple[object, ...] = ()
    body: bytes = b""
    ended: bool = False


class WireTarget(Protocol):
    """A server that takes frames as they are given. Every exchange is bounded in bytes and time."""

    @property
    def transport(self) -> Transport:
        """How the frames travel."""
        ...

    @property
    def revision(self) -> str:
        """The protocol revision that the server agreed on with a client of the usual kind."""
        ...

    @property
    def has_token(self) -> bool:
        """Whether frames go with a bearer token, unless a header says otherwise."""
        ...

    async def exchange(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, method: str = "POST"
    ) -> WireAnswer:
        """Send a frame and take what comes back.

        Args:
            frame: an HTTP body, or a line without its end.
            headers: beside those of every request; `None` as a value leaves one of those out. Not sent over stdio.
            method: the HTTP method.

        Raises:
            TargetError: the server can't be reached or started.
        """
        ...

    async def cut(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, after_s: float | None
    ) -> None:
        """Send a frame in full, and break off instead of taking what comes back; over stdio, end the input.

        Args:
            frame: as for `exchange`.
            headers: as for `exchange`.
            after_s: seconds to wait before; `None` waits until an answer begins to come, within the limits.

        Raises:
            TargetError: the server can't be reached or started.
        """
        ...

    async def hang_up(self) -> bool:
        """End the conversation: over stdio, end the input; whether the process then ended by itself, in time."""
        ...

    def fresh(self) -> AbstractAsyncContextManager[WireTarget]:
        """The same server over a connection of its own: over stdio, another process."""
        ...
