"""A list goes on where it was when the server is started again."""

from __future__ import annotations

from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.continuing import NO_SECOND_PAGE, first_page, has_cursor
from fourfold.prove.desk import Desk
from fourfold.prove.interrupting import restarted
from fourfold.prove.pages import entries
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, following = await first_page(desk, tool, check=CHECK.name)
    before = await desk.call(tool.name, following)
    if not succeeded(before):
        raise NotTested(f"its next page is answered with {in_short(before)}", next_step=NO_SECOND_PAGE)
    await restarted(desk)
    after = await desk.call(tool.name, following)
    beside = "after the server was started again"
    calls = (desk.sent_as(tool.name, arguments), desk.sent_as(tool.name, following, beside=beside))
    if not succeeded(after):
        detail = f"a cursor of before the server was started again is answered with {in_short(after)}"
        raise Broken(detail, *calls)
    if entries(after) != entries(before):
        raise Broken("a cursor of before the server was started again shows another page", *calls)


CHECK = Check(
    name="cursor-survives-restart",
    family="contract",
    proves="a cursor holds when the server is stopped and started again",
    requires=("B10",),
    run=_run,
    applies=has_cursor,
)
