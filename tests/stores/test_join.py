"""Claims inside a transaction of one's own, with the real libraries: they commit and roll back with its writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy
from sqlalchemy.orm import Session

from fourfold.adapters.postgres.join import join_psycopg
from fourfold.adapters.postgres.store import migrate_postgres
from fourfold.adapters.sql.claims import SqlClaims
from fourfold.adapters.sql.join import JoinedUnit
from fourfold.adapters.sql.plans import SqlPlans
from fourfold.adapters.sql.sqlalchemy import join_sqlalchemy
from fourfold.adapters.sqlite.join import join_sqlite
from fourfold.adapters.sqlite.migrate import migrate
from fourfold.errors import ClaimLost, StoreError
from tests.postgres.cluster import Cluster
from tests.stores.records import NOON_MS, claim_of, plan_of, scope_of

Write = Callable[[str], object]
"""Writes a row of one's own in the transaction."""

Begin = Callable[[], AbstractContextManager[tuple[JoinedUnit, Write]]]
"""A transaction that commits at the end of the block, or rolls back if it raises."""

OWN = "CREATE TABLE own (name TEXT NOT NULL)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A SQLite database with the framework's tables and one's own."""
    migrate(tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute(OWN)
    connection.close()
    return tmp_path / "s.db"


@pytest.fixture
def url(postgres: Cluster) -> str:
    """A PostgreSQL database with the framework's tables and one's own."""
    url = postgres.store()
    migrate_postgres(url)
    with psycopg.connect(url) as connection:
        connection.execute(OWN)
    return url


@contextmanager
def through_sqlite3(file: Path) -> Generator[tuple[JoinedUnit, Write]]:
    """The driver of the standard library."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield join_sqlite(connection), lambda name: connection.execute("INSERT INTO own VALUES (?)", (name,))
        connection.execute("COMMIT")
    finally:
        connection.close()


@contextmanager
def through_psycopg(url: str) -> Generator[tuple[JoinedUnit, Write]]:
    """The driver, with its own idea of a transaction."""
    with psycopg.connect(url) as connection:
        yield (
            join_psycopg(connection, tenant="acme"),
            lambda name: connection.execute("INSERT INTO own VALUES (%s)", (name,)),
        )


@contextmanager
def through_sqlalchemy(url: str, *, session: bool, **options: Any) -> Generator[tuple[JoinedUnit, Write]]:
    """A connection, or the one of a session."""
    engine = sqlalchemy.create_engine(url, **options)
    statement = sqlalchemy.text("INSERT INTO own VALUES (:name)")
    try:
        with Session(engine) if session else engine.connect() as own, own.begin():
            connection = own.connection() if isinstance(own, Session) else own
            yield join_sqlalchemy(connection, tenant="acme"), lambda name: own.execute(statement, {"name": name})
    finally:
        engine.dispose()


@pytest.fixture(
    params=["sqlite3", "psycopg", "alchemy-sqlite", "alchemy-postgres", "session-sqlite", "session-postgres"]
)
def begin(request: pytest.FixtureRequest) -> Begin:
    """Every way to have a transaction of one's own."""
    way: str = request.param
    if way.endswith(("sqlite", "sqlite3")):
        file: Path = request.getfixturevalue("file")
        if way == "sqlite3":
            return lambda: through_sqlite3(file)
        return lambda: through_sqlalchemy(f"sqlite:///{file}", session=way.startswith("session"))
    url: str = request.getfixturevalue("url")
    if way == "psycopg":
        return lambda: through_psycopg(url)
    connect = partial(psycopg.connect, url)
    return lambda: through_sqlalchemy("postgresql+psycopg://", session=way.startswith("session"), creator=connect)


def own_rows(begin: Begin) -> int:
    """How many rows of one's own are committed."""
    with begin() as (unit, _):
        row = unit.row("SELECT count(*) AS n FROM own")
    return row["n"] if row else -1


def test_a_claim_commits_with_ones_own_write(begin: Begin) -> None:
    """D1: and is found by the next transaction, in whatever order it is asked."""
    claims, claim = SqlClaims(), claim_of(scope_of("k-1"), "op-1")
    with begin() as (unit, write):
        assert claims.take(unit, claim) is None
        write("one")
        claims.settle(unit, "op-1", fence=1, state="done", outcome="v1.x", settled_ms=NOON_MS)

    with begin() as (unit, _):
        found = claims.take(unit, claim_of(scope_of("k-1"), "op-2"))
    assert found is not None
    assert (found.operation_id, found.state, found.outcome, found.fingerprint) == ("op-1", "done", "v1.x", b"f" * 32)
    assert own_rows(begin) == 1


def test_a_claim_rolls_back_with_ones_own_write(begin: Begin) -> None:
    """D1: neither is there without the other."""
    claims = SqlClaims()

    def fail() -> None:
        with begin() as (unit, write):
            claims.take(unit, claim_of(scope_of("k-1"), "op-1"))
            write("one")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with begin() as (unit, _):
        assert claims.find(unit, scope_of("k-1")) is None
    assert own_rows(begin) == 0


def test_a_claim_that_is_lost_takes_ones_own_write_with_it(begin: Begin) -> None:
    """D1: who settles second has lost."""

    def lose() -> None:
        with begin() as (unit, write):
            write("one")
            SqlClaims().settle(unit, "op-1", fence=1, state="done", outcome="v1.x", settled_ms=NOON_MS)

    with pytest.raises(ClaimLost):
        lose()
    assert own_rows(begin) == 0


def test_a_plan_is_used_in_ones_own_transaction(begin: Begin) -> None:
    """B6: once, and only if that transaction commits."""
    plans, plan = SqlPlans(), plan_of("plan-1", approval="none")

    def use_and_fail() -> None:
        with begin() as (unit, _):
            assert plans.use(unit, plan, operation_id="op-1", now_ms=NOON_MS)
            raise LookupError

    with begin() as (unit, _):
        plans.add(unit, plan)
    with pytest.raises(LookupError):
        use_and_fail()
    with begin() as (unit, _):
        assert plans.use(unit, plan, operation_id="op-2", now_ms=NOON_MS)
        assert not plans.use(unit, plan, operation_id="op-3", now_ms=NOON_MS)


def test_a_statement_that_the_database_refuses_is_a_store_error(begin: Begin) -> None:
    """A5: whatever the library calls it."""
    with pytest.raises(StoreError, match="no_such_table"), begin() as (unit, _):
        unit.rows("SELECT * FROM no_such_table")


def test_a_sqlite3_connection_without_a_transaction_is_refused(file: Path) -> None:
    """D1: a claim that commits alone protects nothing."""
    connection = sqlite3.connect(file)
    with pytest.raises(StoreError, match="begin a transaction first"):
        SqlClaims().take(join_sqlite(connection), claim_of(scope_of("k-1"), "op-1"))
    connection.close()


def test_a_psycopg_connection_that_commits_each_statement_is_refused(url: str) -> None:
    """D1: autocommit is fine inside a transaction block, and only there."""
    with psycopg.connect(url, autocommit=True) as connection:
        with pytest.raises(StoreError, match="begin a transaction first"):
            join_psycopg(connection, tenant="acme")
        with connection.transaction():
            assert SqlClaims().take(join_psycopg(connection, tenant="acme"), claim_of(scope_of("k-1"), "op-1")) is None


def test_another_database_than_these_two_is_refused() -> None:
    """D1: the framework has no tables there."""
    engine = sqlalchemy.create_engine("sqlite://")
    engine.dialect.name = "mysql"
    with engine.connect() as connection, pytest.raises(StoreError, match="not in mysql"):
        join_sqlalchemy(connection, tenant="acme")
