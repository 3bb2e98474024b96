"""Tool by client: what each accepts, makes less of or refuses, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from fourfold.model.listed import ListedCatalog
from fourfold.model.portability import BlastRadius, Cell, ClientFacts, Matrix, MatrixRow, Outcome
from fourfold.review.fit import CatalogFit, Clash, Misfit, ToolFit
from fourfold.review.profile import Demand, Profile, all_profiles
from fourfold.review.registry import all_rules
from fourfold.review.rule import CatalogRule, Rule, ToolRule
from fourfold.review.view import CatalogView, ToolView

__all__ = ["portability"]

_REASONS = 3
_OUTCOMES: tuple[Outcome, ...] = ("accepted", "degraded", "refused")
_RADII: tuple[BlastRadius, ...] = ("tool", "server", "request")

_Hurt = tuple[str, Clash, Misfit]
"""The id of a rule, and what it found."""


def portability(catalog: ListedCatalog, profiles: Iterable[Profile] | None = None) -> Matrix:
    """Every tool of `catalog` in every client. `profiles` are `review.profile.chosen`; without them, all."""
    clients = all_profiles() if profiles is None else tuple(profiles)
    view = CatalogView(catalog, clients)
    whole = {profile.name: [*_of_catalog(view, profile)] for profile in clients}
    return Matrix(
        target=catalog.target,
        clients=tuple(map(_facts, clients)),
        rows=tuple(_row(tool, clients, whole) for tool in view.tools),
        whole=MatrixRow(
            tool="",
            cells=tuple(_cell(name, [hurt for hurt in hurts if not hurt[2].tool]) for name, hurts in whole.items()),
        ),
    )


def _row(tool: ToolView, clients: Sequence[Profile], whole: dict[str, list[_Hurt]]) -> MatrixRow:
    return MatrixRow(
        tool=tool.name,
        cells=tuple(
            _cell(
                profile.name,
                [*_of_tool(tool, profile), *(hurt for hurt in whole[profile.name] if hurt[2].tool == tool.name)],
            )
            for profile in clients
        ),
    )


def _of_tool(tool: ToolView, profile: Profile) -> Iterator[_Hurt]:
    for demand in profile.counting:
        rule = _rules().get(demand.rule)
        if isinstance(rule, ToolRule):
            for misfit in _misfits(rule, tool, profile, demand=demand):
                yield rule.id, Clash(profile, demand), misfit


def _of_catalog(view: CatalogView, profile: Profile) -> Iterator[_Hurt]:
    for demand in profile.counting:
        rule = _rules().get(demand.rule)
        if isinstance(rule, CatalogRule) and isinstance(rule.check, CatalogFit):
            for misfit in rule.check.find(view, profile, demand):
                yield rule.id, Clash(profile, demand), misfit


@cache
def _rules() -> dict[str, Rule]:
    return {rule.symbol: rule for rule in all_rules()}


def _misfits(rule: ToolRule, tool: ToolView, profile: Profile, *, demand: Demand) -> Iterator[Misfit]:
    """What breaks a demand; where another family checks it, whatever its rule finds."""
    if isinstance(rule.check, ToolFit):
        yield from rule.check.find(tool, profile, demand)
    else:
        for hit in rule.check(tool):
            yield Misfit(pointer=hit.pointer, what=hit.message, fix=hit.fix)


def _cell(client: str, hurts: list[_Hurt]) -> Cell:
    if not hurts:
        return Cell(client=client, outcome="accepted")
    hurts = sorted(hurts, key=lambda hurt: _badness(hurt[1]), reverse=True)
    outcome, radius = _badness(hurts[0][1])
    first: dict[str, str] = {}
    for rule, _, misfit in hurts:
        first.setdefault(rule, f"{rule} {misfit.pointer}: {misfit.what}")
    return Cell(
        client=client,
        outcome=_OUTCOMES[outcome],
        blast_radius=_RADII[radius],
        reasons=tuple(first.values())[:_REASONS],
    )


def _badness(clash: Clash) -> tuple[int, int]:
    return _OUTCOMES.index(clash.demand.outcome), _RADII.index(clash.demand.blast_radius)


def _facts(profile: Profile) -> ClientFacts:
    return ClientFacts(name=profile.name, title=profile.title, as_of=profile.as_of, sources=profile.sources)
