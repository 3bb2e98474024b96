"""Every success carries structured content that fits the published output schema."""

from __future__ import annotations

from fourfold.contracts.conform import is_understood, misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    if not is_understood(tool.tool.output_schema or {}):
        reason = "its output schema is no JSON Schema, so that every result fits it"
        raise NotTested(reason, next_step="mend the schema; fourfold review says where")
    successes = 0
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        answer = await desk.call(tool.name, sample.value)
        if succeeded(answer):
            successes += 1
            _judge(desk, tool, sample.value, answer=answer)
    if not successes:
        arguments, answer = await working(desk, tool, check=CHECK.name)
        _judge(desk, tool, arguments, answer=answer)


def _judge(desk: Desk, tool: ToolView, arguments: JsonObject, *, answer: ToolAnswer) -> None:
    found = misfits(answer.result.get("structuredContent"), tool.tool.output_schema or {})
    if found:
        first = found[0]
        detail = f"the result breaks {first.keyword} at {first.pointer or 'its root'}, which says {first.expected}"
        raise Broken(detail, desk.sent_as(tool.name, arguments))


CHECK = Check(
    name="output-conforms",
    family="contract",
    proves="every success fits the tool's output schema",
    requires=("B3", "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content"),
    run=_run,
    applies=lambda tool: tool.tool.output_schema is not None,
)
