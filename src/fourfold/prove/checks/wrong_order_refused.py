"""What a read does not list among the allowed actions is refused as out of order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.prove.answered import in_short, refuses_arguments
from fourfold.prove.books import Watch, watching
from fourfold.prove.candidates import about, makers
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.ids import id_arguments
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.prove.writing import written
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_ACTIONS = "allowed_actions"
_OBJECTS = 8


async def _run(desk: Desk, _: ToolView) -> None:
    watch, said = await watching(desk), list[str]()
    for read in [tool for tool in desk.view.tools if _applies(tool)]:
        await _brought_about(desk, read, watch)
        for record in await _shown(desk, read):
            for action in _not_allowed(desk, read, record):
                said.append(await _refusal(desk, watch, action, record=record))
    if "wrong_state" not in said:
        codes = ", ".join(dict.fromkeys(said)) or "nothing, since all that was read allows everything"
        step = "let a read show something in another state"
        raise NotTested(f"no call was out of order: the server answered {codes}", next_step=step)


async def _brought_about(desk: Desk, read: ToolView, watch: Watch) -> None:
    """Let there be something new, and something that each action was taken on: that is in another state by then."""
    actions = [tool for tool in desk.view.tools if tool.name in _actions(read) and tool.action != "read"]
    for tool in [*actions, *makers(desk, read)]:
        # One that cannot be taken here leaves one state less to look at.
        with suppress(NotTested):
            await written(desk, tool, watch=watch, check=CHECK.name)


async def _refusal(desk: Desk, watch: Watch, action: ToolView, *, record: JsonObject) -> str:
    """What an action that is out of order is refused with, past the look at its arguments if one comes so far."""
    said = ""
    for arguments in about(desk, action, record=record, check=CHECK.name):
        what = f"{action.name}, which {_ACTIONS} does not list,"
        answer = await require_refused(watch, Forbidden(what=what, tool=action, arguments=arguments))
        said = in_short(answer)
        if not refuses_arguments(answer):
            break
    return said


async def _shown(desk: Desk, read: ToolView) -> list[JsonObject]:
    """What a read shows now, with the actions that it allows: of what it was learned with, and the newest."""
    named = [place.name for place in id_arguments(read)]
    learned = desk.learned.get(read.name, {})
    newest = [record[named[0]] for record in reversed(desk.records()) if named and named[0] in record]
    calls = [{**learned, named[0]: each} for each in [*dict.fromkeys(newest)][:_OBJECTS]] if named else [learned]
    shown = [structured(await desk.call(read.name, arguments)) for arguments in calls]
    return [record for each in shown for record in _with_actions(each)]


def _with_actions(value: object) -> Iterator[JsonObject]:
    if isinstance(value, Mapping):
        record = cast("JsonObject", value)
        if isinstance(record.get(_ACTIONS), list):
            yield record
        value = [*record.values()]
    if isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _with_actions(inner)


def _not_allowed(desk: Desk, read: ToolView, record: JsonObject) -> Iterator[ToolView]:
    """Tools that the read may allow, and does not allow on this."""
    for tool in desk.view.tools:
        named = {place.name for place in id_arguments(tool)}
        if tool.name in _actions(read) - {*record[_ACTIONS]} and named & record.keys():
            yield tool


def _actions(read: ToolView) -> frozenset[str]:
    """The actions that the output schema of a read lists."""
    places = [place for place in read.outputs if place.name == _ACTIONS]
    return frozenset(str(value) for place in places for value in place.values)


def _applies(tool: ToolView) -> bool:
    return tool.tool.contract is not None and is_read(tool) and any(place.name == _ACTIONS for place in tool.fields)


CHECK = Check(
    name="wrong-order-refused",
    family="effect",
    proves="an action that a read does not list as allowed is refused, with a code for what comes in the wrong order",
    requires=("C5", "C8"),
    run=_run,
    applies=_applies,
    writes=True,
    whole=True,
)
