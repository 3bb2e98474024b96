"""Results one after the other: a rate that is looked at every week, and an alarm that a year of looks does not set off.

Cases are counted, by what most of their samples say. They stay the same and have rates of their own; their sum strays
less than trials of one rate would (Hoeffding 1956), so that the intervals of `stats.watching` hold for them, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fourfold.model.selected import KeptResult
from fourfold.selection.comparable import Difference, differences
from fourfold.stats.rates import Interval
from fourfold.stats.watching import Turn, Watch

__all__ = ["Look", "by_suite", "history"]

_ANEW = frozenset({"suite", "scorer", "rule"})
"""What makes other figures of the same answers, so that watching begins anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One result in its history.

    Attributes:
        interval: of the rate since watching began, at all looks together.
        turn: whether the result is out of what the earlier ones leave open.
        changes: in which things it differs from the result before; watching has begun anew if `is_first`.
    """

    result: KeptResult
    interval: Interval
    turn: Turn
    changes: tuple[Difference, ...]
    is_first: bool


def history(results: Iterable[KeptResult]) -> Iterator[Look]:
    """The results as they are looked at, oldest first."""
    watch, before = Watch(), None
    # ISO 8601 in UTC sorts as text.
    for result in sorted(results, key=lambda each: each.at):
        changes = () if before is None else differences(before, result)
        is_first = before is None or any(each.kind in _ANEW for each in changes)
        if is_first:
            watch = Watch()
        interval, turn = watch.look(result.cases_right, result.cases)
        yield Look(
            result=result,
            interval=interval,
            turn=turn,
            changes=changes,
            is_first=is_first,
        )
        before = result


def by_suite(results: Iterable[KeptResult]) -> Sequence[Sequence[KeptResult]]:
    """Results that are watched together: those of one suite as it stands, by one rule; the newest of them last.

    A store has the results of several suites, which take turns there; no file has.
    """
    found: dict[tuple[str, str], list[KeptResult]] = defaultdict(list)
    for result in sorted(results, key=lambda each: each.at):
        found[result.facts.suite, result.rule].append(result)
    return sorted(found.values(), key=lambda each: each[-1].at)
