"""The same call with the same key, several times at once, is done once."""

from __future__ import annotations

import json

import anyio

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, code_of
from fourfold.prove.keys import is_keyed_write, with_new_key
from fourfold.prove.mending import mended
from fourfold.prove.writing import made_ready, require_seen, written
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AT_ONCE = 4
_WAITING = frozenset({"in_progress", "rate_limited", "too_busy"})


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    alone = await written(desk, tool, watch=watch, check=CHECK.name)
    require_seen(alone)
    arguments = await made_ready(watch, alone, check=CHECK.name)
    before = await watch.look()
    answers = await _at_once(desk, tool, arguments)
    other = next(mended(tool, arguments, answer=answers[0], sent=desk.sent), None)
    if other is not None and not any(map(succeeded, answers)):
        arguments = with_new_key(tool, other, desk=desk, dice=desk.dice(CHECK.name, tool.name))
        answers = await _at_once(desk, tool, arguments)
    calls = (desk.sent_as(tool.name, arguments),) * _AT_ONCE
    after, good = await watch.look(), [answer for answer in answers if succeeded(answer)]
    if not good:
        raise NotTested(f"none of them went well: {in_short(answers[0])}", next_step="give one that does in [prove]")
    single, together = alone.after.rows - alone.before.rows, after.rows - before.rows
    if 0 < 2 * single <= together:
        detail = f"{_AT_ONCE} calls at once with one key write {together} rows, one alone writes {single}"
        raise Broken(detail, *calls)
    if len({json.dumps(structured(answer), sort_keys=True, default=str) for answer in good}) > 1:
        raise Broken(f"{_AT_ONCE} calls at once with one key are answered with different results", *calls)
    failed = [answer for answer in answers if not succeeded(answer) and code_of(answer) not in _WAITING]
    if tool.tool.contract is not None and failed:
        raise Broken(f"of {_AT_ONCE} calls at once with one key, one is answered with {in_short(failed[0])}", *calls)


async def _at_once(desk: Desk, tool: ToolView, arguments: JsonObject) -> list[ToolAnswer]:
    answers: list[ToolAnswer] = []

    async def one() -> None:
        answers.append(await desk.call(tool.name, arguments))

    async with anyio.create_task_group() as tasks:
        for _ in range(_AT_ONCE):
            tasks.start_soon(one)
    return answers


CHECK = Check(
    name="concurrent-same-key-one-effect",
    family="effect",
    proves="calls that arrive at once with one key are done once",
    requires=("D1",),
    run=_run,
    applies=is_keyed_write,
    writes=True,
)
