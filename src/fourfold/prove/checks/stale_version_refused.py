"""A write on a state that has passed, or that never was, is refused."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.books import Watch, watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk, fault_of
from fourfold.prove.keys import version_argument, with_new_key
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_STALE = frozenset({"stale_version"})
_MADE_UP = ("0", "99", "latest")


async def _run(desk: Desk, tool: ToolView) -> None:
    watch, name = await watching(desk), str(version_argument(tool))
    first = await written(desk, tool, watch=watch, check=CHECK.name)
    used = first.arguments.get(name)
    if first.before != first.after:
        # The call itself has moved the version on.
        await _refused(watch, tool, first.arguments, what="the version that a change has used up")
    for version in _MADE_UP:
        if version != str(used) and isinstance(used, str):
            what = "a version that never was"
            await _refused(watch, tool, {**first.arguments, name: version}, what=what)


async def _refused(watch: Watch, tool: ToolView, arguments: JsonObject, *, what: str) -> None:
    desk = watch.desk
    sent = with_new_key(tool, arguments, desk=desk, dice=desk.dice(CHECK.name, what))
    answer = await require_refused(watch, Forbidden(what=what, tool=tool, arguments=sent, codes=_STALE))
    if tool.tool.contract is not None and fault_of(answer).get("current_version") is None:
        raise Broken(f"{what} is refused without the current one", desk.sent_as(tool.name, sent))


CHECK = Check(
    name="stale-version-refused",
    family="effect",
    proves="a write that expects another version than the current one is refused, and told the current one",
    requires=("C8", "C9"),
    run=_run,
    applies=lambda tool: version_argument(tool) is not None,
    writes=True,
)
