"""Two runs of one suite: which cases were fixed and broken, and what that says about the change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fourfold.model.case import Case
from fourfold.selection.tally import Tally
from fourfold.stats.paired import Pairs, holm, mcnemar, newcombe, smallest_seen
from fourfold.stats.rates import Interval

__all__ = ["CHURN", "Comparison", "Gate", "SliceChange", "compare", "gate"]

CHURN = 0.02
"""The share of cases that is taken to be fixed by chance while others break, where the smallest change is said."""

_ALPHA = 0.05
_LEAST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceChange:
    """The change within a slice. `p` is adjusted for the number of slices (Holm)."""

    name: str
    pairs: Pairs
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What changed between two runs, over the cases that both have a verdict on.

    Attributes:
        fixed, broken: the ids of cases that most samples fail before and pass after, and the other way round.
        p: of the exact McNemar test, two-sided.
        difference: the rate after less the rate before, with Newcombe's interval at 95 %.
        slices: by class and label, those with ten cases or more.
        smallest: the smallest fall that this number of cases would have shown in four of five runs; `None` if none.
        left_out: cases that only one run has a verdict on.
    """

    pairs: Pairs
    fixed: tuple[str, ...]
    broken: tuple[str, ...]
    p: float
    difference: Interval
    slices: tuple[SliceChange, ...]
    smallest: float | None
    left_out: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether the fall is more than chance."""
        return self.p < _ALPHA and len(self.broken) > len(self.fixed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Whether a run may pass. `failures` keep it from passing, `warnings` don't; each is a sentence."""

    failures: tuple[str, ...]
    warnings: tuple[str, ...]


def compare(before: Tally, after: Tally) -> Comparison:
    """Compare two runs case by case, each case by what most of its samples say."""
    earlier, later = _passing(before), _passing(after)
    both = [case for case in after.cases if case.id in earlier and case.id in later]
    pairs = _pairs(both, earlier, later)
    return Comparison(
        pairs=pairs,
        fixed=tuple(case.id for case in both if later[case.id] and not earlier[case.id]),
        broken=tuple(case.id for case in both if earlier[case.id] and not later[case.id]),
        p=mcnemar(pairs.fixed, pairs.broken),
        difference=newcombe(pairs),
        slices=_slices(both, earlier, later),
        smallest=smallest_seen(pairs.trials, churn=CHURN),
        left_out=tuple(sorted({*earlier} ^ {*later})),
    )


def gate(after: Tally, comparison: Comparison | None) -> Gate:
    """Judge a run: a case that must pass and does not, or a fall that is more than chance, fails it."""
    musts = [case.id for case in after.failed() if case.must_pass]
    failures = [f"{case} must pass, and fails in most samples" for case in musts]
    # Never green without having looked.
    unknown = [case.id for case in after.cases if case.must_pass and not after.of_case[case.id]]
    failures += [f"{case} must pass, and no sample of it has a verdict" for case in unknown]
    warnings: list[str] = []
    if comparison is not None:
        said = f"{len(comparison.broken)} broken, {len(comparison.fixed)} fixed, p = {comparison.p:.2g}"
        if comparison.is_worse:
            failures.append(f"the rate fell by more than chance: {said}")
        elif comparison.broken:
            warnings.append(f"some cases were broken, and it may be chance: {said}")
    return Gate(failures=tuple(failures), warnings=tuple(warnings))


def _passing(tally: Tally) -> Mapping[str, bool]:
    """Of each case that has a verdict, whether it passes in at least half of its samples."""
    return {case.id: not tally.mostly_fails(case) for case in tally.cases if tally.of_case[case.id]}


def _slices(cases: Sequence[Case], earlier: Mapping[str, bool], later: Mapping[str, bool]) -> tuple[SliceChange, ...]:
    names = sorted({name for case in cases for name in _names(case)})
    found = [(name, [case for case in cases if name in _names(case)]) for name in names]
    kept = [(name, _pairs(members, earlier, later)) for name, members in found if len(members) >= _LEAST]
    adjusted = holm([mcnemar(pairs.fixed, pairs.broken) for _, pairs in kept])
    return tuple(SliceChange(name=name, pairs=pairs, p=p) for (name, pairs), p in zip(kept, adjusted, strict=True))


def _names(case: Case) -> set[str]:
    return {case.case_class, *case.labels, *filter(None, [case.task_type])}


def _pairs(cases: Sequence[Case], earlier: Mapping[str, bool], later: Mapping[str, bool]) -> Pairs:
    changes = [(earlier[case.id], later[case.id]) for case in cases]
    return Pairs(
        both=changes.count((True, True)),
        fixed=changes.count((False, True)),
        broken=changes.count((True, False)),
        neither=changes.count((False, False)),
    )
