"""Migrations of the framework's tables."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from fourfold.adapters.sqlite.migrate import migrate, pending
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.errors import StoreError
from tests.stores.breaking import outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import schema

pytestmark = pytest.mark.anyio

_ALL = [
    "0001_first",
    "0002_effects",
    "0003_operations",
    "0004_seals",
    "0005_kept",
    "0006_selection",
    "0007_sums",
]

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'fourfold%' ORDER BY name"


def test_an_empty_database_gets_every_migration_once(tmp_path: Path) -> None:
    """A9, D1: and a second run finds nothing to do."""
    path = tmp_path / "s.db"

    assert pending(path) == _ALL
    assert not path.exists()
    assert migrate(path) == _ALL
    assert (pending(path), migrate(path)) == ([], [])
    assert [name for (name,) in outside(path, TABLES)] == [
        "fourfold_account_day",
        "fourfold_attempt",
        "fourfold_audit",
        "fourfold_budget",
        "fourfold_caller_day",
        "fourfold_charge_day",
        "fourfold_charge_hour",
        "fourfold_claim",
        "fourfold_count_day",
        "fourfold_decision",
        "fourfold_failure_hour",
        "fourfold_fill_day",
        "fourfold_handle",
        "fourfold_latency_day",
        "fourfold_latency_hour",
        "fourfold_message",
        "fourfold_migration",
        "fourfold_operation",
        "fourfold_operation_day",
        "fourfold_operation_hour",
        "fourfold_plan",
        "fourfold_run",
        "fourfold_run_closing",
        "fourfold_run_day",
        "fourfold_run_fresh",
        "fourfold_run_hour",
        "fourfold_run_kept",
        "fourfold_seal",
        "fourfold_seal_leaves",
        "fourfold_selection",
        "fourfold_selection_pair",
        "fourfold_selection_tool",
        "fourfold_tool_day",
        "fourfold_writer",
    ]
    assert len(outside(path, "SELECT * FROM fourfold_migration")) == len(_ALL)


async def test_opening_applies_what_is_pending(tmp_path: Path) -> None:
    """A9: a catalog's own database is taken as it is."""
    outside(tmp_path / "s.db", "CREATE TABLE quote (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
    outside(tmp_path / "s.db", "INSERT INTO quote (name) VALUES ('Q-old')")
    store = open_sqlite(tmp_path / "s.db", clock=SteppedClock())
    await store.units.prepare(schema)

    assert pending(tmp_path / "s.db") == []
    assert outside(tmp_path / "s.db", "SELECT name FROM quote") == [("Q-old",)]
    await store.aclose()


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """D1: all of it is one transaction."""
    outside(tmp_path / "s.db", "CREATE TABLE fourfold_run_count (mine INTEGER)")
    with pytest.raises(StoreError, match="already exists"):
        migrate(tmp_path / "s.db")

    assert outside(tmp_path / "s.db", TABLES) == [("fourfold_run_count",)]


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """A9: old code must not write what it does not know."""
    migrate(tmp_path / "s.db")
    outside(tmp_path / "s.db", "INSERT INTO fourfold_migration VALUES (9, '0009_later', 'x', '2030-01-01')")

    for use in (migrate, pending, partial(open_sqlite, clock=SteppedClock())):
        with pytest.raises(StoreError, match=r"has migration 9, this Fourfold knows up to 7; use the newer Fourfold"):
            use(tmp_path / "s.db")


def test_a_migration_that_was_changed_after_it_was_applied_is_refused(tmp_path: Path) -> None:
    """D1: the text of a released migration is part of the schema."""
    migrate(tmp_path / "s.db")
    outside(tmp_path / "s.db", "UPDATE fourfold_migration SET sha256 = 'x'")

    with pytest.raises(StoreError, match="0001_first differs"):
        migrate(tmp_path / "s.db")
