"""A caller's tools as those of the OpenAI Agents SDK: `Agent(name=…, tools=await tools_for(caller))`.

It needs `fourfold[openai-agents]`. It hands a model nothing but text, so a fault is text as well: the code comes first,
and then what to do. A model that corrects its arguments does so in a call of its own; `max_turns` bounds these.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from fourfold.agent.caller import ToolCaller
from fourfold.agent.listing import OfferedTool
from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject

__all__ = ["tools_for"]

_NO_OBJECT = "invalid_arguments: The arguments are no JSON object. Send an object, and call again once."


async def tools_for(caller: ToolCaller) -> list[Any]:
    """An `agents.FunctionTool` for each tool of the caller.

    Raises:
        TargetError: the server failed, or its list does not end.
        ImportError: the OpenAI Agents SDK is not installed.
    """
    # Imported by name: it is in no environment of ours, so its types are not there to be checked.
    package = import_module("agents")
    return [_tool(caller, each, package) for each in await caller.tools()]


def _tool(caller: ToolCaller, offered: OfferedTool, package: Any) -> Any:
    async def invoke(_context: Any, text: str) -> str:
        arguments = _arguments(text)
        return _NO_OBJECT if arguments is None else (await caller.call(offered.name, arguments)).text

    # Strict mode would make every optional argument a required one.
    return package.FunctionTool(
        name=offered.name,
        description=offered.description,
        params_json_schema=dict(offered.input_schema),
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def _arguments(text: str) -> JsonObject | None:
    """The arguments, if the model's text is an object that means one thing only."""
    try:
        parsed = parse((text or "{}").encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        return None
    value: object = parsed.value
    return cast("JsonObject", value) if isinstance(value, Mapping) and not parsed.faults else None
