"""A question that was put before the server was started again can be answered after it."""

from __future__ import annotations

from fourfold.prove.answered import in_short
from fourfold.prove.asking import answered, asked, may_ask, watch_of
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.interrupting import restarted
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    asking = await asked(await watch_of(desk), tool, check=CHECK.name)
    await restarted(desk)
    answer = await answered(desk, asking)
    if answer.refusal:
        beside = "with the answer, after the server was started again"
        detail = f"a requestState of before the server was started again is answered with {in_short(answer)}"
        raise Broken(detail, *asking.calls, desk.sent_as(tool.name, asking.arguments, beside=beside))


CHECK = Check(
    name="state-survives-restart",
    family="effect",
    proves="a question can be answered when the server was stopped and started again since it was put",
    requires=("B8",),
    run=_run,
    applies=may_ask,
    writes=True,
)
