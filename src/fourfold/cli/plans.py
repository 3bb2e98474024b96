"""`fourfold plans`: what agents want done, and what people say to it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

import click

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.maintenance import sealer_of
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.deciding import Decider, Listed, deciding, fact_lines, listed, look, prove, say_if_cut
from fourfold.cli.flags import InOrder, StrictCommand
from fourfold.cli.output import json_option, plain, print_json, table, when
from fourfold.errors import ConfigError
from fourfold.model.plan import Decision, Plan, PlanState
from fourfold.ports.store import Store
from fourfold.ports.units import Unit
from fourfold.stages.on_call import SeenPlan, see_plan

__all__ = ["command"]

_STATES: tuple[PlanState, ...] = get_args(PlanState)

_comment = click.option("--comment", default="", metavar="TEXT", help="Why; it is kept with the decision.")


@click.group("plans", cls=InOrder)
def command() -> None:
    """Plans: what agents want done, and what people say to it.

    What a plan will do is shown as the server wrote it when it was made, and only if that is what its digest says.

    \b
    Examples
      fourfold plans list --state open
      fourfold plans approve plan_01a22a5902f77b1187acef124703b65e
    """


@command.command("list", cls=StrictCommand, short_help="Plans, newest first.")
@listed(*_STATES)
def list_(asked: Listed) -> None:
    """Plans, newest first.

    \b
    Examples
      fourfold plans list --state open
      fourfold plans list --tenant acme --json
    """
    state = cast("PlanState | None", asked.state)  # click has checked it
    found = look(
        asked.store, lambda store, unit: store.plans.list(unit, state=state, tenant=asked.tenant, limit=asked.limit)
    )
    if asked.as_json:
        print_json("plans-list/v1", {"plans": [_facts(plan) for plan in found]})
        return
    rows = [
        (when(plan.created_ms), plan.plan_id, plan.tool, plan.approval, _state(plan), plan.tenant, plan.principal)
        for plan in found
    ]
    table(("at", "plan", "tool", "approval", "state", "tenant", "principal"), rows, empty="No plans.")
    say_if_cut(found, asked.limit)


@command.command("show", cls=StrictCommand, short_help="What one plan will do, and what was said to it.")
@click.argument("plan_id", metavar="PLAN")
@store_option
@json_option
@config_option
def show(plan_id: str, store_url: str | None, *, config_path: Path | None, as_json: bool) -> None:
    """What one plan will do, as the server wrote it, and what people said to it.

    \b
    Example
      fourfold plans show plan_01a22a5902f77b1187acef124703b65e
    """
    seen, decisions = _seen(find_store(store_url, config_path), plan_id)
    if as_json:
        said = [asdict(decision) for decision in decisions]
        print_json("plans-show/v1", {"plan": _facts(seen.plan), "impact": seen.impact, "decisions": said})
        return
    for line in _lines(seen, decisions):
        click.echo(line)


@command.command("approve", cls=StrictCommand, short_help="Let a plan go ahead.")
@click.argument("plan_id", metavar="PLAN")
@_comment
@deciding
def approve(decider: Decider, plan_id: str, *, comment: str) -> None:
    """Let a plan go ahead. What it will do is shown first; your operator token, asked for after that, approves it.

    It needs the permission plans.approve. Nobody approves a plan of their own, nor as the second person one of their
    agent's. A plan is executed once, until its time is over.

    \b
    Examples
      fourfold plans approve plan_01a22a5902f77b1187acef124703b65e
      fourfold plans approve plan_01a22a5902f7 --comment "agreed with Nordic" --token-stdin < token
    """
    seen, decisions = _seen(decider.store, plan_id)
    for line in _lines(seen, decisions):
        click.echo(line, err=True)
    _say(decider, prove(decider, lambda person, found: person.approve(found.unit, seen, comment=comment)))


@command.command("deny", cls=StrictCommand, short_help="Say no to an open plan.")
@click.argument("plan_id", metavar="PLAN")
@_comment
@deciding
def deny(decider: Decider, plan_id: str, *, comment: str) -> None:
    """Say no to an open plan. It cannot be approved after that; the agent is told not to try another way.

    \b
    Example
      fourfold plans deny plan_01a22a5902f77b1187acef124703b65e --comment "wrong customer"
    """
    _say(decider, prove(decider, lambda person, found: person.deny(found.unit, plan_id, comment=comment)))


@command.command("revoke", cls=StrictCommand, short_help="Take a plan back that was not executed yet.")
@click.argument("plan_id", metavar="PLAN")
@_comment
@deciding
def revoke(decider: Decider, plan_id: str, *, comment: str) -> None:
    """Take a plan back that was not executed yet, approved or not.

    \b
    Example
      fourfold plans revoke plan_01a22a5902f77b1187acef124703b65e --comment "the customer called"
    """
    _say(decider, prove(decider, lambda person, found: person.revoke(found.unit, plan_id, comment=comment)))


def _say(decider: Decider, plan: Plan) -> None:
    if decider.as_json:
        print_json("plans-decide/v1", {"plan": _facts(plan)})
    else:
        click.echo(f"{plan.plan_id} is {plan.state}")


def _seen(url: str, plan_id: str) -> tuple[SeenPlan, Sequence[Decision]]:
    """The plan, opened and held against its digest, with what was said to it."""
    plan, decisions = look(url, lambda store, unit: _found(store, unit, plan_id))
    return see_plan(plan, sealer_of(url), now_ms=SystemClock().now_ms()), decisions


def _found(store: Store, unit: Unit, plan_id: str) -> tuple[Plan, Sequence[Decision]]:
    plan = store.plans.find(unit, plan_id)
    if plan is None:
        raise ConfigError(f"no plan is {plan_id!r} in this store")
    return plan, store.plans.decisions(unit, plan_id)


def _facts(plan: Plan) -> dict[str, object]:
    """A plan as JSON, without what is sealed."""
    facts = asdict(plan)
    del facts["arguments"], facts["impact"]
    versions = [{"resource": name, "version": version} for name, version in _versions(plan)]
    return {**facts, "versions": versions, "expired": _is_expired(plan)}


def _versions(plan: Plan) -> list[tuple[str, str]]:
    versions: dict[str, str] = json.loads(plan.versions)
    return sorted(versions.items())


def _is_expired(plan: Plan) -> bool:
    return plan.state in ("open", "approved") and plan.expires_ms <= SystemClock().now_ms()


def _state(plan: Plan) -> str:
    return f"{plan.state}, expired" if _is_expired(plan) else plan.state


def _lines(seen: SeenPlan, decisions: Sequence[Decision]) -> list[str]:
    """What a person decides by; every line that others wrote is set in, so that none passes for one of ours."""
    plan = seen.plan
    facts = [
        ("plan", plan.plan_id),
        ("tool", plan.tool),
        ("tenant", plan.tenant),
        ("principal", plan.principal),
        ("approval", plan.approval),
        ("state", _state(plan)),
        ("created", when(plan.created_ms)),
        ("expires", when(plan.expires_ms)),
        ("versions", ", ".join(f"{name} at {version}" for name, version in _versions(plan))),
        ("digest", plan.digest),
        ("used by", plan.used_by),
    ]
    impact = [f"  {part}" for line in plain(seen.impact).splitlines() for part in _folded(line)]
    said = [f"  {plain(_told(decision))}" for decision in decisions]
    return [*fact_lines(facts), "what it will do", *impact, *(["decisions", *said] if said else [])]


def _folded(line: str) -> list[str]:
    """`line` in parts that a terminal does not fold itself, which would begin the next one at its edge."""
    width = max(shutil.get_terminal_size().columns - 2, 20)
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]


def _told(decision: Decision) -> str:
    comment = f": {decision.comment}" if decision.comment else ""
    told = f"{when(decision.at_ms)}  {decision.verdict} by {decision.approver} ({decision.channel}){comment}"
    return told.replace("\n", " ")
