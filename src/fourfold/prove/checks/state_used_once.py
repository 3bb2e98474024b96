"""A `requestState` that comes again, with the same answer, is redeemed once."""

from __future__ import annotations

import anyio

from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.asking import Asked, answered, asked, may_ask
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AT_ONCE = 3


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    asking = await asked(watch, tool, check=CHECK.name)
    before = await watch.look()
    first = await answered(desk, asking)
    after = await watch.look()
    if not succeeded(first):
        step = "let what it needs be there while it is proved"
        raise NotTested(f"the right answer to its question is answered with {in_short(first)}", next_step=step)
    if after == before:
        raise NotTested("it went well, and nothing that can be looked at changed", next_step="let a read show it")
    again = [await answered(desk, asking), *await _at_once(desk, asking)]
    beside = "with the requestState and the answer to the question"
    calls = (*asking.calls, *(desk.sent_as(tool.name, asking.arguments, beside=beside),) * 2)
    if await watch.look() != after:
        raise Broken("a requestState is redeemed a second time", *calls)
    for each in again if tool.tool.contract is not None else ():
        if not succeeded(each):
            raise Broken(f"a requestState that comes again is answered with {in_short(each)}", *calls)
        if structured(each) != structured(first):
            raise Broken("a requestState that comes again is answered with another result", *calls)


async def _at_once(desk: Desk, asking: Asked) -> list[ToolAnswer]:
    answers: list[ToolAnswer] = []

    async def one() -> None:
        answers.append(await answered(desk, asking))

    async with anyio.create_task_group() as tasks:
        for _ in range(_AT_ONCE):
            tasks.start_soon(one)
    return answers


CHECK = Check(
    name="state-used-once",
    family="effect",
    proves="an answer to a question that is sent again is done once",
    requires=("B8", "D1"),
    run=_run,
    applies=may_ask,
    writes=True,
)
