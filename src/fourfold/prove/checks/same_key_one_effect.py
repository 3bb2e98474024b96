"""The same call with the same key is done once, and answered the same both times."""

from __future__ import annotations

from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.keys import is_keyed_write
from fourfold.prove.writing import require_seen, written
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    first = await written(desk, tool, watch=watch, check=CHECK.name)
    require_seen(first)
    again = await desk.call(tool.name, first.arguments)
    call = desk.sent_as(tool.name, first.arguments)
    if await watch.look() != first.after:
        raise Broken("the same call with the same key is done a second time", call, call)
    if tool.tool.contract is not None and not succeeded(again):
        raise Broken(f"the same call with the same key is answered with {in_short(again)}", call, call)
    if succeeded(again) and structured(again) != structured(first.answer):
        raise Broken("the same call with the same key is answered with another result", call, call)


CHECK = Check(
    name="same-key-one-effect",
    family="effect",
    proves="a call that is repeated with its key is done once and answered with the first result",
    requires=("D1",),
    run=_run,
    applies=is_keyed_write,
    writes=True,
)
