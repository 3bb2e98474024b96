"""Text of any script comes back as it was sent: no letter is lost, replaced, or put together anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.ids import is_id
from fourfold.prove.keys import with_new_key
from fourfold.prove.working import working
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_PLAIN = "Plain words"
_TEXTS = {
    "combining marks": "Cafe\u0301 n\u0303",
    "Chinese": "\u53d1\u7968 \u6c49\u5b57",
    "an emoji of several parts": "\U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
    "Latin letters with accents": "\u00c5ngstr\u00f6m \u00df",
}
_STEP = "prove it on a tool that returns a text which it was given"


async def _run(desk: Desk, tool: ToolView) -> None:
    found, _ = await working(desk, tool, check=CHECK.name)
    compared, dice = 0, desk.dice(CHECK.name, tool.name)
    for place in _texts(tool):
        plain = with_new_key(tool, {**found, place.name: _PLAIN}, desk=desk, dice=dice)
        if not await _comes_back(desk, tool, plain, name=place.name):
            continue
        for kind, text in _TEXTS.items():
            sent = with_new_key(tool, {**found, place.name: text}, desk=desk, dice=dice)
            answer = await desk.call(tool.name, sent)
            returned = [*_returned(answer, place.name)] if succeeded(answer) else []
            compared += bool(returned)
            if returned and text not in returned:
                detail = f"{place.name} with {kind} does not come back as it was sent"
                raise Broken(detail, desk.sent_as(tool.name, sent))
    if not compared:
        raise NotTested("no text that was sent comes back in the answer", next_step=_STEP)


async def _comes_back(desk: Desk, tool: ToolView, arguments: JsonObject, *, name: str) -> bool:
    if misfits(arguments, tool.tool.input_schema):
        return False
    return _PLAIN in _returned(await desk.call(tool.name, arguments), name)


def _texts(tool: ToolView) -> list[Place]:
    """Arguments of free text that the output has a field for."""
    shown = {words(field.name) for field in tool.fields}
    own = [place for place in tool.arguments if len(place.parents) == 1]
    return [place for place in own if _is_free(place) and words(place.name) in shown]


def _is_free(place: Place) -> bool:
    found = place.resolved
    if is_id(place.name):
        return False
    return "string" in place.types and not place.values and "pattern" not in found and "format" not in found


def _returned(answer: ToolAnswer, name: str) -> Iterator[str]:
    waiting: list[object] = [answer.result.get("structuredContent")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(cast("list[object]", value))
        if not isinstance(value, Mapping):
            continue
        for key, inner in cast("JsonObject", value).items():
            if isinstance(inner, str) and words(key) == words(name):
                yield inner
            waiting.append(inner)


CHECK = Check(
    name="unicode-survives",
    family="contract",
    proves="text of any script comes back as it was sent",
    requires=("B12",),
    run=_run,
    applies=lambda tool: bool(_texts(tool)),
)
