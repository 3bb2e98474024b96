"""`fourfold prove --official`: the official tools against the same target, and their verdicts."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import anyio

from fourfold.adapters.official import (
    INSPECTOR_PACKAGE,
    SUITE_PACKAGE,
    NodeTool,
    find_conformance,
    find_inspector,
    inspected_tools,
    run_suite,
)
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.premises import Premises
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from fourfold.model.proof import CheckFacts, Verdict
from fourfold.prove.official import INSPECTOR, SUITE, inspector_verdict, judged, not_run, suite_verdict

__all__ = ["Examined", "official_verdicts"]

_MODERN, _LEGACY = "2026-07-28", "2025-11-25"
_INSTALL = "install {0} with npm, beside a Node of 22 or newer, and name its folder: --official FOLDER"

Found = list[tuple[CheckFacts, Verdict]]
Target = str | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What the official tools are run against.

    Attributes:
        where: the catalog, the URL, or the words of the command.
        caller: who everybody is, where the target is a catalog.
        has_token: whether a URL is called with a token: the words of a command are no place for one.
        revision: the one that was agreed on with the target.
        tools: the names of what it lists.
    """

    where: LoadedCatalog | Target
    caller: Caller | None
    has_token: bool
    revision: str
    tools: Sequence[str]


async def official_verdicts(examined: Examined, places: Sequence[str]) -> Found:
    """The verdicts of the suite and of the Inspector, as far as they are in one of the places.

    Raises:
        StoreError: a catalog cannot be served.
    """
    if examined.has_token:
        step = "prove the catalog, or a URL that takes no token"
        return [_untested(facts, "it can be given no token without showing it", step) for facts in (SUITE, INSPECTOR)]
    async with _served(examined) as target:
        suite = await _suite(find_conformance(places), target, examined=examined)
        inspector = await _inspector(find_inspector(places), target, examined=examined)
    return [*suite, inspector]


async def _suite(suite: NodeTool | None, target: Target, *, examined: Examined) -> Found:
    if suite is None:
        return [_untested(SUITE, "it is not installed", _INSTALL.format(SUITE_PACKAGE))]
    if not isinstance(target, str):
        return [_untested(SUITE, "it speaks HTTP only", "serve the target over HTTP, and prove its URL")]
    found: Found = []
    asked: dict[str, tuple[int, int]] = {}
    for revision in dict.fromkeys((_MODERN, _LEGACY) if examined.revision == _MODERN else (_LEGACY,)):
        try:
            scenarios = await run_suite(suite, target, revision=revision)
        except ConfigError as error:
            return [_untested(SUITE, str(error), _INSTALL.format(SUITE_PACKAGE))]
        verdicts = judged(revision, scenarios, tools=examined.tools)
        asked[revision] = len(verdicts), len(scenarios)
        found += verdicts
    return [*found, (SUITE, suite_verdict(asked))]


async def _inspector(inspector: NodeTool | None, target: Target, *, examined: Examined) -> tuple[CheckFacts, Verdict]:
    if inspector is None:
        return _untested(INSPECTOR, "it is not installed", _INSTALL.format(INSPECTOR_PACKAGE))
    try:
        names = await inspected_tools(inspector, target, modern=examined.revision == _MODERN)
    except ConfigError as error:
        return _untested(INSPECTOR, str(error), _INSTALL.format(INSPECTOR_PACKAGE))
    return INSPECTOR, inspector_verdict(names, listed=examined.tools)


def _untested(facts: CheckFacts, reason: str, step: str) -> tuple[CheckFacts, Verdict]:
    return facts, not_run(facts, reason, step=step)


@asynccontextmanager
async def _served(examined: Examined) -> AsyncGenerator[Target]:
    """Where the tools find the target: a catalog is served once more, to whoever asks, on a store that goes again."""
    if not isinstance(examined.where, LoadedCatalog) or examined.caller is None:
        yield cast("Target", examined.where)
        return
    with tempfile.TemporaryDirectory(prefix="fourfold-official-") as folder:
        premises = Premises(
            catalog=examined.where.built,
            path=Path(folder) / "proved.db",
            identity=_Everybody(caller=examined.caller),
            tenants={examined.caller.tenant},
        )
        async with anyio.create_task_group() as tasks:
            await tasks.start(premises.serve)
            yield premises.url
            tasks.cancel_scope.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Everybody:
    """An identity for a server that is there for one run, on this machine: whoever asks is one caller."""

    caller: Caller

    def identify(self, authorization: str | None) -> Caller | None:  # noqa: ARG002  # the tools send none
        """The caller."""
        return self.caller
