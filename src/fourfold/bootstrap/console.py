"""Opens the console over a store: alone, or beside the server that writes it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.configuration import Configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.locked import LOCK_FILE, read_lock_file
from fourfold.bootstrap.maintenance import open_existing, sealer_of
from fourfold.bootstrap.operators import operator_of, read_operators
from fourfold.budget.prices import prices
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.errors import ConfigError
from fourfold.model.lock import CatalogLock
from fourfold.ports.sealer import Sealer
from fourfold.ports.store import Store
from fourfold.runs.spending import TokenPrice
from fourfold.runs.upkeep import fold_by_the_minute

__all__ = ["ConsoleTerms", "console_over", "open_console"]

_FOLD_S = 5
"""Seconds between sums while somebody looks and no server may be running."""

_log = logging.getLogger("fourfold.console")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleTerms:
    """How a console is reached, and by whom.

    Attributes:
        configuration: file with operators and callers; `None` leaves the one-time link alone.
        loaded: the catalog whose contracts are shown, if any; `target` is its name in a lock file.
        hosts: names that browsers reach it by, beside loopback.
        secure: whether these are reached by https.
    """

    configuration: Path | None = None
    loaded: LoadedCatalog | None = None
    target: str = ""
    hosts: tuple[str, ...] = ()
    secure: bool = False


@asynccontextmanager
async def open_console(url: str, terms: ConsoleTerms) -> AsyncGenerator[Console]:
    """The console over an existing store, whose sums are kept up to date until the block ends.

    Raises:
        ConfigError: there is no store at `url`, its tables are old, or the configuration is wrong.
    """
    async with open_existing(url) as store, anyio.create_task_group() as tasks:
        try:
            sealer = sealer_of(url)
        except ConfigError as error:
            _log.warning("what plans will do and what runs kept stays closed: %s", error)
            sealer = None
        console = console_over(store, sealer=sealer, terms=terms)
        tasks.start_soon(partial(fold_by_the_minute, store, clock=console.clock, period_s=_FOLD_S))
        yield console
        tasks.cancel_scope.cancel()


def console_over(store: Store, *, sealer: Sealer | None, terms: ConsoleTerms) -> Console:
    """The console over an open store.

    Raises:
        ConfigError: the configuration is wrong, or the lock file cannot be read.
    """
    configuration = read_configuration(terms.configuration)
    return Console(
        store=store,
        sealer=sealer,
        clock=SystemClock(),
        person=_people(terms.configuration, configuration),
        retention=configuration.retention.retention,
        catalog=terms.loaded.built if terms.loaded else None,
        locked=_lock_of(terms),
        prices={price.model: TokenPrice(input=price.input) for price in prices()},
        hosts=frozenset(terms.hosts),
        secure=terms.secure,
    )


def _people(path: Path | None, configuration: Configuration) -> Callable[[str], Viewer | None]:
    """Whose token something is: an operator's, where the file is theirs alone, or a caller's."""
    operators = None
    if configuration.operator:
        operators = read_operators(path)
    callers = TokenIdentity(
        [
            KnownToken(caller=entry.caller, token_sha256=entry.token_sha256)
            for entry in configuration.caller
            if entry.token_sha256 is not None
        ]
    )

    def person(token: str) -> Viewer | None:
        caller = callers.identify(f"Bearer {token}")
        if caller is not None:
            return Viewer.of_caller(caller)
        try:
            return None if operators is None else Viewer.of_operator(operator_of(token, operators))
        except ConfigError:
            return None

    return person


def _lock_of(terms: ConsoleTerms) -> CatalogLock | None:
    if terms.loaded is None or not LOCK_FILE.exists():
        return None
    locked = read_lock_file(LOCK_FILE)
    return locked if locked.target == terms.target else None
