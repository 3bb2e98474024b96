"""Joins what results in a store need: which store, one that is made where it is named, and results out of files."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sql.unit import no_subject
from fourfold.adapters.sqlite.store import open_sqlite, sqlite_path
from fourfold.adapters.store_url import is_postgres, shown_url
from fourfold.bootstrap.maintenance import open_existing, pending_migrations, store_exists
from fourfold.bootstrap.selecting import load_result
from fourfold.bootstrap.service import ServedStore
from fourfold.errors import ConfigError, StoreError
from fourfold.model.selected import KeptResult
from fourfold.selection.keeping import Beside, Confusion, kept

__all__ = ["Keepable", "keep", "keepable", "kept_results", "place_for_results"]

_FAR = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keepable:
    """A result, ready to be kept."""

    result: KeptResult
    confusion: Confusion


def place_for_results(given: str | None, configured: str | None) -> tuple[str | None, str]:
    """The store that a run writes its result to, if any, and why it writes none to the configured one.

    A store that is only configured may be that of a server that runs elsewhere, or has never been started: a run
    neither makes it nor fails for it.

    Raises:
        ConfigError: the one that is given is old, or a database without our tables.
        StoreError: the one that is given can't be looked into.
    """
    if given is not None:
        _require_usable(given)
        return given, ""
    if configured is None or configured == "memory:":
        return None, ""
    try:
        is_usable = store_exists(configured) and not pending_migrations(configured)
    except (ConfigError, StoreError):
        is_usable = False
    if is_usable:
        return configured, ""
    return None, f"{shown_url(configured)}, the configured store, is not there or is old: the result is not kept in it"


def _require_usable(url: str) -> None:
    """Refuse now what could not be written to when the answers are paid for."""
    if (is_postgres(url) or store_exists(url)) and pending_migrations(url):
        raise ConfigError(f"{shown_url(url)} has not the tables of this version; fourfold migrate adds them")


def keepable(path: Path) -> Keepable:
    """The result in a file, with what the file tells of it.

    Raises:
        ConfigError: it can't be read, or is no result.
    """
    result = load_result(path)
    return Keepable(
        result=kept(result, Beside(suite=result.suite, versions=result.versions)), confusion=result.tally.confusion
    )


async def keep(url: str, results: Sequence[Keepable]) -> int:
    """Keep results in the store at `url`, and make it if it is a file that isn't there; how many were new.

    Raises:
        ConfigError, StoreError: it can't be opened, or is old.
    """
    async with _opened(url) as store:
        added = await store.units.write(
            lambda found: [store.selections.add(found.unit, it.result, confusion=it.confusion) for it in results],
            deadline=_FAR,
        )
    return sum(added)


async def kept_results(url: str, *, suite: str, limit: int) -> Sequence[KeptResult]:
    """The newest results in the store at `url`, of one suite if it is named.

    Raises:
        ConfigError, StoreError: there is none, or it can't be read.
    """
    async with open_existing(url) as store:
        return await store.units.read(
            lambda unit: store.selections.results(unit, suite=suite, limit=limit), deadline=_FAR, subject=no_subject
        )


@asynccontextmanager
async def _opened(url: str) -> AsyncGenerator[ServedStore]:
    if is_postgres(url) or sqlite_path(url).exists():
        async with open_existing(url) as store:
            yield store
        return
    made = open_sqlite(url, clock=SystemClock())
    try:
        yield made
    finally:
        await made.aclose()
