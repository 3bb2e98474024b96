"""Did the edit of a contract help? What a suite says of a tool's versions, beside what their callers met.

Pure: counts come from the sums, scores from kept results. Tells no cause: a version that came with another model, or
in another season, differs in that, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from fourfold.model.selected import KeptResult, ToolScore
from fourfold.ports.tallies import OperationSum
from fourfold.stats.independent import Rate, newcombe_independent
from fourfold.stats.rates import Interval

__all__ = ["MEASURES", "Measure", "Moved", "ToolReport", "VersionChange", "VersionFigures", "report"]

Measure = Literal["selection", "retry_rate", "invalid_arguments"]
MEASURES: Mapping[Measure, str] = {
    "selection": "selection",
    "retry_rate": "retry rate",
    "invalid_arguments": "invalid arguments",
}
"""What is compared, and how a report calls it. A higher rate is better of the first, and worse of the others."""

_INVALID = "invalid_arguments"
_ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFigures:
    """What is known of one version of a tool.

    Attributes:
        selection: cases of the newest result that knows this version, and how many most samples pass; `None` without.
        result: that result.
        retry_rate: operations that took more than one attempt, of all.
        invalid_arguments: operations whose first attempt had invalid arguments, of all.
    """

    version: str
    selection: Rate | None
    result: KeptResult | None
    retry_rate: Rate
    invalid_arguments: Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How one measure differs between two versions; `missing` says why nobody can tell, and the rest is empty then.

    `interval` is of the difference, after less before; all intervals of a report hold together at 95 % (Bonferroni).
    """

    measure: Measure
    before: Rate | None = None
    after: Rate | None = None
    interval: Interval | None = None
    missing: str = ""

    @property
    def difference(self) -> float | None:
        """After less before; `None` if one is missing."""
        return None if self.before is None or self.after is None else self.after.share - self.before.share

    @property
    def could_be_chance(self) -> bool | None:
        """Whether no difference at all is among what the counts leave open; `None` if nobody can tell."""
        return None if self.interval is None else self.interval.low <= 0 <= self.interval.high

    @property
    def is_better(self) -> bool | None:
        """Whether it is better by more than chance, or worse (`False`); `None` if nobody can tell."""
        if self.interval is None or self.could_be_chance:
            return None
        return (self.interval.low > 0) == (self.measure == "selection")


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionChange:
    """A version and the next one that is known, and what moved between them."""

    before: str
    after: str
    moved: tuple[Moved, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReport:
    """One tool: its versions in their order, and what changed from each to the next."""

    tool: str
    versions: tuple[VersionFigures, ...]
    changes: tuple[VersionChange, ...]


@dataclass(frozen=True, slots=True)
class _Scored:
    """What one result says of one tool."""

    result: KeptResult
    score: ToolScore


def report(sums: Iterable[OperationSum], results: Sequence[KeptResult]) -> tuple[tuple[ToolReport, ...], float]:
    """The tools in the order of their names, and the confidence of each interval.

    Args:
        sums: operations by tool, version and code, in this order.
        results: oldest first.
    """
    counted, scored = _counted(sums), _scored(results)
    tools = sorted({tool for tool, _ in (*counted, *scored)})
    found = [_tool(tool, counted, scored) for tool in tools]
    compared = sum(not moved.missing for each in found for change in each.changes for moved in change.moved)
    confidence = 1 - _ALPHA / max(1, compared)
    return tuple(_judged(each, confidence) for each in found), confidence


def _counted(sums: Iterable[OperationSum]) -> dict[tuple[str, str], list[OperationSum]]:
    found: dict[tuple[str, str], list[OperationSum]] = {}
    for each in sums:
        tool, version, _ = each.key
        found.setdefault((str(tool), str(version)), []).append(each)
    return found


def _scored(results: Iterable[KeptResult]) -> dict[tuple[str, str], list[_Scored]]:
    """By tool and version, newest last. Results that don't know the version say nothing about one."""
    found: dict[tuple[str, str], list[_Scored]] = {}
    for result in results:
        for score in result.tools:
            if score.version and score.cases:
                found.setdefault((score.tool, score.version), []).append(_Scored(result, score))
    return found


def _tool(
    tool: str,
    counted: Mapping[tuple[str, str], Sequence[OperationSum]],
    scored: Mapping[tuple[str, str], Sequence[_Scored]],
) -> ToolReport:
    names = sorted({version for name, version in (*counted, *scored) if name == tool}, key=_order)
    versions = tuple(_figures(name, counted.get((tool, name), ()), scored.get((tool, name), ())) for name in names)
    changes = tuple(
        VersionChange(
            before=before.version,
            after=after.version,
            moved=(
                _selection(scored.get((tool, before.version), ()), scored.get((tool, after.version), ())),
                _operations("retry_rate", before.retry_rate, after.retry_rate),
                _operations("invalid_arguments", before.invalid_arguments, after.invalid_arguments),
            ),
        )
        for before, after in pairwise(versions)
    )
    return ToolReport(tool=tool, versions=versions, changes=changes)


def _order(version: str) -> tuple[tuple[int, str], ...]:
    """1.10 comes after 1.9."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def _figures(version: str, sums: Sequence[OperationSum], scored: Sequence[_Scored]) -> VersionFigures:
    operations = sum(each.operations for each in sums)
    invalid = sum(each.operations for each in sums if each.key[2] == _INVALID)
    newest = scored[-1] if scored else None
    return VersionFigures(
        version=version,
        selection=None if newest is None else _rate_of(newest),
        result=None if newest is None else newest.result,
        retry_rate=Rate(successes=sum(each.retried for each in sums), trials=operations),
        invalid_arguments=Rate(successes=invalid, trials=operations),
    )


def _rate_of(scored: _Scored) -> Rate:
    return Rate(successes=scored.score.cases_right, trials=scored.score.cases)


def _selection(before: Sequence[_Scored], after: Sequence[_Scored]) -> Moved:
    """The newest two results that differ in nothing but the tools."""
    if not before or not after:
        return Moved(measure="selection", missing="the store has no result of one of the versions")
    known = {_terms(each.result): each for each in before}
    found = next(((known[key], each) for each in reversed(after) if (key := _terms(each.result)) in known), None)
    if found is None:
        missing = "no two results have the same suite, model, prompt and rule, and differ in the tools alone"
        return Moved(measure="selection", missing=missing)
    return Moved(measure="selection", before=_rate_of(found[0]), after=_rate_of(found[1]))


def _terms(result: KeptResult) -> tuple[object, ...]:
    """Everything that a result depends on, but for the tools."""
    facts = result.facts
    asked = (facts.suite, facts.samples, facts.chooser, facts.system, facts.temperature, facts.max_tokens, facts.scorer)
    return (*asked, result.rule, result.models)


def _operations(measure: Measure, before: Rate, after: Rate) -> Moved:
    if not before.trials or not after.trials:
        which = "either version" if not before.trials and not after.trials else "one of the versions"
        return Moved(measure=measure, missing=f"no operations of {which} in this time")
    return Moved(measure=measure, before=before, after=after)


def _judged(found: ToolReport, confidence: float) -> ToolReport:
    changes = tuple(
        replace(change, moved=tuple(_with_interval(moved, confidence) for moved in change.moved))
        for change in found.changes
    )
    return replace(found, changes=changes)


def _with_interval(moved: Moved, confidence: float) -> Moved:
    if moved.before is None or moved.after is None:
        return moved
    return replace(moved, interval=newcombe_independent(moved.after, moved.before, confidence=confidence))
