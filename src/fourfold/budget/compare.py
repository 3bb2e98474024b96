"""What a change of a catalog adds, in tokens."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.budget.measure import CatalogTokens

__all__ = ["TokenChange", "ToolTokenChange", "compare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTokenChange:
    """A tool whose tokens differ; `None` where it isn't listed."""

    name: str
    before: int | None
    after: int | None

    @property
    def added(self) -> int:
        """Tokens that it adds; negative if it saves some."""
        return (self.after or 0) - (self.before or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChange:
    """The difference of two catalogs; tools that cost the same are left out, the largest difference stands first."""

    before: int
    after: int
    tools: tuple[ToolTokenChange, ...]

    @property
    def added(self) -> int:
        """Tokens that a request has more than before."""
        return self.after - self.before


def compare(before: CatalogTokens, after: CatalogTokens) -> TokenChange:
    """What `after` costs more than `before`, tool by tool."""
    old = {tool.name: tool.total for tool in before.tools}
    new = {tool.name: tool.total for tool in after.tools}
    changes = [
        ToolTokenChange(name=name, before=old.get(name), after=new.get(name))
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
    changes.sort(key=lambda change: (-abs(change.added), change.name))
    return TokenChange(before=before.total, after=after.total, tools=tuple(changes))
