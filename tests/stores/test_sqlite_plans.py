"""Questions to the run records use indexes: SQLite is asked how it would answer what was really sent."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.model.run import RunFilter
from tests.stores.breaking import Wire
from tests.stores.clocks import SteppedClock
from tests.stores.records import NOON_MS

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
        if "fourfold_run" in sql:
            self._sent.append(sql)

    def plan(self) -> str:
        """How SQLite answers the last question, without analysed statistics."""
        connection = sqlite3.connect(self._path)
        rows = connection.execute(f"EXPLAIN QUERY PLAN {self._sent[-1]}", defaultdict[str, int](int)).fetchall()
        connection.close()
        return "\n".join(row[3] for row in rows)


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
    ],
)
async def test_a_list_is_read_from_an_index_in_its_order(questions: Questions, where: RunFilter, index: str) -> None:
    """A9: no scan and no sorting, however many runs there are."""
    await questions.store.runs.list(where, limit=50)

    plan = questions.plan()
    assert f"SEARCH r USING INDEX {index}" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan


async def test_one_run_is_found_by_its_id_or_reference(questions: Questions) -> None:
    """A9: both are indexed."""
    await questions.store.runs.show("run-1")

    plan = questions.plan()
    assert "sqlite_autoindex_fourfold_run_1 (run_id=?)" in plan
    assert "fourfold_run_reference (reference=?)" in plan
    assert "SCAN" not in plan


async def test_failures_read_only_failed_runs(questions: Questions) -> None:
    """A9: a month of successes costs nothing."""
    await questions.store.runs.failures(MONTH, limit=50)

    assert "SEARCH r USING INDEX fourfold_run_failed (at_ms>? AND at_ms<?)" in questions.plan()


@pytest.mark.parametrize(
    ("where", "index"),
    [
        (MONTH, "fourfold_run_count_at (at_ms>? AND at_ms<?)"),
        (replace(MONTH, tenant="acme"), "fourfold_run_count_tenant (tenant=? AND at_ms>? AND at_ms<?)"),
        (replace(MONTH, tool="quote_create"), "fourfold_run_count_tool (tool=? AND at_ms>? AND at_ms<?)"),
    ],
)
async def test_counts_read_only_their_time(questions: Questions, where: RunFilter, index: str) -> None:
    """A17: this month is read, not all of history."""
    await questions.store.runs.counts(where, field="flags", limit=50)

    assert f"SEARCH n USING INDEX {index}" in questions.plan()
