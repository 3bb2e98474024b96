"""What `fourfold prove` and the pytest plugin share: a target, who calls it, on which terms, and the run."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from fourfold.bootstrap.configuration import Configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.proving import Address, Terms, proving_catalog, proving_server, two_callers
from fourfold.bootstrap.sections import CallerEntry
from fourfold.errors import ConfigError, FourfoldError, TargetError
from fourfold.model.caller import Caller
from fourfold.model.listed import ListedCatalog
from fourfold.model.proof import FAMILIES, Proved, Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, prove
from fourfold.prove.registry import ENDED, all_checks

__all__ = ["Proving", "Wishes", "known_names", "proving_of", "run_proof"]

_CALLS_OF_OURS = 10_000
_CALLS_OF_OTHERS = 1_000
"""Calls that a run may make unless somebody says otherwise; a server that is not ours may be one that is in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What somebody asks of one run; what is `None` or empty stands in the configuration."""

    writes: bool = False
    seed: int | None = None
    max_calls: int | None = None
    callers: Path | None = None
    allow_untested: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """A target that can be opened: a catalog with two callers, or a server with an address for each caller."""

    target: str
    terms: Terms
    allowed: tuple[str, ...]
    loaded: LoadedCatalog | None = None
    callers: tuple[Caller, ...] = ()
    addresses: tuple[Address, ...] = ()

    def open(self) -> AbstractAsyncContextManager[Desk]:
        """Serve or connect; everything is closed at the end of the block.

        Raises:
            ConfigError, ContractError, TargetError: it cannot be served or reached.
        """
        if self.loaded is not None:
            return proving_catalog(self.loaded, self.callers, terms=self.terms, target=self.target)
        return proving_server(self.addresses, self.terms)


def proving_of(
    target: str,
    where: LoadedCatalog | str | Sequence[str],
    *,
    configuration: Configuration,
    wishes: Wishes,
    token: str | None = None,
) -> Proving:
    """What is to be proved, from what somebody asks and what the configuration says.

    Args:
        target: as the user named it.
        where: the catalog, the URL or the command that it stands for.
        configuration: the file that applies.
        wishes: what is asked of this run.
        token: of the first caller at a URL.

    Raises:
        ConfigError: the file with the callers is wrong.
    """
    section = configuration.prove
    ours = isinstance(where, LoadedCatalog)
    most = wishes.max_calls or section.max_calls or (_CALLS_OF_OURS if ours else _CALLS_OF_OTHERS)
    seed = section.seed if wishes.seed is None else wishes.seed
    terms = Terms(seed=seed, max_calls=most, writes=wishes.writes, examples=section.examples)
    allowed = (*wishes.allow_untested, *section.allow_untested)
    path = wishes.callers or (Path(section.callers) if section.callers else None)
    entries = read_configuration(path).caller if path else []
    if isinstance(where, LoadedCatalog):
        scopes = frozenset(scope for tool in where.built.tools.values() for scope in tool.contract.needs)
        callers = two_callers([entry.caller for entry in entries or configuration.caller], scopes)
        return Proving(target=target, terms=terms, allowed=allowed, loaded=where, callers=callers)
    addresses = _addresses(where, token, entries=entries, path=path)
    return Proving(target=target, terms=terms, allowed=allowed, addresses=addresses)


def _addresses(
    where: str | Sequence[str], token: str | None, *, entries: Sequence[CallerEntry], path: Path | None
) -> tuple[Address, ...]:
    """One address for each caller: those of the file if it has two, else the target's own and the one of the file."""
    own = Address(target=where, token=token)
    if path is None:
        return (own,)
    tenants: dict[str, Address] = {}
    for entry in entries:
        address = _address(entry, where, folder=path.parent)
        if address is not None:
            tenants.setdefault(entry.tenant, address)
    named = [*tenants.values()]
    if not named:
        needed = "token_env or token_file" if isinstance(where, str) else "command"
        raise ConfigError(f"{path.name} has no [[caller]] with {needed}, so nobody is there to call as")
    found = named[:2] if len(named) > 1 else [own, *named]
    if found[0] == found[1]:
        raise ConfigError(f"both callers of {path.name} are reached in one way; they would be the same caller")
    return tuple(found)


def _address(entry: CallerEntry, where: str | Sequence[str], *, folder: Path) -> Address | None:
    """Where the caller reaches the target; `None` if the entry doesn't say.

    Raises:
        ConfigError: its token is not there.
    """
    if not isinstance(where, str):
        return Address(target=tuple(entry.command)) if entry.command else None
    if entry.token_env is not None:
        token = os.environ.get(entry.token_env, "").strip()
        if not token:
            raise ConfigError(f"the token of caller {entry.name} is not there: set {entry.token_env}")
        return Address(target=where, token=token)
    if entry.token_file is None:
        return None
    try:
        return Address(target=where, token=(folder / entry.token_file).read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"the token of caller {entry.name} cannot be read from {entry.token_file}") from None


def known_names(catalog: ListedCatalog, names: Sequence[str]) -> tuple[str, ...]:
    """`names`, if each is that of a check, a family or a tool of the catalog.

    Raises:
        ConfigError: one is none of them. A run of nothing would look like one in which nothing failed.
    """
    known = [*(check.name for check in all_checks()), *FAMILIES, *(tool.name for tool in catalog.tools)]
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {nearest[0]}?" if nearest else ""
            raise ConfigError(f"no check, no family and no tool is called {name!r}{hint}")
    return tuple(names)


async def run_proof(
    proving: Proving, only: Sequence[str], *, progress: Callable[[Verdict], None]
) -> tuple[ListedCatalog, Proved]:
    """Run the checks; what is listed, and the verdicts.

    A server that ends in between has failed `server-answers`, and the verdicts until then stand.

    Raises:
        ConfigError, ContractError: the target cannot be served, or a name stands for nothing.
        TargetError: it cannot be started or reached.
    """
    verdicts: list[Verdict] = []

    def keep(verdict: Verdict) -> None:
        verdicts.append(verdict)
        progress(verdict)

    desk, failure = await _checked(proving, only, progress=keep)
    if isinstance(failure, TargetError):
        keep(_ended(desk, failure))
    elif failure is not None:
        raise failure
    ran = {verdict.check for verdict in verdicts}
    return desk.catalog, Proved(
        target=desk.catalog.target,
        revision=desk.revision,
        seed=desk.seed,
        verdicts=tuple(verdicts),
        checks=tuple(check for check in (*(each.facts for each in all_checks()), ENDED) if check.name in ran),
        strict=proving.loaded is not None,
        allowed=proving.allowed,
    )


async def _checked(
    proving: Proving, only: Sequence[str], *, progress: Callable[[Verdict], None]
) -> tuple[Desk, FourfoldError | None]:
    """The desk, closed again, and what kept the checks from running to their end."""
    opened: list[Desk] = []
    failure: FourfoldError | None = None
    try:
        async with proving.open() as desk:
            opened.append(desk)
            # Raised in here, it would come out of the server's task group wrapped.
            try:
                selection = Selection(only=known_names(desk.catalog, only))
                known_names(desk.catalog, proving.allowed)
                await prove(desk, revision=desk.revision, selection=selection, progress=progress)
            except FourfoldError as error:
                failure = error
    except TargetError:
        # A server that has ended cannot be taken leave of either; that it ended is known by then.
        if not opened:
            raise
    return opened[0], failure


def _ended(desk: Desk, error: TargetError) -> Verdict:
    calls = (desk.last,) if desk.last else ()
    return Verdict(check=ENDED.name, family=ENDED.family, tool="", status="failed", detail=str(error), calls=calls)
