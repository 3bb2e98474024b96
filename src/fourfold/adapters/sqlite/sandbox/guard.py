"""What a sandboxed query may ask of SQLite: the form of its text, the authorizer, and SQLite's own limits.

All of it holds without the parser that looked at the query before (tests/sandbox proves it).
"""

from __future__ import annotations

import re
import sqlite3
import time

from fourfold.adapters.sqlite.sandbox.views import Opened, folded
from fourfold.model.sandbox import FUNCTIONS

__all__ = ["Refused", "admit_text", "close_in"]

_SELECT = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE | re.ASCII)
"""EXPLAIN is not authorized by SQLite and tells how the views are made, so the first word has to be another."""

_INTERNAL = re.compile(r"sqlite_|pragma_|fourfold_", re.IGNORECASE)
"""Names that no view in `temp` can stand before. They cannot be written without these letters."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 16,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_LENGTH: 65_536,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 256,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 16_384,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""LENGTH bounds values and rows in bytes, in results and on the way to them."""

_STEPS_BETWEEN_CHECKS = 1_000


class Refused(Exception):
    """The query is not accepted; the text may go to whoever wrote it."""


def admit_text(sql: str) -> None:
    """Return if the text has a form that the authorizer can judge.

    Raises:
        Refused: it begins otherwise than a query, or spells a name of SQLite's or the framework's own.
    """
    if not _SELECT.match(sql):
        raise Refused("a statement that begins with SELECT or WITH")
    if _INTERNAL.search(sql):
        raise Refused("no name with sqlite_, pragma_ or fourfold_ in it, in text neither")


def close_in(opened: Opened, *, seconds: float) -> None:
    """Let the connection do nothing but SELECT from the readable views, for `seconds` from now."""
    end = time.monotonic() + seconds
    opened.connection.set_authorizer(_Authorizer(opened))
    opened.connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_CHECKS)
    for category, limit in _LIMITS.items():
        opened.connection.setlimit(category, limit)


class _Authorizer:
    """SQLite's authorizer: an allow-list (sqlite.org, "Authorizer Action Codes")."""

    def __init__(self, opened: Opened) -> None:
        self._views = frozenset(map(folded, opened.columns))
        self._schema = opened.schema
        self._closed = opened.closed
        self._used = opened.used

    def __call__(self, action: int, first: str | None, second: str | None, *rest: str | None) -> int:
        allowed = self._allows(action, first, second=second, place=rest)
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def _allows(self, action: int, first: str | None, *, second: str | None, place: tuple[str | None, ...]) -> bool:
        if action == sqlite3.SQLITE_SELECT:
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            return second is not None and folded(second) in FUNCTIONS | self._used
        return action == sqlite3.SQLITE_READ and self._may_read(folded(first or ""), second, place=place)

    def _may_read(self, table: str, column: str | None, *, place: tuple[str | None, ...]) -> bool:
        """Whether a column may be read; `place` is the database and the view or WITH name that it is read in."""
        database, reader = place
        inside = reader is not None and not _INTERNAL.match(table)
        if database is None:
            # No column is read, only rows are counted. What nothing stands for is a WITH name of the query. Where the
            # views count rows, SQLite may have moved that out of them; what the query counts by that name is empty.
            return column == "" and (table not in self._closed or table in self._used)
        if database == "temp":
            return table in self._views or (inside and table == f"{self._schema}_caller")
        return inside and (database == self._schema or table in self._used)
