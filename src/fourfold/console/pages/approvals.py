"""Approvals: what agents want done, what it will do, and what people said to it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.pages.deciding import PAGE, decide, rows_asked
from fourfold.errors import DecisionError
from fourfold.model.plan import Decision, Plan, PlanState
from fourfold.ports.units import Unit
from fourfold.stages.on_call import SeenPlan, see_plan

__all__ = ["approvals", "plan", "say"]

_STATES: tuple[str, ...] = ("waiting", "all", *get_args(PlanState))


async def approvals(asked: Asked) -> Response:
    """Those that wait for somebody, the most urgent first; or plans of another state, newest first."""
    chosen, rows = asked.choice("state", *_STATES), rows_asked(asked)
    found = await asked.console.look(lambda unit: _listed(asked, unit, chosen, limit=rows + 1))
    return asked.page(
        "approvals.html",
        plans=[_Shown(plan=plan, now_ms=asked.console.clock.now_ms()) for plan in found[:rows]],
        more=rows + PAGE if len(found) > rows else 0,
        chosen=chosen,
        states=_STATES,
    )


async def plan(asked: Asked) -> Response:
    """One plan with what it will do, as the server wrote it."""
    found, decisions = await asked.console.look(lambda unit: _found(asked, unit))
    now = asked.console.clock.now_ms()
    seen, closed = _opened(asked, found)
    return asked.page(
        "approval.html",
        shown=_Shown(plan=found, now_ms=now),
        plan=found,
        impact=seen.impact if seen else None,
        closed=closed,
        decisions=decisions,
        versions=sorted(cast("dict[str, str]", json.loads(found.versions)).items()),
        may=asked.viewer.may("plans.approve", tenant=found.tenant),
    )


async def say(asked: Asked) -> Response:
    """Approve, deny or revoke, with a reason."""
    form = await asked.form()
    found, _ = await asked.console.look(lambda unit: _found(asked, unit))
    verdict, comment = form.get("verdict", ""), form.get("comment", "").strip()
    if verdict != "approve" and not comment:
        raise DecisionError("say why: the agent's people will ask")
    if verdict == "approve":
        seen, closed = _opened(asked, found)
        if seen is None:
            raise DecisionError(closed)
        # What is approved is what the page showed, not what the store holds by now.
        if not hmac.compare_digest(form.get("digest", "").encode(), found.digest.encode()):
            raise DecisionError("the plan is not the one that was shown")
        await decide(asked, lambda person, at: person.approve(at.unit, seen, comment=comment))
    elif verdict == "deny":
        await decide(asked, lambda person, at: person.deny(at.unit, found.plan_id, comment=comment))
    elif verdict == "revoke":
        await decide(asked, lambda person, at: person.revoke(at.unit, found.plan_id, comment=comment))
    else:
        raise DecisionError("a plan is approved, denied or revoked")
    return asked.see_other(f"/approvals/{found.plan_id}")


def _listed(asked: Asked, unit: Unit, chosen: str, *, limit: int) -> Sequence[Plan]:
    plans = asked.console.store.plans
    if chosen == "waiting":
        return plans.waiting(unit, tenant=asked.tenant, now_ms=asked.console.clock.now_ms(), limit=limit)
    state = None if chosen == "all" else cast("PlanState", chosen)
    return plans.list(unit, state=state, tenant=asked.tenant, limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A plan and how it stands at this moment."""

    plan: Plan
    now_ms: int

    @property
    def state(self) -> str:
        """Its state, or `expired` for one that could have been executed but for its time."""
        return "expired" if self.plan.state in ("open", "approved") and self.is_late else self.plan.state

    @property
    def is_late(self) -> bool:
        return self.plan.expires_ms <= self.now_ms


def _found(asked: Asked, unit: Unit) -> tuple[Plan, Sequence[Decision]]:
    """The plan that the path names, with what was said to it.

    Raises:
        HTTPException: 404 if there is none, or it is another tenant's.
    """
    plans = asked.console.store.plans
    found = plans.find(unit, asked.request.path_params["plan_id"].replace("\0", ""))
    if found is None or not asked.viewer.sees(found.tenant):
        raise HTTPException(404)
    return found, plans.decisions(unit, found.plan_id)


def _opened(asked: Asked, found: Plan) -> tuple[SeenPlan | None, str]:
    """The plan held against its digest, or why it cannot be."""
    if not asked.viewer.sees_content:
        return None, "what plans will do is for operators, since a tool might deny a caller the same"
    if asked.console.sealer is None:
        return None, "the keys of this store are not here, so nobody can see what the plan will do"
    try:
        return see_plan(found, asked.console.sealer, now_ms=asked.console.clock.now_ms()), ""
    except DecisionError as error:
        return None, str(error)
