"""A plan is executed by whoever made it, and by nobody else."""

from __future__ import annotations

from fourfold.prove.answered import in_short
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import SECOND, Desk
from fourfold.prove.keys import executes
from fourfold.prove.masked import masked
from fourfold.prove.pairs import planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name)
    foreign = Forbidden(
        what="a plan of another caller",
        tool=tool,
        arguments=plan.arguments,
        codes=frozenset({"plan_mismatch"}),
        after=(plan.call,),
        by=SECOND,
    )
    answer = await require_refused(watch, foreign)
    nobodys = {"plan_id": f"{str(plan.arguments['plan_id'])[:-8]}00000000", "digest": plan.arguments["digest"]}
    absent = await desk.call(tool.name, nobodys, by=SECOND)
    if masked(answer, *plan.arguments.values()) != masked(absent, *nobodys.values()):
        detail = f"a plan of another caller is refused with {in_short(answer)}, one that never was {in_short(absent)}"
        calls = [desk.sent_as(tool.name, each, by=SECOND) for each in (plan.arguments, nobodys)]
        raise Broken(detail, plan.call, *calls)


CHECK = Check(
    name="plan-of-another-caller-refused",
    family="effect",
    proves="a plan of somebody else is answered like one that never was",
    requires=("C7", "B18", "C9"),
    run=_run,
    applies=executes,
    writes=True,
    callers=2,
)
