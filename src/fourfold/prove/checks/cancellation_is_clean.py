"""A call that its caller gives up leaves nothing behind: the server goes on, and a write is not done twice."""

from __future__ import annotations

import anyio

from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk, code_of
from fourfold.prove.keys import executes, key_argument, with_new_key
from fourfold.prove.working import working
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AFTER_S = (0.0005, 0.002, 0.005, 0.01, 0.02)
"""When the caller gives up, in seconds; a call on one machine takes a few thousandths."""

_TURNS = 20
_TURN_S = 0.05


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, whole = await _good(desk, tool)
    dice = desk.dice(CHECK.name, tool.name)
    for after_s in _AFTER_S:
        sent, before = with_new_key(tool, arguments, desk=desk, dice=dice), _rows(desk)
        with anyio.move_on_after(after_s):
            await desk.call(tool.name, sent)
        await _goes_on(desk, tool, sent)
        rows = _rows(desk) - before
        if tool.action != "read" and key_argument(tool) is not None and rows > whole:
            detail = f"given up and repeated, the call wrote {rows} rows; once it writes {whole}"
            raise Broken(detail, desk.sent_as(tool.name, sent))


async def _good(desk: Desk, tool: ToolView) -> tuple[JsonObject, int]:
    """Arguments that work, and how many rows one such call writes."""
    if tool.action == "read" or executes(tool):
        before = _rows(desk)
        return (await working(desk, tool, check=CHECK.name))[0], _rows(desk) - before
    done = await written(desk, tool, check=CHECK.name)
    return done.arguments, done.after.rows - done.before.rows


def _rows(desk: Desk) -> int:
    return desk.counter() if desk.counter is not None else 0


async def _goes_on(desk: Desk, tool: ToolView, arguments: JsonObject) -> None:
    """The same call once more, under the same key, is answered as it is without the one that was given up."""
    call = desk.sent_as(tool.name, arguments)
    try:
        answer = await desk.call(tool.name, arguments)
        for _ in range(_TURNS):
            if code_of(answer) != "in_progress":
                break
            await anyio.sleep(_TURN_S)
            answer = await desk.call(tool.name, arguments)
    except TargetError as error:
        raise Broken(f"the server does not answer any more after a call was given up: {error}", call) from None
    if tool.action == "read" and not succeeded(answer):
        raise Broken(f"after a call was given up, the same call was answered with {in_short(answer)}", call)
    if code_of(answer) in ("in_progress", "internal"):
        raise Broken(f"a call that was given up is answered with {in_short(answer)} when it is repeated", call)


CHECK = Check(
    name="cancellation-is-clean",
    family="contract",
    proves="a call that is given up leaves nothing behind",
    requires=("B12", "https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/cancellation"),
    run=_run,
)
