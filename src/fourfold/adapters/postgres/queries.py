"""`CopiedQueries`: a model's query runs on a copy of the caller's own rows, in the SQLite sandbox (ports.QueryRunner).

The query never reaches PostgreSQL. What it may read is copied first, as a handler of that tenant would read it, so
that dialect, refusals and limits are those of the embedded store. That bounds the sandbox: it is for books that fit.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from fourfold.adapters.sql.limit import Limit
from fourfold.adapters.sqlite.sandbox.image import Copied, image_of
from fourfold.adapters.sqlite.sandbox.runner import PROCESSES, SandboxRunner
from fourfold.errors import DeadlineExceeded, StoreBusy, StoreError
from fourfold.model.sandbox import QueryTooCostly, SandboxTerms, Table
from fourfold.ports.units import Unit

__all__ = ["MOST_ROWS", "CopiedQueries"]

MOST_ROWS = 50_000
"""Rows of all views of one query together. Copying them takes about a second."""


class Read(Protocol):
    """Reads in the calling thread, as a handler of `tenant` does."""

    def __call__(self, work: Callable[[Unit], Any], limit: Limit, *, tenant: str) -> Any:
        """What `work` comes to."""
        ...


class CopiedQueries:
    """Copies what a query names, and runs it there. Safe from any thread."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._places = threading.BoundedSemaphore(PROCESSES)

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float, left: Callable[[], bool]) -> Table:
        """Run `sql` for at most `seconds`, the copying included.

        Raises:
            QueryRefused: the parser or the database does not accept it.
            QueryTooCostly: it took more time or memory than it may, or its views hold more rows than are copied.
            DeadlineExceeded: whoever asked has gone.
            StoreBusy: too many queries are running.
            StoreError: the views are not as the terms say, or the database failed.
        """
        ends = time.monotonic() + min(terms.timeout_s, seconds)
        if not self._places.acquire(timeout=min(terms.timeout_s, seconds)):
            raise StoreBusy("too many queries are running")
        try:
            image = self._image(sql, terms, ends, tenant=tenant, left=left)
            runner = SandboxRunner(image=lambda: image)
            return runner.query(sql, terms, tenant=tenant, seconds=max(0.0, ends - time.monotonic()), left=left)
        finally:
            self._places.release()

    def _image(self, sql: str, terms: SandboxTerms, ends: float, *, tenant: str, left: Callable[[], bool]) -> bytes:
        """The readable views: with the caller's rows where the query has the name, else empty."""

        def copy(unit: Unit) -> dict[str, Copied]:
            copied: dict[str, Copied] = {}
            room = MOST_ROWS
            for view in terms.readable:
                copied[view] = _copied(unit, view, tenant=tenant, most=room if _names(sql, view) else 0)
                room -= len(copied[view].rows)
                if room < 0:
                    raise QueryTooCostly(at=terms.at, expected=f"a query over views with at most {MOST_ROWS:,} rows")
            return copied

        limit = Limit(lambda: float("inf") if left() else time.monotonic(), ends)
        try:
            return image_of(self._read(copy, limit, tenant=tenant))
        except DeadlineExceeded:
            if left():
                raise
            raise QueryTooCostly(at=terms.at, expected="a query over fewer rows") from None


def _names(sql: str, view: str) -> bool:
    return re.search(rf"\b{re.escape(view)}\b", sql, re.IGNORECASE) is not None


def _copied(unit: Unit, view: str, *, tenant: str, most: int) -> Copied:
    """The columns of `view`, and the rows of `tenant`: none for 0, else at most one more than `most`."""
    columns = [row["name"] for row in unit.rows(_COLUMNS, {"view": view})]
    if not columns:
        raise StoreError(f"{view}: there is no such view")
    if "tenant" not in columns:
        raise StoreError(f"{view}: it needs a column tenant")
    # For text the cast is none; a number would make one tenant of "1" and "01".
    own = f'SELECT * FROM "{view}" WHERE CAST(tenant AS TEXT) = ? LIMIT ?'  # noqa: S608  a name that the build has checked
    rows = unit.rows(own, (tenant, most + 1)) if most else []
    return Copied(columns=columns, rows=[[row[name] for name in columns] for row in rows])


_COLUMNS = """
SELECT a.attname AS name FROM pg_attribute AS a
WHERE a.attrelid = to_regclass(quote_ident(:view)) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
