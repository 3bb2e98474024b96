"""A plan is executed once; after that its outcome is answered again."""

from __future__ import annotations

import anyio

from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes
from fourfold.prove.pairs import Planned, planned
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AT_ONCE = 3


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name)
    before = await watch.look()
    first = await desk.call(tool.name, plan.arguments)
    after, calls = await watch.look(), (plan.call, *(desk.sent_as(tool.name, plan.arguments),) * 2)
    if not succeeded(first):
        raise NotTested(f"executing it is answered with {in_short(first)}", next_step=_step(desk, plan))
    if after == before:
        raise NotTested("it went well, and nothing that can be looked at changed", next_step="let a read show it")
    for again in [await desk.call(tool.name, plan.arguments), *await _at_once(desk, tool, plan)]:
        if not succeeded(again):
            raise Broken(f"executing a plan again is answered with {in_short(again)}", *calls)
        if structured(again) != structured(first):
            raise Broken("executing a plan again is answered with another result", *calls)
    if await watch.look() != after:
        raise Broken("a plan is executed a second time", *calls)


async def _at_once(desk: Desk, tool: ToolView, plan: Planned) -> list[ToolAnswer]:
    answers: list[ToolAnswer] = []

    async def one() -> None:
        answers.append(await desk.call(tool.name, plan.arguments))

    async with anyio.create_task_group() as tasks:
        for _ in range(_AT_ONCE):
            tasks.start_soon(one)
    return answers


def _step(desk: Desk, plan: Planned) -> str:
    if plan.approval != "none" and desk.approve is None:
        return "prove the catalog instead of the server: there somebody can be made to agree"
    return "let what it needs be there while it is proved"


CHECK = Check(
    name="plan-used-once",
    family="effect",
    proves="a plan that is executed again is done once and answered with the first result",
    requires=("C7", "D1"),
    run=_run,
    applies=executes,
    writes=True,
)
