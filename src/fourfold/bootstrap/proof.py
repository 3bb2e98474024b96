"""What `fourfold prove` and the pytest plugin share: a target, who calls it, on which terms, and the run."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from fourfold.bootstrap.configuration import Configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.official import Examined, official_verdicts
from fourfold.bootstrap.proving import Address, Terms, proving_catalog, proving_server, two_callers
from fourfold.bootstrap.recordings import Recording, read_recording, recording
from fourfold.bootstrap.sections import CallerEntry
from fourfold.contracts.conform import misfits
from fourfold.errors import ConfigError, FourfoldError, TargetError
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog
from fourfold.model.proof import FAMILIES, CheckFacts, Proved, Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, prove, unanswered
from fourfold.prove.official import INSPECTOR, SUITE
from fourfold.prove.registry import ENDED, all_checks

__all__ = ["Proving", "Wishes", "check_examples", "known_names", "proving_of", "run_proof"]

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
    record: Path | None = None
    replay: Path | None = None
    fail_on: Literal["failure", "warning"] | None = None
    official: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """A target that can be opened: a catalog with two callers, a server with an address for each, or a recording.

    Attributes:
        record: a new file that keeps the run.
        replay: what answers instead of the target.
        warnings_count: whether a warning counts against the target.
        official: where the official tools may be, if they are to run.
    """

    target: str
    terms: Terms
    allowed: tuple[str, ...]
    loaded: LoadedCatalog | None = None
    callers: tuple[Caller, ...] = ()
    addresses: tuple[Address, ...] = ()
    record: Path | None = None
    replay: Recording | None = None
    warnings_count: bool = False
    official: tuple[str, ...] = ()

    def open(self, only: Sequence[str] = ()) -> AbstractAsyncContextManager[Desk]:
        """Serve or connect, for a run of what `only` names; everything is closed at the end of the block.

        Raises:
            ConfigError, ContractError, TargetError: it cannot be served or reached.
        """
        if self.replay is not None:
            return self.replay.replayed(self.loaded, target=self.target)
        opening = self._open()
        return opening if self.record is None else recording(opening, self.record, target=self.target, only=only)

    def _open(self) -> AbstractAsyncContextManager[Desk]:
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
        ConfigError: the file with the callers, or the recording, is wrong.
    """
    proving = _proving_of(target, where, configuration=configuration, wishes=wishes, token=token)
    counts = (wishes.fail_on or configuration.prove.fail_on) == "warning"
    return replace(proving, warnings_count=counts, official=wishes.official)


def _proving_of(
    target: str,
    where: LoadedCatalog | str | Sequence[str],
    *,
    configuration: Configuration,
    wishes: Wishes,
    token: str | None,
) -> Proving:
    section = configuration.prove
    ours = isinstance(where, LoadedCatalog)
    most = wishes.max_calls or section.max_calls or (_CALLS_OF_OURS if ours else _CALLS_OF_OTHERS)
    seed = section.seed if wishes.seed is None else wishes.seed
    terms = Terms(seed=seed, max_calls=most, writes=wishes.writes, examples=section.examples)
    allowed = (*wishes.allow_untested, *section.allow_untested)
    if wishes.replay is not None:
        replay, loaded = read_recording(wishes.replay), where if isinstance(where, LoadedCatalog) else None
        return Proving(target=target, terms=replay.terms, allowed=allowed, loaded=loaded, replay=replay)
    path = wishes.callers or (Path(section.callers) if section.callers else None)
    entries = read_configuration(path).caller if path else []
    if isinstance(where, LoadedCatalog):
        scopes = frozenset(scope for tool in where.built.tools.values() for scope in tool.contract.needs)
        callers = two_callers([entry.caller for entry in entries or configuration.caller], scopes)
        return Proving(target=target, terms=terms, allowed=allowed, loaded=where, callers=callers, record=wishes.record)
    addresses = _addresses(where, token, entries=entries, path=path)
    return Proving(target=target, terms=terms, allowed=allowed, addresses=addresses, record=wishes.record)


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
    known = [
        *(check.name for check in (*all_checks(), SUITE, INSPECTOR)),
        *FAMILIES,
        *(tool.name for tool in catalog.tools),
    ]
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {nearest[0]}?" if nearest else ""
            raise ConfigError(f"no check, no family and no tool is called {name!r}{hint}")
    return tuple(names)


def check_examples(catalog: ListedCatalog, examples: Mapping[str, Sequence[JsonObject]]) -> None:
    """See that each example fits the schema of its tool. One for a tool of another target is left alone.

    Raises:
        ConfigError: one does not. The tool would be blamed for refusing it.
    """
    for tool in catalog.tools:
        found = chain.from_iterable(misfits(each, tool.input_schema) for each in examples.get(tool.name, ()))
        for misfit in found:
            where = f"{misfit.pointer or 'the arguments'}: {misfit.keyword}"
            raise ConfigError(f"[[prove.example]] for {tool.name} does not fit the tool's schema: {where}")


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

    only = only if proving.replay is None else proving.replay.only
    desk, failure = await _checked(proving, only, progress=keep)
    if isinstance(failure, TargetError):
        keep(unanswered(desk, failure))
    elif failure is not None:
        raise failure
    said = await _official(proving, desk) if failure is None else []
    for _, verdict in said:
        keep(verdict)
    ran = {verdict.check for verdict in verdicts}
    known = (*(each.facts for each in all_checks()), ENDED, *(check for check, _ in said))
    return desk.catalog, Proved(
        target=desk.catalog.target,
        revision=desk.revision,
        seed=desk.seed,
        verdicts=tuple(verdicts),
        checks=tuple(check for check in known if check.name in ran),
        strict=proving.loaded is not None,
        allowed=proving.allowed,
        warnings_count=proving.warnings_count,
    )


async def _official(proving: Proving, desk: Desk) -> list[tuple[CheckFacts, Verdict]]:
    """What the official tools say, if they were asked for."""
    if not proving.official:
        return []
    address = proving.addresses[0] if proving.addresses else None
    examined = Examined(
        where=proving.loaded or (address.target if address else ""),
        caller=proving.callers[0] if proving.callers else None,
        has_token=address is not None and address.token is not None,
        revision=desk.revision,
        tools=[tool.name for tool in desk.catalog.tools],
    )
    return await official_verdicts(examined, proving.official)


async def _checked(
    proving: Proving, only: Sequence[str], *, progress: Callable[[Verdict], None]
) -> tuple[Desk, FourfoldError | None]:
    """The desk, closed again, and what kept the checks from running to their end."""
    opened: list[Desk] = []
    failure: FourfoldError | None = None
    try:
        async with proving.open(only) as desk:
            opened.append(desk)
            # Raised in here, it would come out of the server's task group wrapped.
            try:
                selection = Selection(only=known_names(desk.catalog, only))
                known_names(desk.catalog, proving.allowed)
                check_examples(desk.catalog, proving.terms.examples)
                await prove(desk, revision=desk.revision, selection=selection, progress=progress)
            except FourfoldError as error:
                failure = error
    except TargetError:
        # A server that has ended cannot be taken leave of either; that it ended is known by then.
        if not opened:
            raise
    return opened[0], failure
