"""A rate that is looked at every week: no alarm while nothing changes, and one when something does."""

from __future__ import annotations

from random import Random

from fourfold.stats.rates import Interval
from fourfold.stats.watching import Watch


def _week(dice: Random, *, rate: float, cases: int = 84) -> tuple[int, int]:
    """One look at so many cases."""
    return sum(dice.random() < rate for _ in range(cases)), cases


def test_a_year_of_looks_at_an_unchanged_rate_raises_no_alarm() -> None:
    """B14: 100 years of 52 looks, of which one may be wrong."""
    dice = Random(3)  # noqa: S311  # no secret hangs on it
    alarms = 0
    for _ in range(100):
        watch = Watch()
        alarms += any(watch.look(*_week(dice, rate=0.9))[1] for _ in range(52))

    assert alarms <= 1


def test_a_rate_that_falls_is_seen_in_the_week_in_which_it_does() -> None:
    """B14: from 90 % to 60 % after half a year; in a history of one week there is nothing to fall from."""
    dice = Random(5)  # noqa: S311
    watch = Watch()
    before = [watch.look(*_week(dice, rate=0.9))[1] for _ in range(26)]

    assert (before, watch.look(*_week(dice, rate=0.6))[1]) == ([""] * 26, "fell")
    assert Watch().look(0, 84)[1] == ""


def test_a_rate_that_rises_is_told_as_that() -> None:
    """B14."""
    watch = Watch()
    for _ in range(10):
        watch.look(40, 84)

    assert watch.look(84, 84)[1] == "rose"


def test_the_interval_is_that_of_all_looks_together() -> None:
    """B14: rounded to three digits; without a case it is open."""
    watch = Watch()
    watch.look(36, 40)
    found, _ = watch.look(38, 40)

    assert (watch.passed, watch.trials, watch.looks) == (74, 80, 2)
    assert (round(found.low, 3), round(found.high, 3)) == (0.755, 0.991)
    assert Watch().look(0, 0) == (Interval(0.0, 1.0), "")
