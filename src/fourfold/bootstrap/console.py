"""Opens the console over a store: alone, or beside the server that writes it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.signer import Ed25519Verifier
from fourfold.bootstrap.configuration import Configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.locked import LOCK_FILE, read_lock_file
from fourfold.bootstrap.maintenance import open_existing, sealer_of
from fourfold.bootstrap.operators import operator_of, read_operators
from fourfold.bootstrap.sections import ReviewSection
from fourfold.bootstrap.signing import verifier_of
from fourfold.bootstrap.targets import of_catalog
from fourfold.bootstrap.upkeep import FOLD_WATCHED_S, alongside
from fourfold.budget.prices import prices
from fourfold.console.known import KnownCatalog
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.errors import ConfigError
from fourfold.model.lock import CatalogLock
from fourfold.model.operator import Operator
from fourfold.ports.sealer import Sealer
from fourfold.ports.signer import Verifier
from fourfold.ports.store import Store
from fourfold.review.settings import ReviewSettings
from fourfold.runs.spending import TokenPrice
from fourfold.runs.upkeep import fold_by_the_minute

__all__ = ["ConsoleTerms", "checker_of", "console_over", "open_console"]

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
    async with open_existing(url) as store:
        try:
            sealer = sealer_of(url)
        except ConfigError as error:
            _log.warning("what plans will do and what runs kept stays closed: %s", error)
            sealer = None
        console = console_over(store, sealer=sealer, verifier=checker_of(url, sealer), terms=terms)
        async with alongside(partial(fold_by_the_minute, store, clock=console.clock, period_s=FOLD_WATCHED_S)):
            yield console


def checker_of(url: str, sealer: Sealer | None) -> Verifier:
    """What checks the seals of the store at `url`: its keys, and where they are not here, those of the server."""
    try:
        return verifier_of(url)
    except ConfigError:
        return Ed25519Verifier({}) if sealer is None else sealer.signer.verifier


def console_over(store: Store, *, sealer: Sealer | None, verifier: Verifier, terms: ConsoleTerms) -> Console:
    """The console over an open store.

    Raises:
        ConfigError: the configuration is wrong, or the lock file cannot be read.
    """
    configuration = read_configuration(terms.configuration)
    return Console(
        store=store,
        sealer=sealer,
        clock=SystemClock(),
        people=_People(terms.configuration),
        retention=configuration.retention.retention,
        catalog=terms.loaded.built if terms.loaded else None,
        known=_known_catalog(terms.loaded, terms.target, configuration.review) if terms.loaded else None,
        target=terms.target,
        locked=_lock_of(terms),
        verifier=verifier,
        prices={price.model: TokenPrice(input=price.input) for price in prices()},
        hosts=frozenset(terms.hosts),
        secure=terms.secure,
    )


def _known_catalog(loaded: LoadedCatalog, target: str, section: ReviewSection) -> KnownCatalog:
    """The catalog with what the review finds, as `[review]` has it."""
    settings = ReviewSettings(
        select=tuple(section.select),
        ignore=tuple(section.ignore),
        waivers=section.waivers,
        clients=tuple(section.clients),
    )
    listed = of_catalog(loaded, target=target)
    today = datetime.fromtimestamp(SystemClock().now_ms() // 1000, UTC).date()
    return KnownCatalog.of(replace(listed, server=section.server or listed.server), today=today, settings=settings)


@dataclass(frozen=True, slots=True)
class _People:
    """Who has a token. The file is read each time, so that a person who is taken out of it decides nothing more."""

    path: Path | None

    def by_token(self, token: str) -> Viewer | None:
        """Whose token it is: a caller's, or an operator's where the file is that person's alone to write."""
        caller = TokenIdentity(_known(read_configuration(self.path))).identify(f"Bearer {token}")
        if caller is not None:
            return Viewer.of_caller(caller)
        try:
            return Viewer.of_operator(operator_of(token, read_operators(self.path)))
        except ConfigError as error:
            _log.info("a token signed nobody in: %s", error)
            return None

    def stands(self, operator: Operator) -> bool:
        """Whether the file still says all of this about them."""
        try:
            return operator in [entry.operator for entry in read_operators(self.path).operator]
        except ConfigError as error:
            _log.warning("nobody is an operator any more: %s", error)
            return False


def _known(configuration: Configuration) -> list[KnownToken]:
    return [
        KnownToken(caller=entry.caller, token_sha256=entry.token_sha256)
        for entry in configuration.caller
        if entry.token_sha256 is not None
    ]


def _lock_of(terms: ConsoleTerms) -> CatalogLock | None:
    if terms.loaded is None or not LOCK_FILE.exists():
        return None
    locked = read_lock_file(LOCK_FILE)
    return locked if locked.target == terms.target else None
