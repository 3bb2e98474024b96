"""An agent of Pydantic AI that makes the calls of an order, with the package's own scripted model."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from order import ORDER, caller, report  # pyright: ignore[reportMissingImports, reportUnknownVariableType]  # found beside the script

from fourfold.agent.pydantic_ai import tools_for

pydantic_ai: Any = import_module("pydantic_ai")
messages: Any = import_module("pydantic_ai.messages")
function: Any = import_module("pydantic_ai.models.function")


async def main() -> None:
    """Let the agent run, and tell what it was shown and given."""
    left = list(ORDER["calls"])
    shown: dict[str, Any] = {}

    def model(history: list[Any], info: Any) -> Any:
        shown.update({tool.name: tool.parameters_json_schema for tool in info.function_tools})
        part = messages.ToolCallPart(*left.pop(0)) if left else messages.TextPart("That is all.")
        return messages.ModelResponse(parts=[part])

    async with caller() as billing:
        agent = pydantic_ai.Agent(function.FunctionModel(model), tools=await tools_for(billing))
        run = await agent.run("Make a quote.")
    parts = [part for message in run.all_messages() for part in message.parts]
    seen = [[part.outcome, str(part.content)] for part in parts if part.part_kind == "tool-return"]
    report(tools=shown, seen=seen, said=run.output)


asyncio.run(main())
