"""A schema is listed as its contract says it, with every keyword."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import listed_tools
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        listed = {str(tool.get("name")): tool for tool in await listed_tools(peer)}
    for tool in desk.catalog.tools:
        seen = listed.get(tool.name)
        if tool.contract is None or seen is None:
            continue
        if seen.get("inputSchema") != tool.contract.input_schema:
            raise Broken(f"the inputSchema of {tool.name} is listed otherwise than its contract has it")
        if seen.get("outputSchema") != tool.contract.output_schema:
            raise Broken(f"the outputSchema of {tool.name} is listed otherwise than its contract has it")


CHECK = Check(
    name="protocol-schema-verbatim",
    family="protocol",
    proves="schemas are listed with every keyword of the contract",
    requires=(f"{SPEC}/basic/index#json-schema-usage",),
    run=_run,
    whole=True,
    applies=lambda tool: tool.tool.contract is not None,
)
