"""Questions to the run records use indexes: SQLite is asked how it would answer what was really sent."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.model.run import UNKNOWN_SUBJECT, RunFilter
from fourfold.ports.tallies import SumFilter
from fourfold.runs.upkeep import drop_runs, fold_all
from tests.stores.breaking import Wire
from tests.stores.clocks import SteppedClock
from tests.stores.domain import read
from tests.stores.explaining import scans_of
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

MONTH = RunFilter(since_ms=NOON_MS, until_ms=NOON_MS + 2_592_000_000)


class Questions:
    """A store whose queries are watched and explained."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wire = Wire()
        self._wire.before = self._keep
        self._sent: list[str] = []
        self.store: SqliteStore = open_sqlite(path, clock=SteppedClock(), connect=self._wire.connect)

    def _keep(self, sql: str) -> None:
        if "fourfold_" in sql and "fourfold_writer" not in sql:
            self._sent.append(sql)

    def plan(self, count: int = 1) -> str:
        """How SQLite answers the last questions, without analysed statistics."""
        with closing(sqlite3.connect(self._path)) as connection:
            plans = [
                connection.execute(f"EXPLAIN QUERY PLAN {sql}", _anything(sql)).fetchall()
                for sql in self._sent[-count:]
            ]
        return "\n".join(row[3] for rows in plans for row in rows)

    def forget(self) -> None:
        """Forget what was sent so far."""
        self._sent.clear()

    @property
    def sent(self) -> int:
        """How many statements were sent."""
        return len(self._sent)


def _anything(sql: str) -> Sequence[int] | Mapping[str, int]:
    """A value for each placeholder of `sql`, whatever they are called."""
    places = sql.count("?")
    return [0] * places if places else defaultdict[str, int](int)


@pytest.fixture
async def questions(tmp_path: Path) -> AsyncGenerator[Questions]:
    """An empty store to ask."""
    opened = Questions(tmp_path / "s.db")
    yield opened
    await opened.store.aclose()


@pytest.mark.parametrize(
    ("where", "index"),
    [
        (RunFilter(), "fourfold_run_at (at_ms>? AND at_ms<?)"),
        (replace(MONTH, tenant="acme"), "fourfold_run_tenant (tenant=? AND at_ms>? AND at_ms<?)"),
        (replace(MONTH, tool="quote_create"), "fourfold_run_tool (tool=? AND at_ms>? AND at_ms<?)"),
        (replace(MONTH, subject="acct-1"), "fourfold_run_subject (subject=? AND at_ms>? AND at_ms<?)"),
        (replace(MONTH, failed=True), "fourfold_run_failed (at_ms>? AND at_ms<?)"),
        (replace(MONTH, code="too_busy"), "fourfold_run_failed_code (code=? AND at_ms>? AND at_ms<?)"),
        (replace(MONTH, outcome="denied"), "fourfold_run_failed (at_ms>? AND at_ms<?)"),
        (replace(MONTH, outcome="done"), "fourfold_run_at (at_ms>? AND at_ms<?)"),
        (
            replace(MONTH, tenant="acme", failed=True),
            "fourfold_run_failed_tenant (tenant=? AND at_ms>? AND at_ms<?)",
        ),
        (
            replace(MONTH, tenant="acme", tool="quote_create", principal="boss@acme"),
            "fourfold_run_tenant (tenant=? AND at_ms>? AND at_ms<?)",
        ),
        (
            replace(MONTH, tenant="acme", tool="quote_create", subject="acct-1"),
            "fourfold_run_subject (subject=? AND at_ms>? AND at_ms<?)",
        ),
        (
            replace(MONTH, tenant="acme", subject=UNKNOWN_SUBJECT),
            "fourfold_run_tenant (tenant=? AND at_ms>? AND at_ms<?)",
        ),
    ],
)
async def test_a_list_is_read_from_an_index_in_its_order(questions: Questions, where: RunFilter, index: str) -> None:
    """A9: no scan, and no sorting but of runs of one millisecond, however many there are."""
    await questions.store.runs.list(where, limit=50)

    plan = questions.plan()
    assert f"SEARCH r USING INDEX {index}" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE FOR ORDER BY" not in plan


async def test_an_export_reads_on_where_it_was(questions: Questions) -> None:
    """A9: each page costs what is in it."""
    await questions.store.runs.following(MONTH, after=None, limit=50)

    plan = questions.plan()
    assert "SEARCH r USING INDEX fourfold_run_at (at_ms>? AND at_ms<?)" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE FOR ORDER BY" not in plan


async def test_one_run_is_found_by_its_id_or_reference(questions: Questions) -> None:
    """A9: both are indexed."""
    await questions.store.runs.show("run-1")

    plan = questions.plan()
    assert "sqlite_autoindex_fourfold_run_1 (run_id=?)" in plan
    assert "fourfold_run_reference (reference=?)" in plan
    assert "SCAN" not in plan


SUMS = SumFilter(since_ms=NOON_MS, until_ms=NOON_MS + 2_592_000_000)


@pytest.mark.parametrize("where", [SUMS, replace(SUMS, tool="quote_create"), replace(SUMS, tenant="acme")])
async def test_sums_are_read_by_their_time_and_never_from_the_runs(questions: Questions, where: SumFilter) -> None:
    """A9, A14, A17: a month of sums, whatever the number of runs."""
    store = questions.store
    questions.forget()
    await read(store.units, lambda unit: store.tallies.operations(unit, where, by=("hour_ms",)))
    await read(store.units, lambda unit: store.tallies.usage(unit, where, by=("subject", "day_ms")))
    await read(store.units, lambda unit: store.tallies.charges(unit, where, by=("subject",)))
    await read(store.units, lambda unit: store.tallies.fill(unit, where, field="flags"))

    plan = questions.plan(questions.sent)
    assert questions.sent == 4
    assert plan.count("SEARCH t USING") == 4
    assert "SCAN" not in plan


async def test_summing_up_and_dropping_read_only_what_they_take(questions: Questions) -> None:
    """A9, A14: a batch costs what is in it, not what is in the store."""
    store, clock = questions.store, SteppedClock(now_ms=NOON_MS + 10**9)
    for run in (run_at(1, outcome="invalid", operation_id=""), run_at(2)):
        store.runs.append(run)
    await store.runs.flush()
    questions.forget()
    await fold_all(store, clock=clock)
    await drop_runs(store, clock=clock, before_ms=NOON_MS + 10**9)

    plan = questions.plan(questions.sent)
    assert questions.sent > 10
    # The newest run is asked for by the row's number, backwards: that scan ends with the first row. The rest are
    # values that were handed in.
    assert [table for table in scans_of(plan) if table not in ("CONSTANT", "40")] == ["fourfold_run"]
