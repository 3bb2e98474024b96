"""`Pool`: sessions on pooled connections, and what is done about connections that died while nobody used them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

import psycopg_pool

from fourfold.adapters.postgres.address import Address
from fourfold.adapters.postgres.connect import CONNECT_TIMEOUT_S, OPTIONS, Connection
from fourfold.adapters.postgres.session import Session
from fourfold.adapters.postgres.watch import Watch
from fourfold.adapters.sql.limit import Limit
from fourfold.errors import StoreBusy, StoreError

__all__ = ["Pool"]

_WAIT_S = 10.0


class Pool:
    """Connections to one database, opened when they are needed."""

    def __init__(self, address: Address, *, size: int, connection_class: type[Connection]) -> None:
        self._handlers = address.handlers
        self._where = address.shown
        self._watch = Watch()
        self._connections = psycopg_pool.ConnectionPool(
            address.reveal(),
            connection_class=connection_class,
            kwargs={**OPTIONS, "connect_timeout": CONNECT_TIMEOUT_S},
            # One to begin with: a server that nobody calls keeps no more from others.
            min_size=1,
            max_size=size,
            open=True,
            name="fourfold",
        )

    @contextmanager
    def begun(self, begin: Callable[[Session], None], limit: Limit) -> Generator[Session]:
        """A session in which `begin` began a transaction; what is not committed at the end is undone.

        Raises:
            StoreBusy: no connection became free, or could be made, in time.
            StoreError: the store is closed, or the database refused to begin.
        """
        connection, session = self._begin(begin, limit)
        try:
            yield session
        finally:
            session.rollback()
            self._connections.putconn(connection)

    def close(self) -> None:
        """Close every connection. Later calls of `begun` raise `StoreError`."""
        self._connections.close()
        self._watch.close()

    def renew(self) -> None:
        """Replace the idle connections that are dead, after one was found dead in use."""
        self._connections.check()

    def _begin(self, begin: Callable[[Session], None], limit: Limit) -> tuple[Connection, Session]:
        for last in (False, True):
            connection = self._borrow(limit)
            session = Session(connection, self._watch, handlers=self._handlers)
            try:
                begin(session)
            except BaseException as error:
                session.rollback()
                self._connections.putconn(connection)
                if last or not session.lost or not isinstance(error, StoreError):
                    raise
                # It died while idle, and most likely so did the others: the server was started anew.
                self.renew()
            else:
                return connection, session
        raise AssertionError("the second try returns or raises")

    def _borrow(self, limit: Limit) -> Connection:
        try:
            return self._connections.getconn(timeout=min(limit.left(), _WAIT_S))
        except psycopg_pool.PoolTimeout:
            raise StoreBusy(f"no connection to {self._where} became free or could be made in time") from None
        except psycopg_pool.PoolClosed:
            raise StoreError("the store is closed") from None
