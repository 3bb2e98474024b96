"""Tokens of a catalog, tool by tool, in one rendering and by one profile."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.budget.rendering import Rendering, compact
from fourfold.budget.tokens import Profile
from fourfold.model.listed import ListedCatalog, ListedTool

__all__ = ["CatalogTokens", "ToolTokens", "measure", "tokens_of_tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTokens:
    """Tokens of one tool.

    Attributes:
        total: what the rendering sends. Its parts add up to a little more or less: tokens cross their edges.
        output_schema: of the output schema as listed, whether or not the rendering sends it.
    """

    name: str
    total: int
    description: int
    input_schema: int
    output_schema: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTokens:
    """Tokens of all tools.

    Attributes:
        frame: of what stands around the tools.
        output_is_sent: whether the rendering sends output schemas.
    """

    target: str
    profile: str
    rendering: str
    tools: tuple[ToolTokens, ...]
    frame: int
    output_is_sent: bool

    @property
    def total(self) -> int:
        """Tokens of one request."""
        return self.frame + sum(tool.total for tool in self.tools)

    @property
    def mean(self) -> int:
        """Tokens of a tool on average, rounded up; 0 if there is none."""
        return -(-self.total // len(self.tools)) if self.tools else 0

    @property
    def description_percent(self) -> int:
        """Of the total, what the tools' own descriptions take."""
        return _percent(sum(tool.description for tool in self.tools), self.total)

    @property
    def input_percent(self) -> int:
        """Of the total, what the input schemas take."""
        return _percent(sum(tool.input_schema for tool in self.tools), self.total)

    @property
    def output_schemas(self) -> int:
        """Tokens of all output schemas as listed."""
        return sum(tool.output_schema for tool in self.tools)


def measure(catalog: ListedCatalog, *, profile: Profile, rendering: Rendering) -> CatalogTokens:
    """Count the tokens of every tool of `catalog`."""
    return CatalogTokens(
        target=catalog.target,
        profile=profile.name,
        rendering=rendering.name,
        tools=tuple(tokens_of_tool(tool, profile=profile, rendering=rendering) for tool in catalog.tools),
        frame=profile.count(rendering.frame),
        output_is_sent=rendering.name == "list",
    )


def tokens_of_tool(tool: ListedTool, *, profile: Profile, rendering: Rendering) -> ToolTokens:
    """Count the tokens of one tool."""
    rendered = rendering.render(tool)
    output = tool.definition.get("outputSchema")
    return ToolTokens(
        name=tool.name,
        total=profile.count(rendered.whole),
        description=profile.count(rendered.description),
        input_schema=profile.count(rendered.input_schema),
        output_schema=0 if output is None else profile.count(compact(output)),
    )


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0
