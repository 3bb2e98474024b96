"""Arguments that fit the schema are answered with a success or a fault, never as if they broke it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.prove.answered import in_short, refuses_arguments, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk, code_of, fault_of
from fourfold.prove.shrink import shrink
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_SEEN_BY_SCHEMA = frozenset({"unknown_argument", "wrong_type", "pattern_mismatch"})
"""Problems of which a schema says everything; that one argument needs another one is a rule of the domain."""


async def _run(desk: Desk, tool: ToolView) -> None:
    answered = False
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        answer = await desk.call(tool.name, sample.value)
        wrong = _wrong(answer)
        if wrong is not None:
            call = await shrink(desk.sent_as(tool.name, sample.value), _still(desk, tool, wrong))
            raise Broken(f"{wrong}: {in_short(answer)}", call)
        answered = answered or succeeded(answer) or tool.tool.contract is not None
    if not answered:
        # Nobody says which failures of a stranger's tool are meant.
        await working(desk, tool, check=CHECK.name)


def _still(desk: Desk, tool: ToolView, wrong: str) -> Callable[[SentCall], Awaitable[bool]]:
    async def still(call: SentCall) -> bool:
        fits = not misfits(call.arguments, tool.tool.input_schema)
        return fits and _wrong(await desk.call(tool.name, call.arguments)) == wrong

    return still


def _wrong(answer: ToolAnswer) -> str | None:
    if answer.refusal:
        return "arguments that fit the schema were answered with a protocol error"
    if code_of(answer) == "internal":
        return "arguments that fit the schema led to an internal error"
    if refuses_arguments(answer) and _is_of_schema(answer):
        return "arguments that fit the schema were refused as if they broke it"
    return None


def _is_of_schema(answer: ToolAnswer) -> bool:
    problems: object = fault_of(answer).get("problems")
    if not isinstance(problems, list) or not problems:
        return True
    found = [cast("JsonObject", each) for each in cast("list[object]", problems) if isinstance(each, Mapping)]
    return any(each.get("code") in _SEEN_BY_SCHEMA for each in found)


CHECK = Check(
    name="valid-is-answered",
    family="contract",
    proves="arguments that fit the schema get a success or a declared fault",
    requires=("B12", "B6"),
    run=_run,
)
