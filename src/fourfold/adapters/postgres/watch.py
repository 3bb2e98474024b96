"""`Watch`: cancels statements whose time is over, or whose caller has gone. One thread for a whole store."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager

import psycopg

from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.sql.limit import NO_LIMIT, Limit

__all__ = ["Watch"]

_LOOK_S = 0.025
"""How often the limits of running statements are looked at: what a statement may run over."""

_CANCEL_S = 5.0

_log = logging.getLogger(__name__)


class Watch:
    """Statements that run, each with its limit. The server's own `statement_timeout` stands behind it."""

    def __init__(self) -> None:
        self._running: dict[Connection, Limit] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="fourfold-watch", daemon=True)
        self._thread.start()

    @contextmanager
    def over(self, connection: Connection, limit: Limit) -> Generator[None]:
        """Cancel what `connection` runs in the block once `limit` is passed."""
        if limit is NO_LIMIT:
            yield
            return
        with self._changed:
            self._running[connection] = limit
            self._changed.notify()
        try:
            yield
        finally:
            # Waits for a cancellation that is on its way, so that it cannot hit the next statement.
            with self._changed:
                del self._running[connection]

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _serve(self) -> None:
        with self._changed:
            while not self._closing:
                self._cancel_late()
                self._changed.wait(_LOOK_S if self._running else None)

    def _cancel_late(self) -> None:
        for connection in [each for each, limit in self._running.items() if limit.passed()]:
            try:
                connection.cancel_safe(timeout=_CANCEL_S)
            except psycopg.Error as error:
                _log.warning("a statement that is late could not be cancelled", exc_info=error)
