"""A call that was done before the server was started again is not done a second time after it; a plan still stands."""

from __future__ import annotations

from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.interrupting import restarted
from fourfold.prove.keys import executes
from fourfold.prove.repeating import done_alone, is_repeatable, like_it
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    done = await done_alone(watch, tool, check=CHECK.name)
    # A plan that is made before is executed after.
    planned = await like_it(watch, done, check=CHECK.name) if executes(tool) else None
    before = await watch.look()
    await restarted(desk)
    again = await desk.call(tool.name, done.arguments)
    calls = (
        desk.sent_as(tool.name, done.arguments),
        desk.sent_as(tool.name, done.arguments, beside="after the server was started again"),
    )
    if await watch.look() != before:
        raise Broken("a call that comes again after the server was started again is done a second time", *calls)
    if not succeeded(again):
        raise Broken(
            f"a call that was done before the server was started again is answered with {in_short(again)}", *calls
        )
    if structured(again) != structured(done.answer):
        raise Broken("a call that was done before the server was started again has another result", *calls)
    if planned is not None:
        answer = await desk.call(tool.name, planned)
        if not succeeded(answer):
            call = desk.sent_as(tool.name, planned, beside="after the server was started again")
            raise Broken(f"a plan of before the server was started again is answered with {in_short(answer)}", call)


CHECK = Check(
    name="key-survives-restart",
    family="effect",
    proves="keys and plans hold when the server is stopped and started again on its store",
    requires=("D1", "C7"),
    run=_run,
    applies=is_repeatable,
    writes=True,
)
