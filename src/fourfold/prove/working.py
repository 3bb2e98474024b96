"""Arguments with which a tool does what it is for: where checks begin that change one thing about a good call."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.books import Watch
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes, with_new_key
from fourfold.prove.pairs import planned
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["working"]

_TRIED = 6


async def working(desk: Desk, tool: ToolView, *, check: str) -> tuple[JsonObject, ToolAnswer]:
    """Arguments that the tool answers with a success, and that answer.

    Raises:
        NotTested: none were found.
    """
    # A write is called under a key of its own, or it would only be told what it did before.
    for sample in valid_arguments(desk, tool, check=check, most=_TRIED) if tool.action == "read" else ():
        answer = await desk.call(tool.name, sample.value)
        if succeeded(answer):
            return sample.value, answer
    if executes(tool):
        return await _executed(desk, tool, check=check)
    found = await written(desk, tool, check=check)
    return found.arguments, found.answer


async def _executed(desk: Desk, tool: ToolView, *, check: str) -> tuple[JsonObject, ToolAnswer]:
    plan = await planned(Watch(desk=desk), tool, check=check)
    arguments = with_new_key(tool, plan.arguments, desk=desk, dice=desk.dice(check, tool.name))
    answer = await desk.call(tool.name, arguments)
    if not succeeded(answer):
        raise NotTested(f"no plan could be executed: {in_short(answer)}", next_step="let somebody approve it")
    return arguments, answer
