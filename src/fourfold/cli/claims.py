"""`fourfold claims`: operations and what became of them, and settling those of which nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

import click

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.maintenance import sealer_of
from fourfold.catalog.tool import BuiltTool
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.deciding import Decider, Listed, audit_lines, deciding, fact_lines, listed, look, prove, say_if_cut
from fourfold.cli.flags import InOrder, StrictCommand
from fourfold.cli.load import load_target
from fourfold.cli.output import json_option, print_json, table, when
from fourfold.contracts.check import OutputViolation
from fourfold.errors import ConfigError
from fourfold.model.audit import AuditEntry
from fourfold.model.claim import Claim, ClaimState
from fourfold.model.plan import Plan
from fourfold.ports.store import Store
from fourfold.ports.units import Unit
from fourfold.stages.on_call import Settlement
from fourfold.stages.settling import happened_with, never_happens, plan_behind

__all__ = ["command"]

_STATES: tuple[ClaimState, ...] = get_args(ClaimState)
_MAX_RESULT = 1 << 20
_TOLD = {
    "done": "a repeat is answered and does nothing",
    "failed": "a repeat is told that it did not happen; what was set aside for it is there again",
    "running": "the next call with its key does it",
}


@click.group("claims", cls=InOrder)
def command() -> None:
    """Operations: what was claimed, and what became of it.

    An `unknown` one may or may not have happened. Find out in the other system, then settle it.

    \b
    Examples
      fourfold claims list --state unknown
      fourfold claims show op_01a22a5902f77b1187acef124703b65e
    """


@command.command("list", cls=StrictCommand, short_help="Operations, newest first.")
@listed(*_STATES)
def list_(asked: Listed) -> None:
    """Operations, newest first.

    \b
    Examples
      fourfold claims list --state unknown
      fourfold claims list --tenant acme --json
    """
    state = cast("ClaimState | None", asked.state)  # click has checked it
    found = look(
        asked.store, lambda store, unit: store.claims.list(unit, state=state, tenant=asked.tenant, limit=asked.limit)
    )
    if asked.as_json:
        print_json("claims-list/v1", {"claims": [_facts(claim) for claim in found]})
        return
    rows = [
        (
            when(claim.created_ms),
            claim.operation_id,
            claim.scope.tool,
            claim.state,
            claim.scope.tenant,
            claim.scope.principal,
        )
        for claim in found
    ]
    table(("at", "operation", "tool", "state", "tenant", "principal"), rows, empty="No operations.")
    say_if_cut(found, asked.limit)


@command.command("show", cls=StrictCommand, short_help="One operation, with what was decided about it.")
@click.argument("operation_id", metavar="OPERATION")
@store_option
@json_option
@config_option
def show(operation_id: str, store_url: str | None, *, config_path: Path | None, as_json: bool) -> None:
    """One operation, by the id that answers and runs have, with what was decided about it.

    \b
    Example
      fourfold claims show op_01a22a5902f77b1187acef124703b65e
    """
    claim, audit = look(find_store(store_url, config_path), lambda store, unit: _found(store, unit, operation_id))
    if as_json:
        print_json("claims-show/v1", {"claim": _facts(claim), "audit": [asdict(entry) for entry in audit]})
        return
    for line in [*_lines(claim), *audit_lines(audit)]:
        click.echo(line)


@command.command("settle", cls=StrictCommand, short_help="Say what became of an unknown operation.")
@click.argument("operation_id", metavar="OPERATION")
@click.option("--happened", is_flag=True, help="It happened, and is never done again.")
@click.option("--did-not-happen", "missed", is_flag=True, help="It did not; the next call with its key does it.")
@click.option("--for-good", is_flag=True, help="Nor will it: its key says so, and what it had set aside is given back.")
@click.option("--evidence", required=True, metavar="TEXT", help="How you know; it is kept in the audit.")
@click.option(
    "--result",
    "result_path",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What it returned, as JSON: repeats of the call get it. Needs --happened and --target.",
)
@click.option("--target", metavar="MODULE:CATALOG", help="The catalog whose tool it was, for --result and --for-good.")
@deciding
def settle(
    decider: Decider,
    operation_id: str,
    *,
    happened: bool,
    missed: bool,
    for_good: bool,
    evidence: str,
    result_path: Path | None,
    target: str | None,
) -> None:
    """Say what became of an `unknown` operation, once you have looked in the other system.

    With --happened, a repeat of the call is answered with --result, or told to read the resource where nobody knows
    the result. With --did-not-happen, the next call with the same key does it, with what was set aside for it; where
    nobody is to do it any more, add --for-good. You are asked for your operator token; it needs the permission
    claims.settle.

    \b
    Examples
      fourfold claims settle op_01a22a5902f7 --did-not-happen --evidence "no refund in the bank's list of 14:05"
      fourfold claims settle op_01a22a5902f7 --happened --evidence "refund re_881, seen by Ana" --token-stdin < token
    """
    if happened == missed:
        raise click.UsageError("say which it is: --happened or --did-not-happen")
    if for_good and not (missed and target is not None):
        raise click.UsageError("--for-good goes with --did-not-happen and --target")
    if not for_good and ((result_path is not None) != (target is not None) or (result_path is not None and missed)):
        raise click.UsageError("--result goes with --happened and --target")
    loaded = load_target(target) if target is not None else None
    if for_good and loaded is not None:
        claim = _abandoned(decider, operation_id, evidence=evidence, loaded=loaded)
    else:
        settlement = _settlement(
            decider.store, operation_id, happened=happened, evidence=evidence, result=result_path, loaded=loaded
        )
        claim = prove(decider, lambda person, found: person.settle(found.unit, settlement))
    if decider.as_json:
        print_json("claims-settle/v1", {"claim": _facts(claim)})
        return
    click.echo(f"{operation_id} is {claim.state}: {_TOLD[claim.state]}")


def _abandoned(decider: Decider, operation_id: str, *, evidence: str, loaded: LoadedCatalog) -> Claim:
    """Settle an operation that never will happen, and give back what it had set aside.

    Raises:
        ConfigError, DecisionError: it cannot be found or settled, or nothing can be given back without its call.
    """
    url, clock = decider.store, SystemClock()

    def found(store: Store, unit: Unit) -> tuple[Claim, Plan | None]:
        claim, _ = _found(store, unit, operation_id)
        return claim, plan_behind(claim, store, unit=unit)

    claim, plan = look(url, found)
    settlement, reservation = never_happens(
        claim, _tool_of(claim, loaded), plan=plan, evidence=evidence, sealer=sealer_of(url), now_ms=clock.now_ms()
    )
    return prove(
        decider,
        lambda person, at: person.abandon(at, settlement, reservation=reservation),
        tenant=claim.scope.tenant,
    )


def _settlement(
    url: str, operation_id: str, *, happened: bool, evidence: str, result: Path | None, loaded: LoadedCatalog | None
) -> Settlement:
    """What the options say, with the result in the file if it is what the tool returns.

    Raises:
        ConfigError: it is not, or the catalog has no such tool.
    """
    if result is None or loaded is None:
        return Settlement(operation_id=operation_id, happened=happened, evidence=evidence)
    with result.open("rb") as file:
        written = file.read(_MAX_RESULT)
    claim, _ = look(url, lambda store, unit: _found(store, unit, operation_id))
    try:
        return happened_with(claim, _tool_of(claim, loaded), written=written, evidence=evidence, sealer=sealer_of(url))
    except OutputViolation as violation:
        raise ConfigError(f"--result is no result of {claim.scope.tool}: {violation}") from None


def _tool_of(claim: Claim, loaded: LoadedCatalog) -> BuiltTool:
    tool = loaded.built.tools.get(claim.scope.tool)
    if tool is None:
        raise ConfigError(f"catalog {loaded.built.name!r} has no tool {claim.scope.tool!r}, which the operation was of")
    return tool


def _found(store: Store, unit: Unit, operation_id: str) -> tuple[Claim, Sequence[AuditEntry]]:
    claim = store.claims.operation(unit, operation_id)
    if claim is None:
        raise ConfigError(f"no operation is {operation_id!r} in this store")
    return claim, store.audit.list(unit, tenant=None, about=operation_id, limit=100)


def _facts(claim: Claim) -> dict[str, object]:
    """A claim as JSON, without its fingerprint and its outcome, which are sealed."""
    facts = asdict(claim)
    del facts["fingerprint"]
    scope = facts.pop("scope")
    return {"operation_id": claim.operation_id, **scope, **facts, "outcome": claim.outcome is not None}


def _lines(claim: Claim) -> list[str]:
    facts = _facts(claim)
    for name in ("created_ms", "settled_ms", "purge_after_ms", "lease_until_ms"):
        at = facts.pop(name)
        facts[name.removesuffix("_ms")] = when(at) if isinstance(at, int) and at else None
    facts["outcome"] = "kept, sealed" if claim.outcome is not None else None
    return fact_lines(list(facts.items()))
