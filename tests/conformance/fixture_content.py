"""Resources, prompts and completion of the conformance fixture. Names and texts are the suite's, not ours."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from tests.conformance.fixture_rounds import ask

Context = ServerRequestContext[Any, Any]

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
"""A PNG of one pixel."""

_TEMPLATE = "test://template/"


async def list_resources(_context: Context, _params: Any) -> types.ListResourcesResult:
    """The direct resources."""
    kinds = {
        "test://static-text": "text/plain",
        "test://static-binary": "image/png",
        "test://watched-resource": "text/plain",
    }
    found = [types.Resource(uri=uri, name=uri, description="Fixture.", mime_type=kind) for uri, kind in kinds.items()]
    return types.ListResourcesResult(resources=found, ttl_ms=60_000, cache_scope="public")


async def list_templates(_context: Context, _params: Any) -> types.ListResourceTemplatesResult:
    """The one template."""
    template = types.ResourceTemplate(uri_template=_TEMPLATE + "{id}/data", name="template", description="Fixture.")
    return types.ListResourceTemplatesResult(resource_templates=[template], ttl_ms=60_000, cache_scope="public")


async def read_resource(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """One resource, or the error that the specification wants for an unknown one."""
    uri = params.uri
    if uri == "test://static-binary":
        return _read(types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL))
    if uri == "test://static-text":
        text = "This is the content of the static text resource."
        return _read(types.TextResourceContents(uri=uri, mime_type="text/plain", text=text))
    if uri == "test://watched-resource":
        return _read(types.TextResourceContents(uri=uri, mime_type="text/plain", text="Watched."))
    if uri.startswith(_TEMPLATE) and uri.endswith("/data"):
        number = uri.removeprefix(_TEMPLATE).removesuffix("/data")
        text = f'{{"id":"{number}","templateTest":true,"data":"Data for ID: {number}"}}'
        return _read(types.TextResourceContents(uri=uri, mime_type="application/json", text=text))
    raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})


def _read(contents: types.TextResourceContents | types.BlobResourceContents) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[contents], ttl_ms=60_000, cache_scope="public")


async def empty(_context: Context, _params: Any) -> types.EmptyResult:
    """The answer to a subscription, a log level, and whatever else is only acknowledged."""
    return types.EmptyResult()


async def list_prompts(_context: Context, _params: Any) -> types.ListPromptsResult:
    """The prompts and their arguments."""
    arguments = {
        "test_simple_prompt": [],
        "test_prompt_with_arguments": ["arg1", "arg2"],
        "test_prompt_with_embedded_resource": ["resourceUri"],
        "test_prompt_with_image": [],
        "test_input_required_result_prompt": [],
    }
    prompts = [
        types.Prompt(
            name=name,
            description="Fixture.",
            arguments=[types.PromptArgument(name=each, description="Fixture.", required=True) for each in names],
        )
        for name, names in arguments.items()
    ]
    return types.ListPromptsResult(prompts=prompts, ttl_ms=60_000, cache_scope="public")


async def get_prompt(
    _context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    """One prompt; one of them asks first."""
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _said("This is a simple prompt for testing.")
        case "test_prompt_with_arguments":
            return _said(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        case "test_prompt_with_embedded_resource":
            text = types.TextResourceContents(
                uri=given.get("resourceUri", ""), mime_type="text/plain", text="Embedded resource content for testing."
            )
            return _said("Please process the embedded resource above.", types.EmbeddedResource(resource=text))
        case "test_prompt_with_image":
            return _said("Please analyze the image above.", types.ImageContent(data=PIXEL, mime_type="image/png"))
        case "test_input_required_result_prompt":
            if "user_context" not in (params.input_responses or {}):
                return ask("user_context", "What context should the prompt use?", "context")
            return _said("The prompt has its context.")
        case _:
            raise MCPError(types.INVALID_PARAMS, "Unknown prompt")


def _said(text: str, *before: types.ContentBlock) -> types.GetPromptResult:
    blocks = [*before, types.TextContent(text=text)]
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in blocks])


async def complete(_context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    """Words that begin as the argument does."""
    words = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=words, total=len(words), has_more=False))
