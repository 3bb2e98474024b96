"""Migrations of the framework's tables: numbered SQL files, applied once and in order.

Owns the table `fourfold_migration`. A catalog's own tables are its own affair (`SqliteUnits.prepare`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from fourfold.adapters.private import make_private_directory
from fourfold.adapters.sql.migrations import Migration, load, missing
from fourfold.adapters.sqlite.connect import connect
from fourfold.adapters.sqlite.lock import WriterLock
from fourfold.adapters.sqlite.session import Session
from fourfold.errors import StoreError

__all__ = ["apply_missing", "migrate", "pending"]

_TABLE = """
CREATE TABLE IF NOT EXISTS fourfold_migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at TEXT NOT NULL
)
"""

_HAS_TABLE = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'fourfold_migration'"
_APPLIED = "SELECT number, sha256 FROM fourfold_migration ORDER BY number"
_RECORD = "INSERT INTO fourfold_migration (number, name, sha256, applied_at) VALUES (?, ?, ?, datetime('now'))"


_PACKAGE = "fourfold.adapters.sqlite"


def migrate(path: Path) -> Sequence[str]:
    """Bring the database at `path` up to date, and make it if it is missing; the names of what was applied.

    All of it is one transaction under the writer lock. A new file is for its owner alone (0600), and so are
    directories made for it (0700).

    Raises:
        StoreBusy: another process holds the writer lock.
        StoreError: the database is newer than this code, or was made from other migrations.
    """
    _create(path)
    # Looking needs no lock, so a server can start while another one writes.
    if not pending(path):
        return []
    lock = WriterLock(path)
    try:
        with lock.held():
            return _migrate_file(path)
    finally:
        lock.close()


def pending(path: Path) -> Sequence[str]:
    """The names of migrations that the database at `path` has still to get, in order.

    Raises:
        StoreError: the database is newer than this code, or was made from other migrations.
    """
    if not path.exists():
        return [migration.name for migration in load(_PACKAGE)]
    session = Session.open(connect, path, read_only=True)
    try:
        session.control("BEGIN")
        return [migration.name for migration in _missing(session)]
    finally:
        session.close()


def apply_missing(session: Session) -> Sequence[str]:
    """Apply to an open database what it has still to get, in one transaction; the names of what was applied.

    Raises:
        StoreError: the database is newer than this code, or was made from other migrations; nothing was changed.
    """
    session.control("BEGIN IMMEDIATE")
    try:
        lacking = _missing(session)
        for migration in lacking:
            _apply(session, migration)
        session.control("COMMIT")
    finally:
        session.rollback()
    return [migration.name for migration in lacking]


def _create(path: Path) -> None:
    """Make the file, unless it is there. Never opens one that is: closing it would drop SQLite's locks on it."""
    try:
        make_private_directory(path.parent)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise StoreError(f"cannot make the database {path}: {error.strerror}") from error


def _migrate_file(path: Path) -> Sequence[str]:
    session = Session.open(connect, path, read_only=False)
    try:
        return apply_missing(session)
    finally:
        session.close()


def _apply(session: Session, migration: Migration) -> None:
    session.control(_TABLE)
    for statement in _statements(migration.script):
        session.control(statement)
    values = (migration.number, migration.name, migration.sha256)
    session.run(_RECORD, sqlite3.Cursor.close, parameters=values)


def _missing(session: Session) -> Sequence[Migration]:
    return missing(load(_PACKAGE), _applied(session))


def _applied(session: Session) -> dict[int, str]:
    """The digest of each applied migration by its number."""
    if session.run(_HAS_TABLE, sqlite3.Cursor.fetchone) == (0,):
        return {}
    return dict(session.run(_APPLIED, sqlite3.Cursor.fetchall))


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; each ends with a line, as in every migration of ours."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
