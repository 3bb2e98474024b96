"""A plan is executed by the tool that it was made for."""

from __future__ import annotations

from fourfold.prove.books import watching
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes
from fourfold.prove.pairs import has_other_pair, planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name)
    for other in [each for each in desk.view.tools if executes(each) and each.name != tool.name]:
        forbidden = Forbidden(
            what=f"a plan for {tool.name}",
            tool=other,
            arguments=plan.arguments,
            codes=frozenset({"plan_mismatch"}),
            after=(plan.call,),
        )
        await require_refused(watch, forbidden)


CHECK = Check(
    name="plan-of-other-tool-refused",
    family="effect",
    proves="a plan for one tool is not executed by another one",
    requires=("C7", "C9"),
    run=_run,
    applies=executes,
    fits=has_other_pair,
    writes=True,
)
