"""A caller's tools as those of Pydantic AI: `Agent(model, tools=await tools_for(caller))`.

It needs `fourfold[pydantic-ai]`. Wrong arguments go back to the model as Pydantic AI's own retry, once; so the caller
needs no `correct` hook here. Whatever else did not work reaches the model as a failed tool.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fourfold.agent.caller import ToolCaller
from fourfold.agent.listing import OfferedTool
from fourfold.agent.outcome import Done, Invalid

__all__ = ["tools_for"]


async def tools_for(caller: ToolCaller) -> list[Any]:
    """A `pydantic_ai.Tool` for each tool of the caller.

    Raises:
        TargetError: the server failed, or its list does not end.
        ImportError: Pydantic AI is not installed.
    """
    # Imported by name: it is in no environment of ours, so its types are not there to be checked.
    package = import_module("pydantic_ai")
    return [_tool(caller, each, package) for each in await caller.tools()]


def _tool(caller: ToolCaller, offered: OfferedTool, package: Any) -> Any:
    # Positional only, because an argument of the tool may have any name.
    async def invoke(context: Any, /, **arguments: Any) -> str:
        outcome = await caller.call(offered.name, arguments)
        if isinstance(outcome, Done):
            return outcome.text
        if isinstance(outcome, Invalid) and not context.last_attempt:
            raise package.ModelRetry(outcome.text)
        raise package.ToolFailed(outcome.text)

    tool = package.Tool.from_schema(
        invoke, offered.name, offered.description, dict(offered.input_schema), takes_ctx=True
    )
    # Whatever the agent's own default: a second correction seldom helps where the first did not.
    tool.max_retries = 1
    return tool
