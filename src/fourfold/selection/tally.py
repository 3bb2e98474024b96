"""What a run of a suite shows: rates with intervals by class, tool and slice, and which tool was taken for which."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fourfold.model.case import Case
from fourfold.model.scored import SampleVerdict
from fourfold.stats.rates import Interval, wilson
from fourfold.stats.repeated import flip_rate, pass_hat_k, resampled

__all__ = ["LEAST", "NO_TOOL", "Rate", "Repeats", "Tally", "of_samples"]

NO_TOOL = "(none)"
"""Stands in the confusion map where no tool was wanted, or none was called."""

_SEED = 1
LEAST = 10
"""Cases of a slice from which its rate says anything; below it is printed without an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many of a slice's samples are right. `interval` is Wilson's at 95 %, over cases if there are repeats."""

    name: str
    passed: int
    counted: int
    interval: Interval | None

    @property
    def share(self) -> float | None:
        """The rate; `None` if nothing counted."""
        return self.passed / self.counted if self.counted else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What several samples of each case show.

    Attributes:
        samples: how many there are of each case.
        all_pass: the chance that 1, 2, … `samples` samples of a case all pass.
        intervals: of each of them, resampled by case.
        flips: the share of cases whose samples don't agree.
    """

    samples: int
    all_pass: tuple[float, ...]
    intervals: tuple[Interval, ...]
    flips: float


@dataclass(frozen=True)
class Tally:
    """The verdicts on a suite, counted. Samples that nobody can judge and answers that never came are counted apart."""

    cases: Sequence[Case]
    verdicts: Sequence[SampleVerdict]

    @cached_property
    def of_case(self) -> Mapping[str, tuple[SampleVerdict, ...]]:
        """The verdicts that count, by case."""
        found: dict[str, list[SampleVerdict]] = {case.id: [] for case in self.cases}
        for verdict in self.verdicts:
            if verdict.counts:
                found[verdict.case].append(verdict)
        return {case: tuple(each) for case, each in found.items()}

    @property
    def overall(self) -> Rate:
        """Over the whole suite."""
        return self._rate("all", self.cases)

    @property
    def by_class(self) -> tuple[Rate, ...]:
        """By the class of the case."""
        return self._sliced(lambda case: [case.case_class])

    @property
    def by_tool(self) -> tuple[Rate, ...]:
        """By the tool that the case wants first."""
        return self._sliced(lambda case: [case.expect.calls[0].name if case.expect.calls else NO_TOOL])

    @property
    def by_label(self) -> tuple[Rate, ...]:
        """By task type, split and free labels."""
        return self._sliced(lambda case: [*filter(None, (case.task_type, case.split)), *case.labels])

    @property
    def reasons(self) -> Mapping[str, int]:
        """How often each reason was the first; with the argument, where it is about one."""
        return Counter(verdict.said for verdict in self.verdicts if verdict.reason)

    @property
    def confusion(self) -> Mapping[tuple[str, str], int]:
        """How often a case that wants one tool first got another one, or the same."""
        counted = (verdict for verdict in self.verdicts if verdict.reason != "infra_error")
        return Counter((verdict.expected or NO_TOOL, verdict.chosen or NO_TOOL) for verdict in counted)

    @property
    def abstention(self) -> tuple[Rate, Rate]:
        """Precision (no call, and none was wanted, of all without a call) and recall (of all that want none)."""
        counted = [verdict for verdict in self.verdicts if verdict.reason != "infra_error"]
        silent = [verdict for verdict in counted if not verdict.chosen]
        unwanted = [verdict for verdict in counted if not verdict.expected]
        return (
            of_samples("abstention precision", silent, hit=lambda verdict: not verdict.expected),
            of_samples("abstention recall", unwanted, hit=lambda verdict: not verdict.chosen),
        )

    @property
    def arguments(self) -> tuple[Rate, ...]:
        """Of each argument of each tool that the case names: how often nothing was wrong with it.

        Only calls of the right tool count, and of those only what was looked at: the first fault ends the look.
        """
        faulty = Counter((verdict.expected, verdict.argument) for verdict in self.verdicts if verdict.argument)
        right = Counter(
            (call.name, name)
            for case in self.cases
            for _ in filter(lambda verdict: verdict.passed, self.of_case[case.id])
            for call in case.expect.calls
            for name in call.args
        )
        keys = sorted({*faulty, *right})
        return tuple(
            _rate(f"{tool}.{name}", right[tool, name], right[tool, name] + faulty[tool, name]) for tool, name in keys
        )

    @property
    def repeats(self) -> Repeats | None:
        """What several samples show; `None` unless each case has the same number of them, at least two."""
        found = [each for each in self.of_case.values() if each]
        samples = len(found[0]) if found else 0
        if samples < 2 or any(len(each) != samples for each in found):
            return None
        passed = [sum(verdict.passed for verdict in each) for each in found]
        ks = range(1, samples + 1)
        return Repeats(
            samples=samples,
            all_pass=tuple(pass_hat_k(passed, samples=samples, k=k) for k in ks),
            intervals=tuple(resampled(passed, _all_pass(samples, k), seed=_SEED) for k in ks),
            flips=flip_rate(passed, samples=samples),
        )

    def rate_of(self, name: str, cases: Sequence[Case]) -> Rate | None:
        """The rate over some of the cases; `None` if there are none."""
        return self._rate(name, cases) if cases else None

    def of(self, cases: Sequence[Case]) -> Tally:
        """The verdicts on some of the cases."""
        ids = {case.id for case in cases}
        return Tally(cases, [verdict for verdict in self.verdicts if verdict.case in ids])

    def failed(self) -> tuple[Case, ...]:
        """The cases of which most samples fail, in the order of the suite."""
        return tuple(case for case in self.cases if self.mostly_fails(case))

    def mostly_fails(self, case: Case) -> bool:
        """Whether more than half of the samples that count are wrong."""
        return _mostly_fails(self.of_case[case.id])

    def _sliced(self, names: Callable[[Case], Iterable[str]]) -> tuple[Rate, ...]:
        slices: dict[str, list[Case]] = defaultdict(list)
        for case in self.cases:
            for name in names(case):
                slices[name].append(case)
        return tuple(self._rate(name, cases) for name, cases in sorted(slices.items()))

    def _rate(self, name: str, cases: Sequence[Case]) -> Rate:
        """Samples of one case hang together, so that the interval is over cases, by what most of the samples say."""
        found = [self.of_case[case.id] for case in cases if self.of_case[case.id]]
        passed, counted = sum(verdict.passed for each in found for verdict in each), sum(map(len, found))
        # One case sampled ten times says no more about other cases than one that is sampled once.
        mostly = sum(not _mostly_fails(each) for each in found)
        interval = wilson(mostly, len(found)) if len(found) >= LEAST else None
        return Rate(name=name, passed=passed, counted=counted, interval=interval)


def _mostly_fails(verdicts: Sequence[SampleVerdict]) -> bool:
    return 2 * sum(not verdict.passed for verdict in verdicts) > len(verdicts)


def of_samples(name: str, verdicts: Sequence[SampleVerdict], *, hit: Callable[[SampleVerdict], bool]) -> Rate:
    """How many of some samples are such, with an interval over their cases, by what half of a case's samples say."""
    cases: dict[str, list[bool]] = defaultdict(list)
    for verdict in verdicts:
        cases[verdict.case].append(hit(verdict))
    hits = sum(2 * sum(each) >= len(each) for each in cases.values())
    return Rate(
        name=name,
        passed=sum(map(sum, cases.values())),
        counted=len(verdicts),
        interval=wilson(hits, len(cases)) if len(cases) >= LEAST else None,
    )


def _rate(name: str, passed: int, counted: int) -> Rate:
    interval = wilson(passed, counted) if counted >= LEAST else None
    return Rate(name=name, passed=passed, counted=counted, interval=interval)


def _all_pass(samples: int, k: int) -> Callable[[Sequence[int]], float]:
    return lambda passed: pass_hat_k(passed, samples=samples, k=k)
