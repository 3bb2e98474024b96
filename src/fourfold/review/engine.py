"""Runs the rules over a catalog and collects what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from fourfold.budget.measure import measure
from fourfold.budget.rendering import rendering_named
from fourfold.budget.tokens import ESTIMATE
from fourfold.model.finding import Finding, Reviewed, WaivedFinding
from fourfold.model.listed import ListedCatalog, ToolAnswer
from fourfold.ports.embedder import Embedder
from fourfold.review.migration import migration_order
from fourfold.review.portability import portability
from fourfold.review.profile import chosen
from fourfold.review.registry import all_rules
from fourfold.review.rule import AnswerRule, CatalogRule, Hit, Rule, ToolRule
from fourfold.review.settings import ReviewSettings, RuleWaiver
from fourfold.review.view import CatalogView, ToolView

__all__ = ["review", "review_answer"]

_EVERYTHING = ReviewSettings()
_RENDERING = rendering_named("json")


def review(
    catalog: ListedCatalog,
    *,
    today: date,
    settings: ReviewSettings = _EVERYTHING,
    more: Iterable[Finding] = (),
    embedder: Embedder | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Reviewed:
    """Review `catalog`. The same catalog, settings and day give the same result.

    Args:
        catalog: what the target lists.
        today: decides which waivers still count.
        settings: which rules look, and what is set aside.
        more: findings from elsewhere, such as `review_answer` of a live server.
        embedder: compares what tools mean; without one only their words are compared.
        progress: called with each tool's name before it is looked at.
    """
    clients = chosen(settings.clients)
    view = CatalogView(catalog, clients, embedder)
    rules = [rule for rule in all_rules() if settings.looks_for(rule)]
    found = [*_of_tools(view, rules, progress), *_of_catalog(view, rules), *more]
    found.sort(key=_order(view))
    left, waived, used = _set_aside(found, settings.waivers, today)
    kept = _together(left, frozenset(rule.id for rule in rules if rule.together))
    return Reviewed(
        target=catalog.target,
        tools=tuple(tool.name for tool in view.tools),
        rules=tuple(rule.facts for rule in rules),
        findings=kept,
        tokens=tuple(tool.total for tool in measure(catalog, profile=ESTIMATE, rendering=_RENDERING).tools),
        matrix=portability(catalog, clients),
        order=migration_order(view, kept),
        waived=tuple(waived),
        unused_waivers=tuple(_unused(settings.waivers, used, today)),
    )


def review_answer(tool: ToolView, answer: ToolAnswer, *, settings: ReviewSettings = _EVERYTHING) -> Iterator[Finding]:
    """What the rules about answers find in one."""
    for rule in all_rules():
        if isinstance(rule, AnswerRule) and settings.looks_for(rule):
            for hit in rule.check(tool, answer):
                yield _finding(rule, hit, tool=tool.name)


def _of_tools(view: CatalogView, rules: Sequence[Rule], progress: Callable[[str], None]) -> Iterator[Finding]:
    of_a_tool = [rule for rule in rules if isinstance(rule, ToolRule)]
    for tool in view.tools:
        progress(tool.name)
        for rule in of_a_tool:
            for hit in rule.check(tool):
                yield _finding(rule, hit, tool=tool.name)


def _of_catalog(view: CatalogView, rules: Sequence[Rule]) -> Iterator[Finding]:
    for rule in rules:
        if isinstance(rule, CatalogRule):
            for hit in rule.check(view):
                yield _finding(rule, hit, tool=hit.tool)


def _finding(rule: Rule, hit: Hit, *, tool: str) -> Finding:
    return Finding(
        id=rule.id,
        symbol=rule.symbol,
        severity=hit.severity or rule.severity,
        tool=tool,
        pointer=hit.pointer,
        message=hit.message,
        fix=hit.fix,
        evidence=hit.evidence or rule.evidence,
        pair=hit.pair,
    )


def _order(view: CatalogView) -> Callable[[Finding], tuple[int, str, str, str]]:
    """The sort key of findings: the catalog as a whole, then its tools as listed."""
    # The first of two tools of one name gives the place of both.
    index = {tool.name: number for number, tool in reversed([*enumerate(view.tools)])}

    def key(finding: Finding) -> tuple[int, str, str, str]:
        place = index.get(finding.tool, -1) if finding.tool else -1
        return place, finding.pointer, finding.id, finding.pair or ""

    return key


def _together(found: Sequence[Finding], rules: frozenset[str]) -> tuple[Finding, ...]:
    """`found`, with one finding for all that a rule of `rules` says in the same words of the same place."""
    alike: dict[object, list[Finding]] = {}
    for number, finding in enumerate(found):
        same = (finding.id, finding.pointer, finding.message) if finding.id in rules else number
        alike.setdefault(same, []).append(finding)
    return tuple(_told_once(findings) for findings in alike.values())


def _told_once(findings: Sequence[Finding]) -> Finding:
    first, also = findings[0], tuple(finding.tool for finding in findings[1:])
    if not also:
        return first
    others = "another tool" if len(also) == 1 else f"{len(also)} other tools"
    return replace(first, message=f"{first.message}; the same in {others}", also=also)


def _set_aside(
    found: Sequence[Finding], waivers: Sequence[RuleWaiver], today: date
) -> tuple[list[Finding], list[WaivedFinding], set[RuleWaiver]]:
    kept: list[Finding] = []
    waived: list[WaivedFinding] = []
    used: set[RuleWaiver] = set()
    standing = [waiver for waiver in waivers if not waiver.is_over(today)]
    for finding in found:
        waiver = next((waiver for waiver in standing if waiver.covers(finding)), None)
        if waiver is None:
            kept.append(finding)
        else:
            used.add(waiver)
            waived.append(WaivedFinding(finding=finding, reason=waiver.reason))
    return kept, waived, used


def _unused(waivers: Sequence[RuleWaiver], used: set[RuleWaiver], today: date) -> Iterator[str]:
    for waiver in waivers:
        if waiver.is_over(today):
            yield f"the waiver of {waiver} ended on {waiver.until}: {waiver.reason}"
        elif waiver not in used:
            yield f"the waiver of {waiver} sets nothing aside: {waiver.reason}"
