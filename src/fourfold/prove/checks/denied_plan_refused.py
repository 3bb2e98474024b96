"""What somebody has said no to does not happen: not at once, not after a yes that comes later or came before."""

from __future__ import annotations

from fourfold.model.plan import Verdict
from fourfold.prove.books import Watch, watching
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes
from fourfold.prove.pairs import planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    await _refused(watch, tool, verdict="denied")
    await _refused(watch, tool, verdict="revoked")


async def _refused(watch: Watch, tool: ToolView, *, verdict: Verdict) -> None:
    desk = watch.desk
    if desk.refuse is None or desk.approve is None:
        step = "prove the catalog instead of the server: there somebody can be made to refuse"
        raise NotTested("nobody can say no from here", next_step=step)
    # A yes is taken back after it was given; a no comes first, and is final.
    plan = await planned(watch, tool, check=f"{CHECK.name} {verdict}", agreed=verdict == "revoked")
    named = str(plan.arguments["plan_id"]), str(plan.arguments["digest"])
    await desk.refuse(*named, verdict=verdict)
    if verdict == "denied":
        await desk.approve(*named)
    forbidden = Forbidden(
        what="a plan that somebody said no to" if verdict == "denied" else "a plan whose approval was taken back",
        tool=tool,
        arguments=plan.arguments,
        codes=frozenset({f"approval_{verdict}"}),
        after=(plan.call,),
    )
    await require_refused(watch, forbidden)


CHECK = Check(
    name="denied-plan-refused",
    family="effect",
    proves="a plan is not executed when somebody has said no to it, or has taken a yes back",
    requires=("C7", "C9"),
    run=_run,
    applies=executes,
    writes=True,
)
