"""A list has no more entries than the call asked for."""

from __future__ import annotations

from fourfold.contracts.conform import misfits
from fourfold.prove.answered import succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import entries, unlimited
from fourfold.prove.working import working
from fourfold.review.listing import limits
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_ASKED = (1, 2)


async def _run(desk: Desk, tool: ToolView) -> None:
    name = next(place.name for place in limits(tool))
    found, _ = await working(desk, tool, check=CHECK.name)
    free = {key: value for key, value in found.items() if key != name}
    most = len(entries(await desk.call(tool.name, unlimited(tool, found, limit=name))) or ())
    if most < 2:
        raise NotTested("the list has fewer than two entries", next_step="give arguments with a longer one in [prove]")
    tried = [{**free, name: asked} for asked in _ASKED if not misfits({**free, name: asked}, tool.tool.input_schema)]
    if not tried:
        raise NotTested("the smallest limit is larger than 2", next_step="nothing; it is a note")
    for arguments in tried:
        answer = await desk.call(tool.name, arguments)
        count = len(entries(answer) or ())
        if succeeded(answer) and count > arguments[name]:
            detail = f"{name} {arguments[name]} was asked for, and {count} entries came"
            raise Broken(detail, desk.sent_as(tool.name, arguments))


CHECK = Check(
    name="limit-honoured",
    family="contract",
    proves="a list has no more entries than the call asked for",
    requires=("B19", "B3"),
    run=_run,
    applies=lambda tool: any(limits(tool)),
)
