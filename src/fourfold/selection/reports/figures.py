"""Rates, intervals and durations as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fourfold.selection.compare import CHURN, Comparison
from fourfold.selection.conduct import Miss, conduct, conduct_of_all, miss_of_all, misses
from fourfold.selection.effort import SchemaTokens
from fourfold.selection.tally import Rate, Tally
from fourfold.selection.tasks import Tasks
from fourfold.stats.rates import Interval

__all__ = [
    "behaved",
    "can_see",
    "compared",
    "missed",
    "mistaken",
    "offered",
    "percent",
    "seconds",
    "span",
    "table",
    "task_notes",
]


def percent(share: float | None) -> str:
    """A share as per cent, to one digit behind the point: `95.2 %`; `-` if there is none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def span(interval: Interval | None) -> str:
    """Both ends of an interval; `too few` where it would say nothing."""
    return "too few" if interval is None else f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def offered(tools: int, schemas: SchemaTokens) -> str:
    """How many tools were offered, and what they take."""
    how = "estimated" if schemas.is_estimate else schemas.profile
    return f"{tools} tool{'' if tools == 1 else 's'}, {schemas.tokens:,} tokens of each request ({how})"


def seconds(value: float) -> str:
    """A duration: `0.42 s`."""
    return f"{value:.2f} s"


def can_see(trials: int, smallest: float | None) -> str:
    """What so many cases could have shown, as a sentence without its end."""
    chance = f"where {100 * CHURN:.0f} % change by chance"
    if smallest is None:
        return f"{trials} cases would show no fall in four of five runs, {chance}: add cases"
    return (
        f"{trials} cases show a fall of {percent(smallest)} or more in four of five runs, {chance}; a smaller one hides"
    )


def compared(comparison: Comparison) -> Iterator[str]:
    """A comparison in two lines."""
    pairs = comparison.pairs
    yield f"{pairs.fixed} fixed, {pairs.broken} broken, {pairs.both} right and {pairs.neither} wrong both times"
    low, high = 100 * comparison.difference.low, 100 * comparison.difference.high
    yield f"{100 * pairs.difference:+.1f} points ({low:+.1f} to {high:+.1f}), p = {comparison.p:.2g} (exact McNemar)"


def mistaken(confusion: Mapping[tuple[str, str], int]) -> list[tuple[str, str, int]]:
    """The tools that were taken for another one, the most frequent mistake first."""
    wrong = [(wanted, got, count) for (wanted, got), count in confusion.items() if wanted != got]
    return sorted(wrong, key=lambda each: (-each[2], each[0], each[1]))


def behaved(tally: Tally) -> Iterator[str]:
    """What was called against policy, a line for each tool that was; one that says so where none was."""
    found = conduct_of_all(tally)
    rate = found.against_policy
    if not rate.passed:
        yield f"  none of {rate.counted} calls is forbidden or claims authority ({span(rate.interval)})"
        return
    for each in (found, *conduct(tally)):
        if each.against_policy.passed:
            said = "".join(f", {name} {count} times" for name, count in each.arguments.items())
            yield (
                f"  {each.tool}: {each.against_policy.passed} of {each.against_policy.counted} calls "
                f"({span(each.against_policy.interval)}): {each.forbidden} forbidden, {each.authority} with authority "
                f"in arguments{said}"
            )


def missed(tally: Tally) -> Iterator[tuple[str, Miss]]:
    """The tools that were missed, with what they are called in a report; all of them together first."""
    yield "all", miss_of_all(tally)
    yield from ((miss.tool, miss) for miss in misses(tally) if miss.wrong_tool.passed or miss.no_call.passed)


def task_notes(found: Tasks) -> Iterator[str]:
    """Where the calls and what came of them say different things, a line each."""
    for cases, what in (
        (found.right_undone, "the right call, and the end state is not there"),
        (found.wrong_done, "not the expected call, and the end state is there"),
        (found.outside, "not tried, because a call would have reached beyond the store"),
    ):
        if cases:
            yield f"  {what}: {', '.join(cases)}"


def table(rates: Iterable[Rate]) -> Iterator[str]:
    """A line for each rate: name, how many are right, of how many, rate and interval."""
    found = [*rates]
    width = max([12, *(len(rate.name) for rate in found)])
    for rate in found:
        yield (
            f"  {rate.name:{width}}  {rate.passed:>6} of {rate.counted:<6}  {percent(rate.share):>7}"
            f"  {span(rate.interval)}"
        )
