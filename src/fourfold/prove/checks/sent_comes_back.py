"""What a call says about its object is what the answer says: the currency, the day, the number that was sent."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.candidates import fitted
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.ids import is_id
from fourfold.prove.keys import with_new_key
from fourfold.prove.pages import as_record, pager_of
from fourfold.prove.working import working
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_VALUES = 4
"""Listed values that are tried of one argument."""


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, answer = await working(desk, tool, check=CHECK.name)
    compared, dice = _compared(desk, tool, arguments, answer=answer), desk.dice(CHECK.name, tool.name)
    for changed in _varied(tool, arguments):
        newest = fitted(tool, arguments, record=as_record(answer))
        sent = with_new_key(tool, {**arguments, **newest, **changed}, desk=desk, dice=dice)
        again = await desk.call(tool.name, sent) if not misfits(sent, tool.tool.input_schema) else answer
        if succeeded(again) and again is not answer:
            compared += _compared(desk, tool, sent, answer=again)
            answer = again
    if not compared:
        raise NotTested("no answer repeats what was sent", next_step="give arguments that work in [prove]")


def _compared(desk: Desk, tool: ToolView, sent: JsonObject, *, answer: ToolAnswer) -> int:
    """How many arguments came back.

    Raises:
        Broken: one came back as something else.
    """
    record = as_record(answer)
    names = [place.name for place in _repeated(tool) if sent.get(place.name) is not None and place.name in record]
    for name in names:
        if record[name] != sent[name]:
            detail = f"{name} was sent as {sent[name]!r}, and the answer says {record[name]!r}"
            raise Broken(detail, desk.sent_as(tool.name, sent))
    return len(names)


def _varied(tool: ToolView, arguments: JsonObject) -> Iterator[JsonObject]:
    """One listed argument each time, with another of its values."""
    for place in _repeated(tool):
        others = [value for value in place.values if value is not None and value != arguments.get(place.name)]
        yield from ({place.name: value} for value in others[:_VALUES])


def _repeated(tool: ToolView) -> list[Place]:
    """Arguments that the answer has a field for, and whose values can only mean one thing."""
    shown = {place.name for place in tool.fields if len(place.parents) == 1}
    pager = pager_of(tool)
    aside = set[str]() if pager is None else {pager.place, pager.limit.name if pager.limit is not None else ""}
    own = [place for place in tool.arguments if len(place.parents) == 1 and place.name not in aside]
    return [place for place in own if place.name in shown and not is_id(place.name) and _is_exact(place)]


def _is_exact(place: Place) -> bool:
    return bool(place.values) or "integer" in place.types or place.resolved.get("format") == "date"


CHECK = Check(
    name="sent-comes-back",
    family="contract",
    proves="an answer that repeats an argument repeats it as it was sent",
    requires=("B12",),
    run=_run,
    applies=lambda tool: tool.tool.contract is not None and bool(_repeated(tool)),
)
