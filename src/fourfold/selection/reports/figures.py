"""Rates, intervals and durations as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fourfold.selection.compare import CHURN, Comparison
from fourfold.selection.tally import Rate
from fourfold.stats.rates import Interval

__all__ = ["can_see", "compared", "mistaken", "percent", "seconds", "span", "table"]


def percent(share: float | None) -> str:
    """A share as per cent, to one digit behind the point: `95.2 %`; `-` if there is none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def span(interval: Interval | None) -> str:
    """Both ends of an interval; `too few` where it would say nothing."""
    return "too few" if interval is None else f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


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


def table(rates: Iterable[Rate]) -> Iterator[str]:
    """A line for each rate: name, how many are right, of how many, rate and interval."""
    found = [*rates]
    width = max([12, *(len(rate.name) for rate in found)])
    for rate in found:
        yield (
            f"  {rate.name:{width}}  {rate.passed:>6} of {rate.counted:<6}  {percent(rate.share):>7}"
            f"  {span(rate.interval)}"
        )
