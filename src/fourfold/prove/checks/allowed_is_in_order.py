"""What a read lists among the allowed actions is not refused as out of order."""

from __future__ import annotations

from fourfold.prove.actions import ALLOWED, named_by, shown, shows_actions
from fourfold.prove.candidates import about
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, code_of
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_WRONG_STATE = "wrong_state"


async def _run(desk: Desk, read: ToolView) -> None:
    await working(desk, read, check=CHECK.name)
    tried = set[str]()
    for record in await shown(desk, read):
        allowed = [tool for tool in desk.view.tools if tool.name in record[ALLOWED] and named_by(tool, record)]
        action = next((tool for tool in allowed if tool.name not in tried), None)
        if action is None:
            continue
        # One action each: after it, the object may be in another state.
        tried.add(action.name)
        arguments = about(desk, action, record=record, check=CHECK.name)[0]
        if code_of(await desk.call(action.name, arguments)) == _WRONG_STATE:
            detail = f"{ALLOWED} lists {action.name}, and it is refused with {_WRONG_STATE}"
            raise Broken(detail, desk.sent_as(action.name, arguments))
    if not tried:
        raise NotTested("nothing was read that may be done", next_step="let a read show something in another state")


CHECK = Check(
    name="allowed-is-in-order",
    family="effect",
    proves="an action that a read lists as allowed is not refused as out of order",
    requires=("C5",),
    run=_run,
    applies=shows_actions,
    writes=True,
)
