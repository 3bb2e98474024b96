"""Renderings: what a model receives of a tool definition, which is never quite what the server lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from fourfold.budget.typescript import comment, signature
from fourfold.errors import ConfigError
from fourfold.model.listed import ListedTool

__all__ = ["JSON_TOOLS", "RENDERINGS", "Rendered", "Rendering", "compact", "rendering_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """One tool as text, and the parts of it that are counted apart; a part that isn't sent is empty."""

    whole: str
    description: str
    input_schema: str
    output_schema: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How a client writes tools down for a model.

    Attributes:
        about: what is sent, and by whom.
        source: where that is published.
        frame: what stands around all tools; counted once.
    """

    name: str
    about: str
    source: str
    render: Callable[[ListedTool], Rendered]
    frame: str = ""


def compact(value: object) -> str:
    """`value` as JSON without spaces, as it travels."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _as_json_tools(tool: ListedTool) -> Rendered:
    definition = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    return Rendered(whole=compact(definition), description=tool.description, input_schema=compact(tool.input_schema))


def _as_typescript(tool: ListedTool) -> Rendered:
    description, declaration = comment(tool.description), signature(tool.name, tool.input_schema)
    return Rendered(whole=f"{description}{declaration}\n\n", description=description, input_schema=declaration)


def _as_listed(tool: ListedTool) -> Rendered:
    output = tool.definition.get("outputSchema")
    return Rendered(
        whole=compact(tool.definition),
        description=tool.description,
        input_schema=compact(tool.definition.get("inputSchema", {})),
        output_schema="" if output is None else compact(output),
    )


JSON_TOOLS = Rendering(
    name="json",
    about="name, description and input schema as JSON, as the Anthropic API takes them; what goes around is not public",
    source="https://platform.claude.com/docs/en/docs/tool-use-pricing-and-tokens",
    render=_as_json_tools,
)
_TYPESCRIPT = Rendering(
    name="typescript",
    about="a TypeScript namespace, as OpenAI's published prompt format has it",
    source="https://github.com/openai/harmony/blob/main/docs/format.md",
    frame="# Tools\n\n## functions\n\nnamespace functions {\n\n} // namespace functions",
    render=_as_typescript,
)
_LISTED = Rendering(
    name="list",
    about="every field that the server lists, for a client that hands the list on as it is",
    source="https://modelcontextprotocol.io/specification/2025-11-25/server/tools",
    render=_as_listed,
)

RENDERINGS = {rendering.name: rendering for rendering in (JSON_TOOLS, _TYPESCRIPT, _LISTED)}
"""By name; the first is the default."""


def rendering_named(name: str) -> Rendering:
    """The rendering of that name.

    Raises:
        ConfigError: there is none.
    """
    if name not in RENDERINGS:
        raise ConfigError(f"no rendering is called {name!r}; there are {', '.join(RENDERINGS)}")
    return RENDERINGS[name]
