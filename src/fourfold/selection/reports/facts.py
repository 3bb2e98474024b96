"""What `fourfold select` prints as JSON: rates, comparisons, runs (docs/schemas/selection*.json)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from fourfold.model.selected import RunFacts
from fourfold.selection.comparable import Difference
from fourfold.selection.compare import Comparison, Gate
from fourfold.selection.conduct import Conduct, Miss, conduct, conduct_of_all, miss_of_all, misses
from fourfold.selection.effort import Effort
from fourfold.selection.measured import Measured
from fourfold.selection.tally import Rate, Repeats, Tally
from fourfold.selection.tasks import Tasks
from fourfold.stats.rates import Interval

__all__ = ["comparison_facts", "differences_facts", "gate_facts", "rate_facts", "run_facts"]

Facts = Mapping[str, object]


def run_facts(measured: Measured) -> Facts:
    """All of a run."""
    tally, outcome, recovery = measured.tally, measured.outcome, measured.recovery
    precision, recall = tally.abstention
    return {
        "suite": measured.suite,
        "target": measured.target,
        "rule": measured.rule,
        "facts": _facts(measured.facts),
        "models": [*measured.models],
        # Money is text: a float would round it.
        "outcome": {**asdict(outcome), "spent": str(outcome.spent)},
        "overall": rate_facts(tally.overall),
        "by_class": _rates(tally.by_class),
        "by_tool": _rates(tally.by_tool),
        "by_label": _rates(tally.by_label),
        "reasons": [{"reason": reason, "count": count} for reason, count in sorted(tally.reasons.items())],
        "confusion": _confusion(tally),
        "missed": {"all": _miss(miss_of_all(tally)), "by_tool": [*map(_miss, misses(tally))]},
        "policy": {"all": _conduct(conduct_of_all(tally)), "by_tool": [*map(_conduct, conduct(tally))]},
        "abstention": {"precision": rate_facts(precision), "recall": rate_facts(recall)},
        "arguments": _rates(tally.arguments),
        "recovery": None if recovery is None else rate_facts(recovery),
        "tasks": _tasks(measured.tasks),
        "repeats": _repeats(tally.repeats),
        "effort": _effort(measured.effort),
        "schema_tokens": asdict(measured.schemas),
        "smallest_fall_seen": measured.smallest,
        "cases": _cases(tally),
        "against": measured.against,
        "comparison": None if measured.comparison is None else comparison_facts(measured.comparison),
        "gate": gate_facts(measured.gate),
        "remarks": [*measured.remarks],
    }


def comparison_facts(comparison: Comparison) -> Facts:
    """A comparison of two results."""
    return {
        "pairs": asdict(comparison.pairs),
        "fixed": [*comparison.fixed],
        "broken": [*comparison.broken],
        "left_out": [*comparison.left_out],
        "p": comparison.p,
        "difference": {"share": comparison.pairs.difference, **asdict(comparison.difference)},
        "is_worse": comparison.is_worse,
        "slices": [{"name": each.name, "pairs": asdict(each.pairs), "p": each.p} for each in comparison.slices],
        "smallest_fall_seen": comparison.smallest,
    }


def gate_facts(gate: Gate) -> Facts:
    """What keeps a run from passing, and what only warns."""
    return {"failures": [*gate.failures], "warnings": [*gate.warnings]}


def differences_facts(found: Iterable[Difference]) -> list[Facts]:
    """The things in which two results differ."""
    return [asdict(each) for each in found]


def rate_facts(rate: Rate) -> Facts:
    """One rate; without an interval where there are too few cases for one."""
    return {
        "name": rate.name,
        "passed": rate.passed,
        "counted": rate.counted,
        "share": rate.share,
        "interval": _interval(rate.interval),
    }


def _facts(facts: RunFacts) -> Facts:
    tools = [{"name": name, "digest": digest} for name, digest in facts.tools.items()]
    return {**asdict(facts), "tools": tools}


def _rates(rates: Iterable[Rate]) -> list[Facts]:
    return [rate_facts(rate) for rate in rates]


def _interval(interval: Interval | None) -> Facts | None:
    return None if interval is None else asdict(interval)


def _confusion(tally: Tally) -> list[Facts]:
    return [{"wanted": wanted, "got": got, "count": count} for (wanted, got), count in sorted(tally.confusion.items())]


def _miss(miss: Miss) -> Facts:
    return {"tool": miss.tool, "wrong_tool": rate_facts(miss.wrong_tool), "no_call": rate_facts(miss.no_call)}


def _conduct(found: Conduct) -> Facts:
    return {
        "tool": found.tool,
        "against_policy": rate_facts(found.against_policy),
        "forbidden": found.forbidden,
        "authority": found.authority,
        "arguments": [{"argument": name, "count": count} for name, count in found.arguments.items()],
    }


def _tasks(found: Tasks | None) -> Facts | None:
    if found is None:
        return None
    cases = {"right_undone": found.right_undone, "wrong_done": found.wrong_done, "outside": found.outside}
    return {"done": rate_facts(found.done), **{name: [*ids] for name, ids in cases.items()}}


def _repeats(repeats: Repeats | None) -> Facts | None:
    if repeats is None:
        return None
    shares = zip(repeats.all_pass, repeats.intervals, strict=True)
    return {
        "samples": repeats.samples,
        "all_pass": [{"share": share, "interval": _interval(interval)} for share, interval in shares],
        "flips": repeats.flips,
    }


def _effort(effort: Effort) -> Facts:
    return {**asdict(effort), "cost": None if effort.cost is None else str(effort.cost)}


def _cases(tally: Tally) -> list[Facts]:
    """Each case with the verdicts on its samples, those that don't count too."""
    found: dict[str, list[Facts]] = {case.id: [] for case in tally.cases}
    for verdict in tally.verdicts:
        found[verdict.case].append({name: value for name, value in asdict(verdict).items() if name != "case"})
    return [
        {"id": case.id, "class": case.case_class, "must_pass": case.must_pass, "samples": found[case.id]}
        for case in tally.cases
    ]
