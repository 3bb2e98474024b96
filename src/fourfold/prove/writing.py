"""A call of a write that goes well: arguments that fit what the server has, and what the call changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import Books, Watch
from fourfold.prove.candidates import candidates, fitted, makers, needs_state
from fourfold.prove.check import NotTested
from fourfold.prove.desk import FIRST, Desk, fault_of
from fourfold.prove.keys import version_argument, with_new_key
from fourfold.prove.mending import mended, renumbered
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["Written", "made_ready", "require_seen", "written"]

_ATTEMPTS = 24
_DEEPEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A call that went well.

    Attributes:
        before, after: what there was just before it, and just after.
    """

    tool: ToolView
    arguments: JsonObject
    answer: ToolAnswer
    before: Books
    after: Books


@dataclass(slots=True, kw_only=True)
class _Search:
    """One search for arguments that go well."""

    desk: Desk
    watch: Watch
    check: str
    by: str
    depth: int = 0
    said: list[str] = field(default_factory=list[str])


async def written(desk: Desk, tool: ToolView, *, check: str, watch: Watch | None = None, by: str = FIRST) -> Written:
    """Call a tool so that it goes well, under a new key if it takes one; what it needs is made first.

    Raises:
        NotTested: no call went well; the reason says what the server answered.
    """
    search = _Search(desk=desk, watch=watch or Watch(desk=desk), check=check, by=by)
    found = await _found(search, tool)
    if found is not None:
        return found
    codes = ", ".join(dict.fromkeys(search.said[-_ATTEMPTS:])) or "nothing, since no arguments fit"
    raise NotTested(f"no call of it went well: the server answered {codes}", next_step="give one that does in [prove]")


async def made_ready(watch: Watch, earlier: Written, *, check: str) -> JsonObject:
    """Arguments, under a new key, for a call like one that went well: about something new, or about it as it is now.

    Raises:
        NotTested: what it would be about could not be made.
    """
    desk, tool, again = watch.desk, earlier.tool, f"{check} again"
    answers = [(await written(desk, maker, watch=watch, check=again)).answer for maker in makers(desk, tool)]
    if not answers and needs_state(tool):
        answers = [earlier.answer]
    arguments = earlier.arguments if answers else renumbered(earlier.arguments, sent=desk.sent)
    for record in map(structured, answers):
        arguments = (
            fitted(tool, arguments, record=cast("JsonObject", record)) if isinstance(record, Mapping) else arguments
        )
    return with_new_key(tool, arguments, desk=desk, dice=desk.dice(again, tool.name))


def require_seen(done: Written) -> None:
    """See that anything shows that a call happened.

    Raises:
        NotTested: nothing does.
    """
    if done.before == done.after:
        reason = "a call went well, and nothing that can be looked at changed"
        raise NotTested(reason, next_step="let a read show it, or take another --seed if it was done in an earlier run")


async def _found(search: _Search, tool: ToolView) -> Written | None:
    await _made_before(search, tool)
    waiting, seen = candidates(search.desk, tool, check=search.check, by=search.by), set[str]()
    while (arguments := next(waiting, None)) is not None:
        mark = json.dumps(arguments, sort_keys=True)
        if mark in seen:
            continue
        if len(seen) == _ATTEMPTS:
            break
        seen.add(mark)
        found, answer = await _tried(search, tool, arguments)
        if found is not None:
            return found
        search.said.append(in_short(answer))
        # What came first is mended first: it is the likeliest.
        waiting = chain(mended(tool, arguments, answer=answer, sent=search.desk.sent), waiting)
    return None


async def _tried(search: _Search, tool: ToolView, arguments: JsonObject) -> tuple[Written | None, ToolAnswer]:
    """One attempt, and a second one if all that was wrong is the version."""
    desk, dice = search.desk, search.desk.dice(search.check, tool.name)
    keyed = with_new_key(tool, arguments, desk=desk, dice=dice)
    before = await search.watch.look()
    answer = await desk.call(tool.name, keyed, by=search.by)
    version, current = version_argument(tool), fault_of(answer).get("current_version")
    if version is not None and current is not None and keyed.get(version) != current:
        keyed = with_new_key(tool, {**keyed, version: current}, desk=desk, dice=dice)
        answer = await desk.call(tool.name, keyed, by=search.by)
    if not succeeded(answer):
        return None, answer
    after = await search.watch.look()
    return Written(tool=tool, arguments=keyed, answer=answer, before=before, after=after), answer


async def _made_before(search: _Search, tool: ToolView) -> None:
    """Make what the tool is about, where others make it: what is there already may be in the wrong state."""
    # A read looks for arguments as well, and nobody may have allowed it to make any.
    if search.depth >= _DEEPEST or not search.desk.writes:
        return
    for maker in makers(search.desk, tool):
        # Where none can be made, one that is there already may do.
        with suppress(NotTested):
            await _found(replace(search, depth=search.depth + 1, said=[]), maker)
