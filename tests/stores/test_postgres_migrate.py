"""Migrations of the framework's tables in PostgreSQL."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest

from fourfold.adapters.postgres.store import is_in_postgres, migrate_postgres, open_postgres, pending_in_postgres
from fourfold.adapters.sqlite.migrate import migrate
from fourfold.errors import StoreError
from tests.postgres.cluster import ROLE, Cluster
from tests.stores.breaking import outside
from tests.stores.clocks import SteppedClock

_ALL = ["0001_first", "0002_operations", "0003_seals", "0004_kept", "0005_selection", "0006_sums"]

TABLES = """
SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname
"""


def test_an_empty_database_gets_every_migration_once(postgres: Cluster, url: str) -> None:
    """A9, B18, D1: a second run finds nothing to do; what has a tenant is under row-level security."""
    assert (is_in_postgres(url), pending_in_postgres(url)) == (False, _ALL)
    assert migrate_postgres(url) == _ALL
    assert (is_in_postgres(url), pending_in_postgres(url), migrate_postgres(url)) == (True, [], [])
    assert postgres.execute(TABLES, url=url) == [
        ("fourfold_account_day", True),
        ("fourfold_attempt", True),
        ("fourfold_audit", True),
        ("fourfold_budget", False),
        ("fourfold_caller_day", True),
        ("fourfold_charge_day", True),
        ("fourfold_charge_hour", True),
        ("fourfold_claim", True),
        ("fourfold_count_day", True),
        ("fourfold_decision", True),
        ("fourfold_failure_hour", True),
        ("fourfold_fill_day", True),
        ("fourfold_handle", True),
        ("fourfold_latency_day", True),
        ("fourfold_latency_hour", True),
        ("fourfold_message", True),
        ("fourfold_migration", False),
        ("fourfold_operation", True),
        ("fourfold_operation_day", True),
        ("fourfold_operation_hour", True),
        ("fourfold_plan", True),
        ("fourfold_run", True),
        ("fourfold_run_closing", False),
        ("fourfold_run_day", True),
        ("fourfold_run_fresh", False),
        ("fourfold_run_hour", True),
        ("fourfold_run_kept", True),
        ("fourfold_seal", False),
        ("fourfold_seal_leaves", False),
        ("fourfold_selection", False),
        ("fourfold_selection_pair", False),
        ("fourfold_selection_tool", False),
        ("fourfold_tool_day", True),
        ("fourfold_turn", False),
    ]


def test_the_tables_have_the_columns_of_those_in_sqlite(postgres: Cluster, url: str, tmp_path: Path) -> None:
    """D1: the same statements run on both."""
    migrate(tmp_path / "s.db")
    migrate_postgres(url)
    embedded = outside(
        tmp_path / "s.db",
        "SELECT t.name || '.' || c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'",
    )
    here = postgres.execute(
        "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()",
        url=url,
    )

    assert set(here) - set(embedded) == {("fourfold_turn.slot",), ("fourfold_turn.turns",)}
    assert set(embedded) - set(here) == {("fourfold_writer.id",), ("fourfold_writer.group_no",)}


def test_servers_that_start_together_migrate_once(postgres: Cluster, url: str) -> None:
    """D1: the others wait, and find it done."""
    applied: list[list[str]] = []
    threads = [threading.Thread(target=lambda: applied.append([*migrate_postgres(url)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(applied) == [[], [], [], _ALL]


def test_a_migration_that_fails_leaves_nothing(postgres: Cluster, url: str) -> None:
    """D1: all of it is one transaction."""
    postgres.execute("CREATE TABLE fourfold_run_count (mine INT)", url=url)
    with pytest.raises(StoreError, match=r'nothing was changed: relation "fourfold_run_count" already exists'):
        migrate_postgres(url)

    assert postgres.execute(TABLES, url=url) == [("fourfold_run_count", False)]


def test_a_database_of_a_newer_version_is_refused(postgres: Cluster, url: str) -> None:
    """A9: old code must not write what it does not know."""
    migrate_postgres(url)
    postgres.execute("INSERT INTO fourfold_migration VALUES (9, '0009_later', 'x')", url=url)

    for use in (migrate_postgres, pending_in_postgres, partial(open_postgres, clock=SteppedClock())):
        with pytest.raises(StoreError, match=r"has migration 9, this Fourfold knows up to 6; use the newer Fourfold"):
            use(url)


def test_a_role_that_may_not_make_tables_is_told_who_may(postgres: Cluster, url: str) -> None:
    """A9: the one that serves need not be the one that migrates."""
    postgres.execute("CREATE ROLE reader LOGIN")
    schema = url.rpartition("%3D")[2]
    postgres.execute(f"GRANT USAGE ON SCHEMA {schema} TO reader")

    with pytest.raises(StoreError, match=rf"permission denied for schema {schema}: run `fourfold migrate` as a role"):
        migrate_postgres(url.replace(f"{ROLE}@", "reader@"))
