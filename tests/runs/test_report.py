"""Versions of a tool side by side: what a suite says, what callers met, and what is chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fourfold.model.selected import KeptResult, RunFacts, ToolScore
from fourfold.ports.tallies import OperationSum
from fourfold.runs.report import Moved, ToolReport, report
from fourfold.stats.independent import Rate, newcombe_independent

_FACTS = RunFacts(
    suite="s",
    cases=60,
    samples=1,
    chooser="openai:m",
    catalog="c1",
    tools={},
    system="",
    temperature="",
    max_tokens=1_024,
    scorer="1",
)


def sums(version: str, *, good: int, invalid: int, retried: int) -> list[OperationSum]:
    """Operations of a version that went well at once, and those that began with invalid arguments."""
    rows = [("", good, 0), ("invalid_arguments", invalid, retried)]
    return [
        OperationSum(key=("quote_create", version, code), operations=count, retried=again, attempts=count + again)
        for code, count, again in rows
    ]


def result(version: str, right: int, *, at: str = "2026-11-01T00:00:00Z", **facts: Any) -> KeptResult:
    """A result in which `right` of 60 cases that want the tool are right."""
    score = ToolScore(
        tool="quote_create", version=version, cases=60, cases_right=right, samples=60, right=right, reasons={}
    )
    return KeptResult(
        result_id=f"{version}-{at}",
        name="",
        suite="suite.jsonl",
        at=at,
        rule="exact",
        facts=replace(_FACTS, catalog=version, **facts),
        models=("m-1",),
        cases=60,
        cases_right=right,
        tools=(score,),
    )


def moved(found: ToolReport) -> dict[str, Moved]:
    """The measures of the only change."""
    (change,) = found.changes
    return {each.measure: each for each in change.moved}


def test_an_edit_that_helped_in_the_suite_and_in_production() -> None:
    """A14, B11: three measures, each with an interval; all of them together at 95 %."""
    operations = [*sums("1.0", good=60, invalid=40, retried=40), *sums("1.1", good=95, invalid=5, retried=4)]

    (found,), confidence = report(operations, [result("1.0", 40), result("1.1", 58)])

    assert [(each.version, each.selection, each.retry_rate) for each in found.versions] == [
        ("1.0", Rate(successes=40, trials=60), Rate(successes=40, trials=100)),
        ("1.1", Rate(successes=58, trials=60), Rate(successes=4, trials=100)),
    ]
    each = moved(found)
    assert {name: one.is_better for name, one in each.items()} == {
        "selection": True,
        "retry_rate": True,
        "invalid_arguments": True,
    }
    assert confidence == 1 - 0.05 / 3
    assert each["retry_rate"].interval == newcombe_independent(
        Rate(successes=4, trials=100), Rate(successes=40, trials=100), confidence=confidence
    )
    assert each["invalid_arguments"].difference == 0.05 - 0.4


def test_what_got_worse_and_what_may_be_chance_are_told_apart() -> None:
    """A14: a higher retry rate is worse; five points of sixty cases say nothing."""
    operations = [*sums("1.0", good=98, invalid=2, retried=2), *sums("1.1", good=70, invalid=30, retried=30)]

    (found,), _ = report(operations, [result("1.0", 50), result("1.1", 53)])

    each = moved(found)
    assert (each["selection"].could_be_chance, each["selection"].is_better) == (True, None)
    assert (each["retry_rate"].could_be_chance, each["retry_rate"].is_better) == (False, False)


def test_what_is_missing_is_said_and_nothing_is_made_of_it() -> None:
    """A14: no result, no result that can be compared, no operations; none of them counts as a comparison."""
    operations = sums("1.0", good=9, invalid=1, retried=1)

    (alone,), confidence = report(operations, [])
    (apart,), _ = report(operations, [result("1.0", 50), result("1.1", 55, chooser="openai:other")])

    assert (alone.changes, confidence) == ((), 0.95)
    assert alone.versions[0].selection is None
    assert {name: each.missing for name, each in moved(apart).items()} == {
        "selection": "no two results have the same suite, model, prompt and rule, and differ in the tools alone",
        "retry_rate": "no operations of one of the versions in this time",
        "invalid_arguments": "no operations of one of the versions in this time",
    }
    assert moved(apart)["selection"].difference is None


def test_the_newest_pair_that_differs_in_the_tools_alone_is_compared() -> None:
    """B11: the newest result of the new version has another model, so that the one before it is taken."""
    results = [
        result("1.0", 40, at="2026-11-01T00:00:00Z"),
        result("1.0", 42, at="2026-11-02T00:00:00Z"),
        result("1.1", 50, at="2026-11-03T00:00:00Z"),
        result("1.1", 10, at="2026-11-04T00:00:00Z", chooser="openai:other"),
    ]

    (found,), _ = report([], results)

    each = moved(found)["selection"]
    assert (each.before, each.after) == (Rate(successes=42, trials=60), Rate(successes=50, trials=60))
    assert [one.selection for one in found.versions][1] == Rate(successes=10, trials=60)


def test_versions_are_in_the_order_of_their_numbers() -> None:
    """1.10 comes after 1.9; what knows no version says nothing about one."""
    operations = [each for version in ("1.10", "1.9", "2.0") for each in sums(version, good=1, invalid=0, retried=0)]

    (found,), _ = report(operations, [result("", 40)])

    assert [each.version for each in found.versions] == ["1.9", "1.10", "2.0"]
    assert [(each.before, each.after) for each in found.changes] == [("1.9", "1.10"), ("1.10", "2.0")]
