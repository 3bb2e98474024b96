"""Tools of the conformance fixture that answer in one round. Names and texts are the suite's, not ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged

from tests.conformance.fixture_content import PIXEL
from tests.conformance.fixture_rounds import ROUNDS, ask, sampling, say

Context = ServerRequestContext[Any, Any]
Result = types.CallToolResult | types.InputRequiredResult

SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
"""A WAV file without a sample."""

BUS = InMemorySubscriptionBus()
"""Where the change notifications go that `subscriptions/listen` streams carry."""

_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


async def _image(_context: Context) -> Result:
    return types.CallToolResult(content=[types.ImageContent(data=PIXEL, mime_type="image/png")])


async def _audio(_context: Context) -> Result:
    return types.CallToolResult(content=[types.AudioContent(data=SILENCE, mime_type="audio/wav")])


async def _embedded(_context: Context) -> Result:
    text = types.TextResourceContents(
        uri="test://embedded-resource", mime_type="text/plain", text="This is an embedded resource content."
    )
    return types.CallToolResult(content=[types.EmbeddedResource(resource=text)])


async def _multiple(_context: Context) -> Result:
    text = types.TextResourceContents(
        uri="test://mixed-content-resource", mime_type="application/json", text='{"test":"data","value":123}'
    )
    return types.CallToolResult(
        content=[
            types.TextContent(text="Multiple content types test:"),
            types.ImageContent(data=PIXEL, mime_type="image/png"),
            types.EmbeddedResource(resource=text),
        ]
    )


async def _error(_context: Context) -> Result:
    text = types.TextContent(text="This tool intentionally returns an error for testing")
    return types.CallToolResult(content=[text], is_error=True)


async def _logging(context: Context) -> Result:
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        # The deprecated method of the SDK warns; the notification is what the suite waits for.
        params = types.LoggingMessageNotificationParams(level="info", data=text)
        await context.session.send_notification(types.LoggingMessageNotification(params=params), context.request_id)
    return say("Logged three times.")


async def _quiet(_context: Context) -> Result:
    return say("Nothing is logged unless a request asks for it.")


async def _progress(context: Context) -> Result:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
    return say("Progressed to 100.")


async def _streaming(context: Context) -> Result:
    await context.session.report_progress(1, 2)
    return ask("user_name", "What is your name?", "name")


async def _tools_changed(_context: Context) -> Result:
    await BUS.publish(ToolsListChanged())
    return say("Changed.")


async def _prompts_changed(_context: Context) -> Result:
    await BUS.publish(PromptsListChanged())
    return say("Changed.")


async def _sampling(context: Context) -> Result:
    # Raises where no request can be sent to the client, as on the stateless legacy leg.
    found = await context.session.send_request(sampling("Hello", 100), types.CreateMessageResult)
    return say(f"LLM response: {found.content}")


async def _simple(_context: Context) -> Result:
    return say("This is a simple text response for testing.")


_TOOLS: Mapping[str, Callable[[Context], Awaitable[Result]]] = {
    "test_simple_text": _simple,
    "test_image_content": _image,
    "test_audio_content": _audio,
    "test_embedded_resource": _embedded,
    "test_multiple_content_types": _multiple,
    "test_error_handling": _error,
    "test_tool_with_logging": _logging,
    "test_tool_with_progress": _progress,
    "test_logging_tool": _quiet,
    "test_streaming_elicitation": _streaming,
    "test_trigger_tool_change": _tools_changed,
    "test_trigger_prompt_change": _prompts_changed,
    "test_sampling": _sampling,
    "json_schema_2020_12_tool": _simple,
    "header_tool": _simple,
}

_NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
SCHEMAS: Mapping[str, dict[str, Any]] = {
    **dict.fromkeys((*_TOOLS, *ROUNDS), _NOTHING),
    "json_schema_2020_12_tool": _2020_12,
    "header_tool": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "additionalProperties": False,
    },
    "test_sampling": {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]},
}
"""The input schema of each tool."""


async def list_tools(_context: Context, _params: Any) -> types.ListToolsResult:
    """All of them, in one order."""
    tools = [types.Tool(name=name, description="Fixture.", input_schema=schema) for name, schema in SCHEMAS.items()]
    return types.ListToolsResult(tools=tools, ttl_ms=60_000, cache_scope="public")


async def call_tool(context: Context, params: types.CallToolRequestParams) -> Result:
    """One tool."""
    if params.name in ROUNDS:
        return ROUNDS[params.name](context, params)
    if params.name not in _TOOLS:
        raise MCPError(types.INVALID_PARAMS, "Unknown tool")
    return await _TOOLS[params.name](context)
