"""What a unit may ask of SQLite: an authorizer for prepared statements and a look at their text.

Owns the rules, as functions. `session` installs them. The rules keep a handler inside its transaction: they are
for authors' mistakes and for SQL that a model had a hand in, not a wall against Python code in the same process.
"""

from __future__ import annotations

import re
import sqlite3
from enum import Flag
from functools import lru_cache

from fourfold.errors import StoreError

__all__ = ["Rights", "check_text", "refusal"]


class Rights(Flag):
    """What a statement may do besides reading and writing the catalog's own tables.

    Whether it may write at all is up to the connection (`query_only`), which also sees what virtual tables do.
    """

    NONE = 0
    SCHEMA = 1
    """Make, change and drop the catalog's own tables."""
    OWN = 2
    """Touch the framework's tables, which are all named `fourfold_*`."""
    CONTROL = 4
    """Begin, commit, save, roll back, set pragmas: this package, never a unit."""


_ROWS = {
    sqlite3.SQLITE_DELETE,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_UPDATE,
}
_SCHEMA = {
    sqlite3.SQLITE_ALTER_TABLE,
    sqlite3.SQLITE_ANALYZE,
    sqlite3.SQLITE_CREATE_INDEX,
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_CREATE_VIEW,
    sqlite3.SQLITE_CREATE_VTABLE,
    sqlite3.SQLITE_DROP_INDEX,
    sqlite3.SQLITE_DROP_TABLE,
    sqlite3.SQLITE_DROP_TRIGGER,
    sqlite3.SQLITE_DROP_VIEW,
    sqlite3.SQLITE_DROP_VTABLE,
    sqlite3.SQLITE_REINDEX,
}
_READ_BY_SEARCH = {"data_version", "page_size"}
"""Pragmas that full text search reads inside its own queries; without a value they change nothing."""

_FRAMEWORK_PREFIX = "fourfold_"

_TEXT = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] | --[^\n]* | /\*.*?(?:\*/|\Z)""",
    re.DOTALL | re.VERBOSE,
)
"""String literals, quoted names and comments: what SQL keywords cannot stand in."""

_LOSES_TRANSACTION = re.compile(r"\b(?:OR|CONFLICT)\s+ROLLBACK\b|\bRAISE\s*\(\s*ROLLBACK\b", re.IGNORECASE)


def refusal(rights: Rights, action: int, *, first: str | None, second: str | None) -> str | None:
    """Why a unit with `rights` may not do `action`, or `None` if it may.

    `first` and `second` are the authorizer's arguments, whose meaning depends on the action
    (sqlite.org, "Authorizer Action Codes").
    """
    if Rights.OWN not in rights and _touches_framework(action, first, second):
        return "tables named fourfold_* belong to the framework; a unit has no access to them"
    if action in _ROWS or Rights.CONTROL in rights:
        return None
    if action in _SCHEMA:
        return None if Rights.SCHEMA in rights else "a handler cannot change the schema; do it in `prepare`"
    if action == sqlite3.SQLITE_PRAGMA and first in _READ_BY_SEARCH and second is None:
        return None
    return "a unit has no transaction control, PRAGMA, ATTACH or temporary tables; the framework commits for it"


@lru_cache(maxsize=1_024)
def check_text(sql: str) -> None:
    """Refuse what would undo the transaction of a whole group, which no authorizer sees.

    Raises:
        StoreError: the text holds `OR ROLLBACK`, `ON CONFLICT ROLLBACK` or `RAISE(ROLLBACK)`.
    """
    if _LOSES_TRANSACTION.search(_TEXT.sub(" ", sql)):
        raise StoreError("OR ROLLBACK and RAISE(ROLLBACK) would undo other calls too; use ABORT (or quote the name)")


def _touches_framework(action: int, first: str | None, second: str | None) -> bool:
    """Whether a table or index of the framework is meant; the second name of a column access is a column."""
    names = (first,) if action in _ROWS else (first, second)
    return any(name is not None and name.lower().startswith(_FRAMEWORK_PREFIX) for name in names)
