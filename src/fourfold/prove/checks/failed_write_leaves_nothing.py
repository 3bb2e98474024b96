"""A write that fails changes nothing."""

from __future__ import annotations

from fourfold.prove.answered import in_short, refuses_arguments, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes, with_new_key
from fourfold.prove.varying import with_made_up_ids
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST = 16


async def _run(desk: Desk, tool: ToolView) -> None:
    watch, dice = await watching(desk), desk.dice(CHECK.name, tool.name)
    first = await written(desk, tool, watch=watch, check=CHECK.name)
    made = [sample.value for sample in valid_arguments(desk, tool, check=CHECK.name)]
    failed = 0
    for arguments in [*with_made_up_ids(desk, first, check=CHECK.name), *made][:_MOST]:
        keyed = with_new_key(tool, arguments, desk=desk, dice=dice)
        before = await watch.look()
        answer = await desk.call(tool.name, keyed)
        if succeeded(answer):
            continue
        failed += not refuses_arguments(answer)
        if await watch.look() != before:
            raise Broken(f"a call that fails with {in_short(answer)} has an effect", desk.sent_as(tool.name, keyed))
    if not failed:
        raise NotTested("no call failed but for its arguments", next_step="declare the faults of the tool, or waive it")


def _applies(tool: ToolView) -> bool:
    contract = tool.tool.contract
    can_fail = contract is None or bool(contract.faults) or contract.missing is not None
    return can_fail and tool.action != "read" and not executes(tool)


CHECK = Check(
    name="failed-write-leaves-nothing",
    family="effect",
    proves="a write that is answered with a failure has changed nothing",
    requires=("B4", "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling"),
    run=_run,
    applies=_applies,
    writes=True,
)
