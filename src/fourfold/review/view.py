"""`ToolView` and `CatalogView`: what rules look at, read once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fourfold.contracts.names import words
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.ports.embedder import Embedder
from fourfold.review.place import Place, places
from fourfold.review.profile import Profile, all_profiles
from fourfold.review.verbs import Action, action_of

__all__ = ["CatalogView", "ToolView"]

_EMBEDDED = 300
"""Characters of a description whose meaning is compared: what tells tools apart stands at its beginning."""


@dataclass(frozen=True)
class ToolView:
    """One tool with what is derived from it. `profiles` are the clients that count."""

    tool: ListedTool
    profiles: tuple[Profile, ...] = field(default_factory=all_profiles)

    @property
    def name(self) -> str:
        """Its name."""
        return self.tool.name

    @property
    def description(self) -> str:
        """Its description."""
        return self.tool.description

    @cached_property
    def inputs(self) -> tuple[Place, ...]:
        """Every place of its input schema, the root first."""
        return places(self.tool.definition.get("inputSchema"), at="/inputSchema")

    @cached_property
    def outputs(self) -> tuple[Place, ...]:
        """Every place of its output schema, the root first; none if it has none."""
        return places(self.tool.definition.get("outputSchema"), at="/outputSchema")

    @cached_property
    def arguments(self) -> tuple[Place, ...]:
        """The places of the input schema that are properties, at any depth."""
        return tuple(place for place in self.inputs if place.is_property)

    @cached_property
    def fields(self) -> tuple[Place, ...]:
        """The places of the output schema that are properties, at any depth."""
        return tuple(place for place in self.outputs if place.is_property)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, in lower case."""
        return words(self.name)

    @cached_property
    def named_action(self) -> Action | None:
        """What its name says that it does."""
        return action_of(self.name)

    def hint(self, name: str) -> bool | None:
        """An annotation such as `readOnlyHint`; `None` if it isn't there or is no boolean."""
        value: object = self.tool.annotations.get(name)
        return value if isinstance(value, bool) else None

    @cached_property
    def action(self) -> Action:
        """What it does: by its contract, else by its name, else by its annotations, else the worst that it may.

        The name comes before the annotations, because a wrong annotation is what some rules look for.
        """
        contract = self.tool.contract
        if contract is not None:
            hints = contract.effect.hints
            return "read" if hints.read_only else "destroy" if hints.destructive else "write"
        if self.named_action is not None:
            return self.named_action
        if self.hint("readOnlyHint"):
            return "read"
        return "write" if self.hint("destructiveHint") is False else "destroy"

    @cached_property
    def is_known_write(self) -> bool:
        """Whether something says that it writes: its contract, its name, or an annotation that is there."""
        says = self.named_action if self.named_action is not None else self.hint("readOnlyHint")
        return self.action != "read" and (self.tool.contract is not None or says is not None)


@dataclass(frozen=True)
class CatalogView:
    """All tools of a target. `profiles` are the clients that count; `embedder` compares meanings."""

    catalog: ListedCatalog
    profiles: tuple[Profile, ...] = field(default_factory=all_profiles)
    embedder: Embedder | None = None

    @cached_property
    def tools(self) -> tuple[ToolView, ...]:
        """Its tools, as listed."""
        return tuple(ToolView(tool, self.profiles) for tool in self.catalog.tools)

    @cached_property
    def vectors(self) -> tuple[Sequence[float], ...]:
        """What each tool means, by its name and the beginning of its description; empty without an embedder."""
        if self.embedder is None:
            return ()
        texts = [f"{' '.join(tool.words)}: {tool.description[:_EMBEDDED]}" for tool in self.tools]
        return tuple(self.embedder.embed(texts))
