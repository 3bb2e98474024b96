"""A run of a suite for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.cost import amount
from fourfold.model.scored import REASONS
from fourfold.selection.compare import Gate
from fourfold.selection.effort import Effort, Seconds
from fourfold.selection.measured import Measured
from fourfold.selection.reports.figures import (
    behaved,
    can_see,
    compared,
    missed,
    mistaken,
    offered,
    percent,
    seconds,
    span,
    table,
    task_notes,
)
from fourfold.selection.reports.lines import Line, heading
from fourfold.selection.tally import Rate, Repeats
from fourfold.selection.tasks import Tasks

__all__ = ["conclusion", "run_text"]

_MOST = 20
"""Lines of a list that is only long where much is wrong; JSON has them all."""


def run_text(measured: Measured) -> Iterator[Line | str]:
    """The lines of the report."""
    tally = measured.tally
    yield from _head(measured)
    for title, rates in (
        ("by class", tally.by_class),
        ("by tool that is wanted", tally.by_tool),
        ("by label", tally.by_label),
        ("no tool called, where none was wanted", tally.abstention),
        ("arguments", () if measured.rule == "tools" else tally.arguments),
        ("after a tool has failed", _present(measured.recovery)),
    ):
        yield from _rates(title, rates)
    yield from _tasks(measured.tasks)
    yield from _missed(measured)
    yield from _behaved(measured)
    yield from _reasons(measured)
    yield from _confusion(measured)
    yield from _failed(measured)
    yield from _repeats(tally.repeats)
    yield from _effort(measured.effort)
    yield from _compared(measured)
    yield from (Line("warning", "note", f" {remark}") for remark in measured.remarks)
    yield can_see(measured.trials, measured.smallest)
    yield from _gate(measured.gate)
    yield conclusion(measured)


def conclusion(measured: Measured) -> str:
    """The last line: how many are right, of how many, and what was left open."""
    overall, outcome = measured.tally.overall, measured.outcome
    unclear = sum(verdict.reason == "needs_review" for verdict in measured.tally.verdicts)
    open_ends = [
        f"{count} {what}"
        for count, what in (
            (unclear, "to be read by a person"),
            (outcome.failed, "without an answer"),
            (outcome.left, "not asked"),
        )
        if count
    ]
    rest = f"; {', '.join(open_ends)}" if open_ends else ""
    return f"{overall.passed} of {overall.counted} right, {percent(overall.share)} ({span(overall.interval)}){rest}"


def _present(rate: Rate | None) -> tuple[Rate, ...]:
    return () if rate is None else (rate,)


def _head(measured: Measured) -> Iterator[Line | str]:
    facts = measured.facts
    yield heading(f"{measured.suite} on {measured.target}, chosen by {facts.chooser}")
    samples = "1 sample each" if facts.samples == 1 else f"{facts.samples} samples each"
    yield f"{facts.cases} cases, {samples}, rule: {measured.rule}"
    yield offered(len(facts.tools), measured.schemas)
    if measured.models:
        yield f"answered by {', '.join(measured.models)}"
    yield "rates are of samples; intervals are Wilson's at 95 %, over cases, by what most samples of a case say"
    yield ""


def _rates(title: str, rates: tuple[Rate, ...]) -> Iterator[Line | str]:
    if any(rate.counted for rate in rates):
        yield heading(title)
        yield from table(rates)
        yield ""


def _tasks(found: Tasks | None) -> Iterator[Line | str]:
    if found is not None:
        yield heading("tasks, once the calls were made on a new store")
        yield from table([found.done])
        yield from task_notes(found)
        yield ""


def _missed(measured: Measured) -> Iterator[Line | str]:
    found = [*missed(measured.tally)]
    if not found[0][1].wrong_tool.counted:
        return
    yield heading("wanted, and not called")
    width = max(12, *(len(tool) for tool, _ in found))
    for tool, miss in found:
        another, none = miss.wrong_tool, miss.no_call
        yield (
            f"  {tool:{width}}  another tool {another.passed} of {another.counted}, {percent(another.share)} "
            f"({span(another.interval)})  no tool {none.passed}, {percent(none.share)} ({span(none.interval)})"
        )
    yield ""


def _behaved(measured: Measured) -> Iterator[Line | str]:
    yield heading("called against policy")
    yield from behaved(measured.tally)
    yield ""


def _reasons(measured: Measured) -> Iterator[Line | str]:
    found = sorted(measured.tally.reasons.items(), key=lambda each: (-each[1], each[0]))
    if found:
        yield heading("first thing that is wrong")
        width = max(len(reason) for reason, _ in found)
        sentences: dict[str, str] = {**REASONS}
        for reason, count in found:
            yield f"  {reason:{width}}  {count:>6}  {sentences[reason.partition(':')[0]]}"
        yield ""


def _confusion(measured: Measured) -> Iterator[Line | str]:
    found = mistaken(measured.tally.confusion)
    if found:
        yield heading("taken for another tool")
        yield from (f"  {wanted} -> {got}: {count}" for wanted, got, count in found[:_MOST])
        yield from _more(len(found))
        yield ""


def _failed(measured: Measured) -> Iterator[Line | str]:
    """The cases of which most samples fail, with what is wrong first."""
    found = measured.tally.failed()
    if found:
        yield heading("cases that fail")
    for case in found[:_MOST]:
        said = dict.fromkeys(each.said for each in measured.tally.of_case[case.id] if each.reason)
        must = " (must pass)" if case.must_pass else ""
        yield Line("error", f"  {case.id}", f"{must} {', '.join(said)}")
    if found:
        yield from _more(len(found))
        yield ""


def _more(count: int) -> Iterator[str]:
    if count > _MOST:
        yield f"  and {count - _MOST} more; --json has them all"


def _repeats(repeats: Repeats | None) -> Iterator[Line | str]:
    if repeats is None:
        return
    yield heading(f"repeats, {repeats.samples} samples each, resampled by case")
    for number, (share, interval) in enumerate(zip(repeats.all_pass, repeats.intervals, strict=True), 1):
        yield f"  pass^{number}  {percent(share):>7}  {span(interval)}"
    yield f"  cases whose samples do not agree: {percent(repeats.flips)}"
    yield ""


def _effort(effort: Effort) -> Iterator[Line | str]:
    if not effort.counted and effort.decision is None:
        return
    yield heading("effort")
    if effort.counted:
        yield (
            f"  tokens       {effort.input_tokens:,} in ({effort.cached_tokens:,} of them cached), "
            f"{effort.output_tokens:,} out, of {effort.counted} answers"
        )
        yield f"  cost         {_cost(effort)}"
    yield from _times("decision", effort.decision)
    yield from _times("first token", effort.first_token)
    yield ""


def _cost(effort: Effort) -> str:
    if effort.cost is None:
        return "not known; name --output-price, and --input-price where docs/budget.md has none"
    return f"{amount(effort.cost)}, {amount(effort.cost / effort.counted)} an answer"


def _times(what: str, found: Seconds | None) -> Iterator[Line | str]:
    if found is not None:
        yield f"  {what:11}  {seconds(found.median)} in the middle, {seconds(found.p95)} at 95 %, of {found.count}"


def _compared(measured: Measured) -> Iterator[Line | str]:
    if measured.comparison is not None:
        yield heading(f"against {measured.against}")
        yield from (f"  {line}" for line in compared(measured.comparison))
        for word, cases in (("broken", measured.comparison.broken), ("fixed", measured.comparison.fixed)):
            if cases:
                yield Line("error" if word == "broken" else "pass", f"  {word}", f": {', '.join(cases)}")
        yield ""


def _gate(gate: Gate) -> Iterator[Line | str]:
    yield from (Line("error", "gate", f" {failure}") for failure in gate.failures)
    yield from (Line("warning", "gate", f" {warning}") for warning in gate.warnings)
