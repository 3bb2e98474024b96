"""Every success carries structured content that fits the published output schema."""

from __future__ import annotations

from fourfold.contracts.conform import misfits
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    schema, successes = tool.tool.output_schema or {}, 0
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        answer = await desk.call(tool.name, sample.value)
        if answer.refusal or answer.result.get("isError"):
            continue
        successes += 1
        found = misfits(answer.result.get("structuredContent"), schema)
        if found:
            first = found[0]
            detail = f"the result breaks {first.keyword} at {first.pointer or 'its root'}, which says {first.expected}"
            raise Broken(detail, desk.sent_as(tool.name, sample.value))
    if not successes:
        raise NotTested("no call succeeded", next_step="give arguments that work in [prove]")


CHECK = Check(
    name="output-conforms",
    family="contract",
    proves="every success fits the tool's output schema",
    requires=("B3", "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content"),
    run=_run,
    applies=lambda tool: tool.tool.output_schema is not None,
)
