"""The command line on a PostgreSQL store. A password in its URL is shown nowhere."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.commands import Result
from tests.postgres.cluster import Cluster

Run = Callable[..., Result]

_MIGRATIONS = ["0001_first", "0002_operations", "0003_seals", "0004_kept", "0005_selection", "0006_sums"]


@pytest.fixture
def url(postgres: Cluster) -> str:
    """An empty store, with a password that its server does not ask for."""
    return postgres.store().replace("app@", "app:hunter2@")


def test_migrating_shows_the_store_without_its_password(run: Run, url: str) -> None:
    """A9, B18: first what is pending, then what was applied, then nothing."""
    dry = run("migrate", "--store", url, "--dry-run")
    first, second = run("migrate", "--store", url, "--json"), run("migrate", "--store", url)

    assert (dry.code, dry.out) == (1, "".join(f"pending: {name}\n" for name in _MIGRATIONS))
    facts = json.loads(first.out)
    assert (facts["store"], facts["migrations"]) == ("postgresql://app@/postgres", _MIGRATIONS)
    assert (second.code, second.out) == (0, "postgresql://app@/postgres is up to date.\n")


def test_runs_are_asked_of_a_store_that_has_its_tables(run: Run, url: str) -> None:
    """A9: and of no other database."""
    before = run("runs", "list", "--store", url)
    run("migrate", "--store", url)
    after = run("runs", "list", "--store", url)

    assert (before.code, before.out) == (2, "")
    assert "there is no store at postgresql://app@/postgres" in before.err
    assert (after.code, after.err) == (0, "No runs.\n")


def test_a_doctor_looks_at_store_and_keys(run: Run, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A9, B10: replicas share their keys, so a missing ring is a fault."""
    run("migrate", "--store", url)
    found = run("doctor", "--store", url)

    assert "postgresql://app@/postgres; 0 migrations pending" in found.out
    assert "set FOURFOLD_KEYS, the same for every server on this database" in found.out + found.err
    assert "hunter2" not in found.out + found.err


def test_a_server_that_cannot_be_reached_is_told_without_its_password(run: Run) -> None:
    """A5, B18: with where and why."""
    result = run("migrate", "--store", "postgresql://svc:hunter2@127.0.0.1:1/billing")

    assert result.code != 0
    assert "cannot connect to postgresql://svc@127.0.0.1:1/billing: " in result.err
    assert "hunter2" not in result.out + result.err
