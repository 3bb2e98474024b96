"""What a call left behind: its claim, the plan that it executed and who agreed to that, and the seal of its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.console.parts import Console
from fourfold.errors import DecisionError
from fourfold.model.claim import Claim
from fourfold.model.plan import Decision, Plan
from fourfold.model.run import Run
from fourfold.ports.units import Unit
from fourfold.runs.inclusion import SealedRun, seal_of
from fourfold.stages.on_call import see_plan
from fourfold.stages.settling import plan_behind

__all__ = ["EffectOf", "effect_of", "sealed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectOf:
    """The operation behind a run.

    Attributes:
        claim: its record; `None` for a read, and once it is no longer kept.
        plan: the plan that it executed, if it did one.
        impact: what the plan would do, as the server wrote it; `None` where it cannot be opened here.
        decisions: what people said to the plan.
    """

    claim: Claim | None
    plan: Plan | None = None
    impact: str | None = None
    decisions: Sequence[Decision] = ()


async def effect_of(console: Console, run: Run) -> EffectOf:
    """What the store knows of the operation of `run`."""
    if not run.operation_id:
        return EffectOf(claim=None)
    return await console.look(lambda unit: _effect(console, unit, run))


def _effect(console: Console, unit: Unit, run: Run) -> EffectOf:
    claim = console.store.claims.operation(unit, run.operation_id)
    if claim is None or claim.scope.tenant != run.tenant:
        return EffectOf(claim=None)
    plan = plan_behind(claim, console.store, unit=unit)
    if plan is None or plan.tenant != run.tenant:
        return EffectOf(claim=claim)
    decisions = console.store.plans.decisions(unit, plan.plan_id)
    return EffectOf(claim=claim, plan=plan, impact=_impact(console, plan), decisions=decisions)


def _impact(console: Console, plan: Plan) -> str | None:
    if console.sealer is None:
        return None
    try:
        return see_plan(plan, console.sealer, now_ms=console.clock.now_ms()).impact
    except DecisionError:
        return None


async def sealed(console: Console, run: Run) -> SealedRun | None:
    """How the record of `run` stands to its seal; `None` where seals are not checked."""
    verifier, store = console.verifier, console.store
    if verifier is None:
        return None
    return await console.look(lambda unit: seal_of(unit, store.seals, run_id=run.run_id, verifier=verifier))
