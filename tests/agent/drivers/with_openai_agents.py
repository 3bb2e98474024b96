"""An agent of the OpenAI Agents SDK that makes the calls of an order, with a scripted model behind its interface."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import Any

from order import ORDER, caller, report  # pyright: ignore[reportMissingImports, reportUnknownVariableType]  # found beside the script

from fourfold.agent.openai_agents import tools_for

agents: Any = import_module("agents")
responses: Any = import_module("openai.types.responses")


calls: list[list[Any]] = ORDER["calls"]


class Script(agents.Model):
    """Makes each call in a turn of its own, and says that this is all."""

    def __init__(self) -> None:
        self.left: list[tuple[int, list[Any]]] = list(enumerate(calls))
        self.shown: dict[str, Any] = {}

    async def get_response(self, *given: Any, **named: Any) -> Any:
        """The next turn."""
        tools = named.get("tools") or given[3]
        self.shown.update({tool.name: tool.params_json_schema for tool in tools})
        output = self.call(*self.left.pop(0)) if self.left else self.text()
        return agents.ModelResponse(output=[output], usage=agents.Usage(), response_id=None)

    def stream_response(self, *given: Any, **named: Any) -> Any:
        """Nobody streams here."""
        raise NotImplementedError

    def call(self, number: int, call: list[Any]) -> Any:
        """A call; text instead of an object is sent as it is."""
        name, arguments = call
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return responses.ResponseFunctionToolCall(
            name=name, arguments=text, call_id=f"call-{number}", type="function_call"
        )

    def text(self) -> Any:
        """The last word."""
        part = responses.ResponseOutputText(text="That is all.", type="output_text", annotations=[])
        return responses.ResponseOutputMessage(
            id="1", content=[part], role="assistant", status="completed", type="message"
        )


async def main() -> None:
    """Let the agent run, and tell what it was shown and given."""
    agents.set_tracing_disabled(True)
    model = Script()
    async with caller() as billing:
        agent = agents.Agent(name="clerk", model=model, tools=await tools_for(billing))
        run = await agents.Runner.run(agent, "Make a quote.")
    outputs = [item.output for item in run.new_items if item.type == "tool_call_output_item"]
    report(tools=model.shown, seen=[["", str(output)] for output in outputs], said=run.final_output)


asyncio.run(main())
