"""What one caller has is in no list of the other's."""

from __future__ import annotations

import json

from fourfold.contracts.names import is_query, words
from fourfold.model.contract import JsonObject
from fourfold.model.effect import Create
from fourfold.prove.answered import succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import FIRST, SECOND, Desk, is_read
from fourfold.prove.foreign import id_places, only_firsts
from fourfold.prove.ids import id_arguments, is_id
from fourfold.prove.pages import entries, is_paged, pager_of, walk
from fourfold.prove.writing import written
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_TRIED = 24
_PAGES = 20
_ASKED = 6
_LISTING = frozenset({"list", "search", "find"})
_SOUGHT = frozenset({"query", "q", "search", "text", "term"})


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, mine = await _filled(desk, tool)
    theirs = await _entries(desk, tool, arguments, by=SECOND)
    is_apart = desk.writes and (
        await _new_ones_are_apart(desk, tool, arguments) or await _changes_are_apart(desk, tool, arguments)
    )
    shared = _shared(mine, theirs)
    if shared and not is_apart:
        await _are_there(desk, tool, arguments, shared=shared)
        reason = f"{len(shared)} of {len(mine)} entries are in the lists of both callers, shared or leaked"
        step = "allow --writes, so that one caller can add to the list and the other look at it"
        raise NotTested(reason, next_step=step)


def _shared(mine: set[str], theirs: set[str]) -> set[str]:
    """Entries of both lists. Figures may be alike by accident: without an id in them, only all of them count."""
    return _named(mine & theirs) or (mine & theirs if mine == theirs else set())


async def _filled(desk: Desk, tool: ToolView) -> tuple[JsonObject, set[str]]:
    """A call that lists something for the first caller, and what it lists."""
    learned = desk.learned.get(tool.name)
    if learned is None:
        raise NotTested("no call succeeded", next_step="give arguments that work in [prove]")
    names = [place.name for place in id_arguments(tool) if place.name in learned]
    others = [{**learned, name: value} for name in names for value in desk.known(name)]
    for arguments in [learned, *others][:_TRIED]:
        found = await _entries(desk, tool, arguments, by=FIRST)
        if found:
            return arguments, found
    raise NotTested("its list is empty", next_step="give arguments that it lists something for in [prove]")


async def _new_ones_are_apart(desk: Desk, tool: ToolView, arguments: JsonObject) -> bool:
    """Add to the first caller's list and look at the second one's; `False` if the first one's does not show it."""
    for maker in _makers(desk, tool):
        try:
            made = await written(desk, maker, check=CHECK.name)
        except NotTested:
            continue
        call = desk.sent_as(maker.name, made.arguments)
        new = {str(place.value) for place in id_places(structured(made.answer))} - {
            str(place.value) for place in id_places(made.arguments)
        }
        for asked in [_asking_for(tool, arguments, each) for each in new]:
            shown, leaked = [await _entries(desk, tool, asked, by=by) for by in (FIRST, SECOND)]
            own = {text for text in shown if any(json.dumps(each) in text for each in new)}
            if own & leaked:
                raise Broken(
                    "what one caller made is in the other one's list", call, desk.sent_as(tool.name, asked, by=SECOND)
                )
            if own:
                return True
    return False


async def _changes_are_apart(desk: Desk, tool: ToolView, arguments: JsonObject) -> bool:
    """Let the first caller write until its list shows another entry; `False` if no write of it does that."""
    is_moved = False
    for writer in [each for each in desk.view.tools if each.action != "read" and each.tool.contract is not None]:
        before = [await _entries(desk, tool, arguments, by=by) for by in (FIRST, SECOND)]
        try:
            made = await written(desk, writer, check=CHECK.name)
        except NotTested:
            continue
        after = [await _entries(desk, tool, arguments, by=by) for by in (FIRST, SECOND)]
        mine, theirs = [now - then for now, then in zip(after, before, strict=True)]
        if mine and theirs and after[1] == await _entries(desk, tool, arguments, by=SECOND):
            # Nothing of the second one's was touched, so that its list had no reason to move.
            call = desk.sent_as(writer.name, made.arguments)
            shown = desk.sent_as(tool.name, arguments, by=SECOND)
            raise Broken("what one caller changed is in the other one's list", call, shown)
        is_moved = is_moved or bool(mine)
        # Figures may be moved by one write and not by another; what has an id is there or is not.
        if _named(mine):
            break
    return is_moved


async def _are_there(desk: Desk, tool: ToolView, arguments: JsonObject, *, shared: set[str]) -> None:
    """See that what both are listed is there for both, where a tool that takes its id can be asked.

    Raises:
        Broken: the second caller is listed what is nobody's when it asks for it.
    """
    places = [place for text in sorted(_named(shared)) for place in id_places(json.loads(text))]
    for asking in [each for each in desk.view.tools if is_read(each) and each.name != tool.name]:
        taken = {place.name for place in id_arguments(asking)}
        for place in [each for each in places if each.name in taken][:_ASKED]:
            call = await only_firsts(desk, asking, place=place)
            if call is not None:
                shown = desk.sent_as(tool.name, arguments, by=SECOND)
                raise Broken(f"a {place.name} is listed to the caller for whom it is not there", shown, call)


def _named(texts: set[str]) -> set[str]:
    """Entries that hold an id."""
    return {text for text in texts if any(id_places(json.loads(text)))}


def _asking_for(tool: ToolView, arguments: JsonObject, new: str) -> JsonObject:
    """The arguments of a list; of a search, those that look for what is new."""
    sought = {place.name for place in tool.arguments if words(place.name)[-1:] and words(place.name)[-1] in _SOUGHT}
    return {name: new if name in sought else value for name, value in arguments.items()}


def _takes_a_query(tool: ToolView) -> bool:
    """Whether the caller says by a query what is listed: then no argument of it keeps the callers apart."""
    return any(is_query(place.name) and "string" in place.types for place in tool.arguments)


def _makers(desk: Desk, tool: ToolView) -> list[ToolView]:
    listed = {place.name for place in tool.fields if is_id(place.name)}
    return [
        other
        for other in desk.view.tools
        if other.tool.contract is not None
        and isinstance(other.tool.contract.effect, Create)
        and listed & {place.name for place in other.fields} - {place.name for place in other.arguments}
    ]


async def _entries(desk: Desk, tool: ToolView, arguments: JsonObject, *, by: str) -> set[str]:
    """What a caller is listed, page after page where there are pages; nothing if it is refused."""
    pager = pager_of(tool)
    if pager is not None:
        try:
            return {*(await walk(desk, tool, arguments=arguments, pager=pager, most=_PAGES, by=by)).entries}
        except Broken:
            # That its pages don't go on is another check's.
            return set()
    answer = await desk.call(tool.name, arguments, by=by)
    listed = entries(answer) if succeeded(answer) else None
    return {json.dumps(entry, sort_keys=True, default=str) for entry in listed or ()}


CHECK = Check(
    name="lists-are-apart",
    family="tenant",
    proves="nothing that one caller has is in a list of the other one's",
    requires=("B18",),
    run=_run,
    applies=lambda tool: is_read(tool) and (is_paged(tool) or bool(_LISTING & set(tool.words)) or _takes_a_query(tool)),
    callers=2,
)
