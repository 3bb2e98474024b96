"""`Measured`: everything that the report of a run shows, in whatever form it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.model.case import Case
from fourfold.model.scored import Rule
from fourfold.model.selected import KeptResult, RunFacts
from fourfold.selection.compare import CHURN, Comparison, Gate, compare, gate
from fourfold.selection.effort import Effort, SchemaTokens
from fourfold.selection.recovery import recovery
from fourfold.selection.running import RunOutcome
from fourfold.selection.tally import Rate, Tally
from fourfold.selection.tasks import Tasks, tasks
from fourfold.stats.paired import smallest_seen

__all__ = ["Measured", "gated", "judged", "seen_by_gate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A run, measured.

    Attributes:
        suite, target: as the user named them.
        models: the models and versions that the provider says have answered.
        against: the name of the result that `comparison` is with; empty without one.
        schemas: what the offered tools take of each request.
        kept: the same as a store keeps it.
        comparison: over all cases; the gate looks at `judged` ones.
        remarks: what a reader should know before the figures are believed, as sentences.
    """

    suite: str
    target: str
    rule: Rule
    facts: RunFacts
    outcome: RunOutcome
    models: tuple[str, ...]
    tally: Tally
    effort: Effort
    schemas: SchemaTokens
    gate: Gate
    kept: KeptResult
    against: str = ""
    comparison: Comparison | None = None
    remarks: tuple[str, ...] = ()

    @property
    def recovery(self) -> Rate | None:
        """The rate over the cases in which a tool has just failed."""
        return recovery(self.tally)

    @property
    def tasks(self) -> Tasks | None:
        """What came of the calls to cases with an end state; `None` if none was made."""
        return tasks(self.tally)

    @property
    def trials(self) -> int:
        """How many cases have a verdict."""
        return sum(map(bool, self.tally.of_case.values()))

    @property
    def smallest(self) -> float | None:
        """The smallest fall that so many cases would show in four of five runs; `None` if none."""
        return smallest_seen(self.trials, churn=CHURN)

    @property
    def is_whole(self) -> bool:
        """Whether every sample was asked for, and at least one case has a verdict."""
        return not self.outcome.left and bool(self.trials)


def judged(cases: Sequence[Case]) -> list[Case]:
    """The cases that a gate looks at: those held out and those that must pass; all of them if none is held out.

    A description is written with the others in sight, so that they say nothing about what it has not seen.
    """
    if not any(case.split == "holdout" for case in cases):
        return [*cases]
    return [case for case in cases if case.split == "holdout" or case.must_pass]


def seen_by_gate(cases: Sequence[Case]) -> str:
    """What a reader should know where the gate leaves cases out; empty where it looks at all of them."""
    seen = len(judged(cases))
    if seen == len(cases):
        return ""
    return f"the gate looks at {seen} of {len(cases)} cases: those that are held out, and those that must pass"


def gated(before: Tally | None, after: Tally) -> Gate:
    """The gate over the cases that it looks at."""
    seen = after.of(judged(after.cases))
    return gate(seen, None if before is None else compare(before, seen))
