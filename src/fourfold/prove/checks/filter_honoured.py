"""A filter shows what it says, and nothing that the list without it does not have."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.parts import listed_by, records
from fourfold.prove.working import working
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_VALUES = 4
_STEP = "prove it on a list that has entries with different values"


async def _run(desk: Desk, tool: ToolView) -> None:
    found, _ = await working(desk, tool, check=CHECK.name)
    seen = 0
    for place in _filters(tool):
        free = {name: value for name, value in found.items() if name != place.name}
        whole = await listed_by(desk, tool, arguments=free)
        for value in [each for each in place.values if each is not None][:_VALUES]:
            narrow = await listed_by(desk, tool, arguments={**free, place.name: value})
            seen += len(narrow.entries)
            other = next((each[place.name] for each in records(narrow) if each.get(place.name, value) != value), None)
            if other is not None:
                raise Broken(f"with {place.name} {value!r}, the list has an entry with {other!r}", narrow.calls[0])
            hidden = set(narrow.entries) - set(whole.entries)
            if hidden and whole.ended:
                detail = f"with {place.name} {value!r}, the list has {len(hidden)} entries that it has not without it"
                raise Broken(detail, narrow.calls[0], whole.calls[-1])
    if not seen:
        raise NotTested("no filter left an entry", next_step=_STEP)


def _filters(tool: ToolView) -> list[Place]:
    """Arguments that may be left out, and whose listed values the entries have under the same name."""
    shown = {place.name for place in tool.fields if len(place.parents) > 1}
    own = [place for place in tool.arguments if len(place.parents) == 1 and not place.required]
    return [place for place in own if place.values and place.name in shown and _is_open(place.resolved)]


def _is_open(schema: JsonObject) -> bool:
    """Whether leaving it out means all: no other default is said."""
    return schema.get("default") is None


CHECK = Check(
    name="filter-honoured",
    family="contract",
    proves="a filtered list has only what the filter says, and only what the whole list has",
    requires=("B12", "B3"),
    run=_run,
    applies=lambda tool: is_read(tool) and tool.tool.contract is not None and bool(_filters(tool)),
)
