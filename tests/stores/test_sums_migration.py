"""A store from before the sums that pages are drawn from: its runs are summed up again, and gone days stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from benchmarks.seeding import fold
from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.sql.migrations import Migration, load
from fourfold.adapters.sql.records import row_of
from fourfold.bootstrap.maintenance import apply_migrations, open_existing
from fourfold.ports.tallies import SumFilter, UsageSum
from fourfold.runs.asking import ask
from tests.postgres.cluster import Cluster
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

_DAY_MS = 86_400_000
_TODAY = NOON_MS - NOON_MS % _DAY_MS
_GONE = _TODAY - 40 * _DAY_MS

_RUN = row_of(run_at(1))
_NAMES = ", ".join(_RUN)
_MARK = "INSERT INTO fourfold_migration VALUES ('{0.number}', '{0.name}', '{0.sha256}', now())"

_OLD_DAY = "INSERT INTO fourfold_run_day VALUES (@, 'acme', 'acct-1', 'quote_create', '', 'done', 7, 70, 700, 0, @ + 9)"
_OLD_HOUR = "INSERT INTO fourfold_operation_hour VALUES (@, 'acme', 'clerk@acme', 'quote_create', '1.0', '', 7, 1, 8)"
_OLD_SUMS = [
    sql.replace("@,", f"{day},").replace("@ +", f"{day} +") for sql in (_OLD_DAY, _OLD_HOUR) for day in (_GONE, _TODAY)
]
"""What an earlier version kept: of a day whose runs are gone, and of the day of the run that is there."""


def _earlier(package: str) -> list[Migration]:
    return [each for each in load(package) if not each.name.endswith("_sums")]


def _made(statements: Iterable[str], *, marks: Iterable[Migration]) -> list[str]:
    table = "CREATE TABLE fourfold_migration (number BIGINT PRIMARY KEY, name TEXT, sha256 TEXT, applied_at TEXT)"
    return [*statements, table, *(_MARK.format(mark) for mark in marks)]


@pytest.fixture
def old_sqlite(tmp_path: Path) -> str:
    """The URL of an older store with a run, on SQLite."""
    earlier = _earlier("fourfold.adapters.sqlite")
    with closing(sqlite3.connect(tmp_path / "s.db")) as connection, connection:
        connection.create_function("now", 0, lambda: "2026-11-01")
        for each in earlier:
            connection.executescript(each.script)
        for statement in _made(_OLD_SUMS, marks=earlier):
            connection.execute(statement)
        places = ", ".join("?" * len(_RUN))
        statement = f"INSERT INTO fourfold_run ({_NAMES}) VALUES ({places})"  # noqa: S608  # our own names
        connection.execute(statement, [*_RUN.values()])
    return f"sqlite:///{tmp_path / 's.db'}"


@pytest.fixture
def old_postgres(postgres: Cluster) -> str:
    """The same on PostgreSQL, whose row-level security binds whoever migrates."""
    url, earlier = postgres.store(), _earlier("fourfold.adapters.postgres")
    with psycopg.connect(read_address(url).reveal()) as connection:
        connection.execute("SET fourfold.operator = 'on'")
        for statement in [*(each.script for each in earlier), *_made(_OLD_SUMS, marks=earlier)]:
            connection.execute(statement.encode())
        places = ", ".join(["%s"] * len(_RUN))
        statement = f"INSERT INTO fourfold_run ({_NAMES}) VALUES ({places})"  # noqa: S608  # our own names
        connection.execute(statement.encode(), [*_RUN.values()])
    return url


@pytest.mark.parametrize("old", ["old_sqlite", "old_postgres"])
async def test_runs_are_summed_up_again_and_days_whose_runs_are_gone_stay(
    old: str, request: pytest.FixtureRequest
) -> None:
    """A9, A14: no run is counted twice, and no month is lost."""
    url: str = request.getfixturevalue(old)
    assert [name[5:] for name in apply_migrations(url)] == ["sums"]
    assert await fold(url) == 1

    async with open_existing(url) as store:
        days, accounts, tools, callers, operations = await ask(
            store,
            lambda unit: (
                store.tallies.usage(unit, SumFilter(), by=("day_ms", "subject", "tool")),
                store.tallies.usage(unit, SumFilter(), by=("day_ms", "subject")),
                store.tallies.usage(unit, SumFilter(), by=("day_ms", "tool", "contract_version")),
                store.tallies.operations(unit, SumFilter(), by=("principal", "day_ms")),
                store.tallies.operations(unit, SumFilter(), by=("contract_version", "day_ms")),
            ),
            tenant=None,
        )

    gone = UsageSum(
        key=(_GONE, "acct-1", "quote_create"),
        runs=7,
        failed=0,
        tokens_in=70,
        tokens_out=700,
        tokens_definition=0,
        first_ms=_GONE,
        last_ms=_GONE + 9,
    )
    assert days[0] == gone
    assert [(each.key, each.runs) for each in days[1:]] == [((_TODAY, "acct-1", "quote_create"), 1)]
    assert [(each.key, each.runs) for each in accounts] == [((_GONE, "acct-1"), 7), ((_TODAY, "acct-1"), 1)]
    assert [(each.key, each.runs) for each in tools] == [
        ((_GONE, "quote_create", ""), 7),
        ((_TODAY, "quote_create", "1.0"), 1),
    ]
    for found, name in ((callers, "clerk@acme"), (operations, "1.0")):
        assert [(each.key, each.operations) for each in found] == [((name, _GONE), 7), ((name, _TODAY), 1)]
