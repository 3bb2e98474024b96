"""What a read does not list among the allowed actions is refused as out of order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fourfold.model.contract import JsonObject
from fourfold.prove.actions import ALLOWED, actions_of, named_by, shown, shows_actions
from fourfold.prove.answered import in_short
from fourfold.prove.books import Watch, watching
from fourfold.prove.candidates import about, makers
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_WRONG_STATE = "wrong_state"


async def _run(desk: Desk, _: ToolView) -> None:
    watch, said = await watching(desk), list[str]()
    for read in [tool for tool in desk.view.tools if shows_actions(tool)]:
        await _brought_about(desk, read, watch)
        for record in await shown(desk, read):
            for action in _not_allowed(desk, read, record):
                said.append(await _refusal(desk, watch, action, record=record))
    if _WRONG_STATE not in said:
        codes = ", ".join(dict.fromkeys(said)) or "nothing, since all that was read allows everything"
        step = "let a read show something in another state"
        raise NotTested(f"no call was out of order: the server answered {codes}", next_step=step)


async def _brought_about(desk: Desk, read: ToolView, watch: Watch) -> None:
    """Let there be something new, and something that each action was taken on: that is in another state by then."""
    actions = [tool for tool in desk.view.tools if tool.name in actions_of(read) and tool.action != "read"]
    for tool in [*actions, *makers(desk, read)]:
        # One that cannot be taken here leaves one state less to look at.
        with suppress(NotTested):
            await written(desk, tool, watch=watch, check=CHECK.name)


async def _refusal(desk: Desk, watch: Watch, action: ToolView, *, record: JsonObject) -> str:
    """What an action that is out of order is refused with: as such, or with what is looked at before that."""
    said = ""
    for arguments in about(desk, action, record=record, check=CHECK.name):
        what = f"{action.name}, which {ALLOWED} does not list,"
        answer = await require_refused(watch, Forbidden(what=what, tool=action, arguments=arguments))
        said = in_short(answer)
        if said == _WRONG_STATE:
            break
    return said


def _not_allowed(desk: Desk, read: ToolView, record: JsonObject) -> Iterator[ToolView]:
    """Tools that the read may allow, and does not allow on this."""
    for tool in desk.view.tools:
        if tool.name in actions_of(read) - {*record[ALLOWED]} and named_by(tool, record):
            yield tool


CHECK = Check(
    name="wrong-order-refused",
    family="effect",
    proves="an action that a read does not list as allowed is refused, with a code for what comes in the wrong order",
    requires=("C5", "C8"),
    run=_run,
    applies=shows_actions,
    writes=True,
    whole=True,
)
