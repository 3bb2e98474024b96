"""What uvicorn leaves unbounded on a connection: how long, and how large, the head of a request may be."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["BoundedConnection"]


class BoundedConnection(AutoHTTPProtocol):
    """uvicorn's protocol, with an end for a client that never finishes the head of a request.

    uvicorn closes a connection that is idle between requests, and the gate bounds bodies. In between, a client could
    send header after header, or nothing, for as long as it likes.
    """

    max_bytes: ClassVar[int] = 1_114_112
    """Bytes without a request being served: a head of 64 KiB, after the rest of a refused body of 1 MiB."""

    max_seconds: ClassVar[float] = 10.0
    """How long the head of a request may take."""

    _received = 0
    _timer: asyncio.TimerHandle | None = None
    _transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock."""
        super().connection_made(transport)
        self._transport = transport
        self._start()

    def data_received(self, data: bytes) -> None:
        """Pass `data` on, and stop the clock once a request is being served."""
        super().data_received(data)
        # While a request is served, the gate reads its body, within bounds of its own.
        if self._is_serving():
            self._stop()
            return
        self._received += len(data)
        if self._received > self.max_bytes:
            self._close()
        elif self._timer is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock."""
        self._stop()
        super().connection_lost(exc)

    def _is_serving(self) -> bool:
        cycle = getattr(self, "cycle", None)
        return cycle is not None and not cycle.response_complete

    def _start(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.max_seconds, self._close)

    def _stop(self) -> None:
        self._received = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._stop()
        if self._transport is not None:
            self._transport.close()
