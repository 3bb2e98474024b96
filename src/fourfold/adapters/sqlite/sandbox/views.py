"""`Opened`: a connection on which a query can name the readable views, cut down to one tenant, and nothing else.

SQLite's authorizer alone does not keep a table closed: `SELECT x FROM (SELECT 1 AS x) FULL JOIN t USING (x)` reads
a column of `t` and never asks it (seen in 3.40). So what must not be read must not be nameable:

- The database is attached under a name of 128 random bits, and `main` is empty.
- For each of its other tables and views there is an empty one of the same name in `temp`, where SQLite looks first.
- Each readable view is a view in `temp` as well: the caller's rows without the tenant's column, taken out before
  anything of the query is looked at.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fourfold.adapters.sqlite.sandbox.job import Job

__all__ = ["TENANT", "Broken", "Opened", "folded", "open_views"]

TENANT = "tenant"
"""The column by which every readable view says whose a row is. The query does not see it."""


_SHARE = 0.1
"""Of a view's rows, what SQLite is to expect in a tenant. From its own guess, ten rows, follow joins without index."""


class Broken(Exception):
    """The database is not as the contract says: a readable view is missing, or has no tenant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A connection with its views.

    Attributes:
        schema: the secret name of the attached database.
        columns: the readable views with their columns.
        closed: names, folded, that stand for something the query must not read.
        used: what the views themselves use beside the columns of tables: functions, also those that give tables, and
            tables whose rows they only count; folded.
    """

    connection: sqlite3.Connection
    schema: str
    columns: Mapping[str, tuple[str, ...]]
    closed: frozenset[str]
    used: frozenset[str]


def open_views(job: Job, image: bytes) -> Opened:
    """Attach the database of `job`, or the copy in `image`, and make the views.

    Raises:
        Broken: a readable view is missing or has no column `tenant`.
        sqlite3.Error: the database cannot be read.
    """
    schema = f"s{secrets.token_hex(16)}"
    connection = sqlite3.connect(":memory:", isolation_level=None, uri=True)
    connection.text_factory = _text
    # What a statement puts aside stays in memory, which is bounded; files are not.
    connection.execute("PRAGMA temp_store = MEMORY")
    _attach(connection, schema, path=job.path)
    if job.path is None:
        connection.deserialize(image, name=schema)
    # From here on everything sees one state of the database.
    connection.execute("BEGIN")
    readable = {folded(view) for view in job.readable}
    names = [str(name) for (name,) in connection.execute(_OBJECTS.format(schema=schema))]
    hidden = [name for name in names if folded(name) not in readable]
    for name in hidden:
        connection.execute(f"CREATE TEMP VIEW {_quoted(name)} AS SELECT NULL AS closed WHERE 0")
    connection.execute(f"CREATE TEMP TABLE {schema}_caller (tenant)")
    connection.execute(f"INSERT INTO {schema}_caller VALUES (?)", (job.tenant,))  # noqa: S608  our own name
    columns = {view: _make_view(connection, schema, view=view) for view in job.readable}
    used = _used(connection, columns)
    connection.execute("PRAGMA query_only = ON")
    modules = [str(name) for (name,) in connection.execute("PRAGMA module_list")]
    closed = frozenset(map(folded, (*hidden, *modules, f"{schema}_caller")))
    return Opened(connection=connection, schema=schema, columns=columns, closed=closed, used=used)


def folded(name: str) -> str:
    """`name` as SQLite compares names: without the case of ASCII letters, and of no others."""
    return name.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


_OBJECTS = "SELECT name FROM {schema}.sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite[_]*'"


def _text(raw: bytes) -> str:
    """Text as it is, with U+FFFD for what is no UTF-8: a cast of bytes can make any."""
    return raw.decode("utf-8", "replace")


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _attach(connection: sqlite3.Connection, schema: str, *, path: str | None) -> None:
    where = f"{Path(path).as_uri()}?mode=ro" if path else ":memory:"
    connection.execute(f"ATTACH ? AS {schema}", (where,))


def _make_view(connection: sqlite3.Connection, schema: str, *, view: str) -> tuple[str, ...]:
    """Make the view of the caller's rows; its columns."""
    whole = f"{schema}.{_quoted(view)}"
    try:
        described = connection.execute(f"SELECT * FROM {whole} LIMIT 0").description  # noqa: S608  quoted names
    except sqlite3.OperationalError as error:
        raise Broken(f"{view}: {error}".replace(f"{schema}.", "")) from None
    names = tuple(str(column[0]) for column in described)
    shown = tuple(name for name in names if folded(name) != TENANT)
    if shown == names or not shown:
        raise Broken(f"{view}: it needs a column {TENANT}, and others beside it")
    listed, caller = ", ".join(map(_quoted, shown)), f"(SELECT {TENANT} FROM temp.{schema}_caller)"  # noqa: S608  our own names
    # MATERIALIZED: otherwise a condition of the query may be asked of a row before the tenant is, and fail, which
    # tells. The cast: to a column of numbers, the tenants "1" and "01" are one. BINARY: "a" and "A" are two.
    connection.execute(
        f"CREATE TEMP VIEW {_quoted(view)} AS WITH {schema}_own AS MATERIALIZED (SELECT {listed} FROM {whole} "  # noqa: S608  quoted names
        f"WHERE likelihood({TENANT} COLLATE BINARY = {caller}, {_SHARE}) "
        f"AND likely(CAST({TENANT} AS TEXT) COLLATE BINARY = {caller})) SELECT {listed} FROM {schema}_own"
    )
    return shown


def _used(connection: sqlite3.Connection, views: Mapping[str, object]) -> frozenset[str]:
    """What the views use. A query may use it too: what SQLite says about where a use stands, a WITH name can fake."""
    used: set[str] = set()

    def note(action: int, first: str | None, second: str | None, *rest: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION and second is not None:
            used.add(folded(second))
        # A function that gives a table belongs to `main`; where rows are only counted, no database is named.
        if action == sqlite3.SQLITE_READ and first is not None and rest[0] in {"main", None}:
            used.add(folded(first))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(note)
    for view in views:
        connection.execute(f"SELECT * FROM temp.{_quoted(view)} LIMIT 0")  # noqa: S608  quoted names
    connection.set_authorizer(None)
    return frozenset(used)
