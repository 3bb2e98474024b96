"""Calls that have to be refused, and change nothing."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import Watch
from fourfold.prove.check import Broken, NotTested
from fourfold.prove.desk import FIRST, code_of
from fourfold.review.view import ToolView

__all__ = ["Forbidden", "require_refused"]

_PASSING = frozenset({"rate_limited", "too_busy", "deadline_exceeded", "in_progress"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """A call that has to be refused.

    Attributes:
        what: names it in a sentence: "a stale version".
        codes: what a catalog of ours answers it with; strangers may say it as they like. None: any code.
        after: the calls before it that made it wrong.
    """

    what: str
    tool: ToolView
    arguments: JsonObject
    codes: frozenset[str] = frozenset()
    after: tuple[SentCall, ...] = ()
    by: str = FIRST


async def require_refused(watch: Watch, forbidden: Forbidden) -> ToolAnswer:
    """Make the call, and return what it was refused with.

    Raises:
        Broken: it was accepted, it had an effect, or the code says something else.
        NotTested: the server had no time for it.
    """
    desk, tool, by = watch.desk, forbidden.tool, forbidden.by
    calls = (*forbidden.after, desk.sent_as(tool.name, forbidden.arguments, by=by))
    before = await watch.look()
    answer = await desk.call(tool.name, forbidden.arguments, by=by)
    if succeeded(answer):
        raise Broken(f"{forbidden.what} is accepted", *calls)
    code = code_of(answer)
    if code in _PASSING:
        raise NotTested(f"the server answered {code}", next_step="run it again when the server has less to do")
    if await watch.look() != before:
        raise Broken(f"{forbidden.what} is refused with {in_short(answer)}, and has an effect all the same", *calls)
    if tool.tool.contract is not None and forbidden.codes and code not in forbidden.codes:
        expected = " or ".join(sorted(forbidden.codes))
        raise Broken(f"{forbidden.what} is refused with {in_short(answer)}, which should be {expected}", *calls)
    return answer
