"""A plan whose time is over is not executed, though somebody agreed to it in time."""

from __future__ import annotations

from fourfold.prove.books import watching
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.interrupting import let_pass
from fourfold.prove.keys import executes
from fourfold.prove.pairs import planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    contract = tool.tool.contract
    terms = contract.effect.plan if contract is not None else None
    if terms is None:
        raise NotTested("nothing says how long a plan stands", next_step="prove the catalog instead of the server")
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name)
    let_pass(desk, terms.lifetime_s + 1)
    forbidden = Forbidden(
        what="a plan whose time is over",
        tool=tool,
        arguments=plan.arguments,
        codes=frozenset({"plan_expired"}),
        after=(plan.call,),
    )
    await require_refused(watch, forbidden)


CHECK = Check(
    name="expired-plan-refused",
    family="effect",
    proves="a plan is not executed after its time",
    requires=("C7", "C9"),
    run=_run,
    applies=executes,
    writes=True,
)
