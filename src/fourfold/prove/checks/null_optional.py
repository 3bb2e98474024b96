"""Null for an optional argument is refused, or means that it was left out; it is never a value of its own."""

from __future__ import annotations

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, refuses_arguments, succeeded
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.working import working
from fourfold.review.engine import review_answer
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_CRASHES = ReviewSettings(select=("FF357", "FF358"))


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, before = await working(desk, tool, check=CHECK.name)
    is_steady = tool.action == "read" and _same(before, await desk.call(tool.name, arguments))
    for name in _optional(tool):
        sent = {**arguments, name: None}
        answer = await desk.call(tool.name, sent)
        wrong = _wrong(tool, sent, answer)
        if not wrong and succeeded(answer) and is_steady and name not in arguments and not _same(before, answer):
            wrong = "it was taken for a value of its own"
        if wrong:
            raise Broken(f"null was sent for {name}: {wrong}", desk.sent_as(tool.name, sent))


def _optional(tool: ToolView) -> list[str]:
    return [place.name for place in tool.arguments if len(place.parents) == 1 and not place.required]


def _wrong(tool: ToolView, sent: JsonObject, answer: ToolAnswer) -> str:
    if succeeded(answer):
        return ""
    if in_short(answer) == "internal":
        return "it led to an internal error"
    if refuses_arguments(answer) and not misfits(sent, tool.tool.input_schema):
        return "it was refused, and the schema takes it"
    finding = next(review_answer(tool, answer, settings=_CRASHES), None)
    return finding.message if finding is not None else ""


def _same(one: ToolAnswer, other: ToolAnswer) -> bool:
    return one.result.get("structuredContent") == other.result.get("structuredContent") and (
        one.result.get("content") == other.result.get("content")
    )


CHECK = Check(
    name="null-optional",
    family="contract",
    proves="null for an optional argument is refused, or means that it was left out",
    requires=("B12", "C1"),
    run=_run,
    applies=lambda tool: bool(_optional(tool)),
)
