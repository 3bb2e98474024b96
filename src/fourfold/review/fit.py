"""How rules of family FF6 ask the client profiles: one check of one demand, for every profile that makes it.

A rule writes only what breaks a demand (`Misfit`). Which clients that hurts, how far, and how bad it is, comes from the
profiles of the view and is put together here, so that one place gives one finding however many clients mind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fourfold.model.finding import SEVERITIES
from fourfold.review.place import Place
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Hit
from fourfold.review.view import CatalogView, ToolView

__all__ = ["CatalogFit", "Clash", "Fit", "Misfit", "ToolFit", "called", "places_of", "schemas_of", "top_level"]

ViewT = TypeVar("ViewT", ToolView, CatalogView)

_LOSSES = {"request": "refuses the whole request", "server": "loses the whole server", "tool": "loses the tool"}
_RANKS = {severity: rank for rank, severity in enumerate(SEVERITIES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """What breaks a demand: where, what it is, and what to do about it.

    Attributes:
        tool: for a rule about a catalog.
        depends: whether it happens only as some users set the client up, so that it is a warning at most.
    """

    pointer: str
    what: str
    fix: str
    tool: str = ""
    depends: bool = False


@dataclass(frozen=True, slots=True)
class Clash:
    """A client, and its demand that is broken."""

    profile: Profile
    demand: Demand

    @property
    def effect(self) -> str:
        """What happens there, in a few words."""
        if self.demand.outcome == "degraded":
            return "degraded"
        return _LOSSES[self.demand.blast_radius]


@dataclass(frozen=True, slots=True)
class Fit(Generic[ViewT]):
    """The check of a rule about portability.

    Attributes:
        rule: the rule's symbol, by which profiles name their demands.
        find: what of a tool, or of a catalog, breaks one demand of a client.
    """

    rule: str
    find: Callable[[ViewT, Profile, Demand], Iterator[Misfit]]

    def __call__(self, view: ViewT) -> Iterator[Hit]:
        """One hit for each misfit, with every client that it hurts."""
        found: dict[Misfit, list[Clash]] = {}
        for profile in view.profiles:
            for clash, misfit in self.clashes(view, profile):
                found.setdefault(misfit, []).append(clash)
        for misfit, clashes in _merged(found).items():
            yield _hit(misfit, clashes)

    def clashes(self, view: ViewT, profile: Profile) -> Iterator[tuple[Clash, Misfit]]:
        """What hurts in one client."""
        for demand in profile.of_rule(self.rule):
            for misfit in self.find(view, profile, demand):
                yield Clash(profile, demand), misfit


class ToolFit(Fit[ToolView]):
    """`Fit` of one tool."""

    __slots__ = ()


class CatalogFit(Fit[CatalogView]):
    """`Fit` of all tools together."""

    __slots__ = ()


def schemas_of(tool: ToolView, demand: Demand) -> Iterator[tuple[Place, ...]]:
    """The places of each schema that `demand` is about."""
    if "input" in demand.schemas:
        yield tool.inputs
    if "output" in demand.schemas:
        yield tool.outputs


def places_of(tool: ToolView, demand: Demand) -> Iterator[Place]:
    """Every place of the schemas that `demand` is about."""
    for places in schemas_of(tool, demand):
        yield from places


def called(place: Place) -> str:
    """What a message calls a value: by the property that it belongs to, or that it is an item of."""
    name = place.name or "the schema"
    return f"an item of {name}" if place.name and "items" in _below_property(place) else name


def _below_property(place: Place) -> list[str]:
    steps = place.pointer.split("/")
    last = max((index for index, step in enumerate(steps[:-1]) if step == "properties"), default=len(steps))
    return steps[last + 2 :]


def top_level(tool: ToolView) -> Iterator[Place]:
    """The arguments at the top of the input schema."""
    for place in tool.arguments:
        if place.pointer.startswith("/inputSchema/properties/") and len(place.parents) == 1:
            yield place


@dataclass(slots=True)
class _Together:
    """Misfits at one place of one tool that differ only in their words."""

    misfit: Misfit
    clashes: list[Clash] = field(default_factory=list[Clash])


def _merged(found: dict[Misfit, list[Clash]]) -> dict[Misfit, list[Clash]]:
    """One entry for each place; of several wordings, the one with the worst outcome."""
    places: dict[tuple[str, str], _Together] = {}
    for misfit, clashes in sorted(found.items(), key=lambda entry: _rank(entry[1])):
        together = places.setdefault((misfit.tool, misfit.pointer), _Together(misfit))
        together.clashes.extend(clashes)
    return {together.misfit: together.clashes for together in places.values()}


def _rank(clashes: Iterable[Clash]) -> int:
    return min(_RANKS[clash.profile.severity(clash.demand)] for clash in clashes)


def _hit(misfit: Misfit, clashes: list[Clash]) -> Hit:
    effects: dict[str, list[str]] = {}
    for clash in clashes:
        effects.setdefault(clash.effect, []).append(clash.profile.name)
    told = "; ".join(f"{', '.join(names)}: {effect}" for effect, names in effects.items())
    worst = min(clashes, key=lambda clash: _rank([clash]))
    severity = worst.profile.severity(worst.demand)
    return Hit(
        pointer=misfit.pointer,
        tool=misfit.tool,
        message=f"{misfit.what} ({told})",
        fix=misfit.fix,
        evidence=f"{worst.profile.title} as of {worst.profile.as_of}: {worst.demand.note}; {worst.demand.sources[0]}",
        severity="warning" if misfit.depends and severity == "error" else severity,
    )
