"""Calls that are told apart from their repeats: by a key, or by the plan that they execute. One, and others like it."""

from __future__ import annotations

import anyio

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import Watch
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk, code_of, fault_of
from fourfold.prove.keys import executes, is_keyed_write, version_argument, with_new_key
from fourfold.prove.pairs import planned
from fourfold.prove.writing import Written, made_ready, require_seen, written
from fourfold.review.view import ToolView

__all__ = ["corrected", "done_alone", "is_repeatable", "like_it", "rows_of", "settled"]

_TURNS = 40
_TURN_S = 0.05


def is_repeatable(tool: ToolView) -> bool:
    """Whether it writes, and something tells a repeat from a second request."""
    return is_keyed_write(tool) or executes(tool)


async def done_alone(watch: Watch, tool: ToolView, *, check: str) -> Written:
    """A call that went well, with what it changed.

    Raises:
        NotTested: none went well, or nothing shows that one did.
    """
    done = await (_executed if executes(tool) else written)(watch.desk, tool, watch=watch, check=check)
    require_seen(done)
    return done


async def like_it(watch: Watch, earlier: Written, *, check: str) -> JsonObject:
    """Arguments for another call like one that went well.

    Raises:
        NotTested: what it would be about could not be made.
    """
    if executes(earlier.tool):
        return (await planned(watch, earlier.tool, check=f"{check} again")).arguments
    return await made_ready(watch, earlier, check=check)


def corrected(desk: Desk, earlier: Written, *, arguments: JsonObject, answer: ToolAnswer) -> JsonObject | None:
    """The arguments with the version that a refusal names, under a new key; `None` if that was not what was wrong."""
    tool, current = earlier.tool, fault_of(answer).get("current_version")
    version = version_argument(tool)
    if version is None or current is None or arguments.get(version) == current:
        return None
    return with_new_key(tool, {**arguments, version: current}, desk=desk, dice=desk.dice("corrected", tool.name))


async def settled(desk: Desk, tool: ToolView, *, arguments: JsonObject) -> ToolAnswer:
    """The answer to a call that may still be under way from before."""
    answer = await desk.call(tool.name, arguments)
    for _ in range(_TURNS):
        if code_of(answer) != "in_progress":
            break
        await anyio.sleep(_TURN_S)
        answer = await desk.call(tool.name, arguments)
    return answer


def rows_of(done: Written) -> int:
    """How many rows one call writes, or how many entries more the lists have after it."""
    return done.after.rows - done.before.rows


async def _executed(desk: Desk, tool: ToolView, *, watch: Watch, check: str) -> Written:
    plan = await planned(watch, tool, check=check)
    before = await watch.look()
    answer = await desk.call(tool.name, plan.arguments)
    if not succeeded(answer):
        step = "let what it needs be there while it is proved"
        raise NotTested(f"executing a plan is answered with {in_short(answer)}", next_step=step)
    return Written(tool=tool, arguments=plan.arguments, answer=answer, before=before, after=await watch.look())
