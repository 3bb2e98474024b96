"""The system clock."""

from __future__ import annotations

from fourfold.adapters.clock import SystemClock

YEAR_2020_MS = 1_577_836_800_000
YEAR_2200_MS = 7_258_118_400_000


def test_now_is_in_milliseconds_since_the_epoch() -> None:
    """A9: runs of different servers can be put in order."""
    assert YEAR_2020_MS < SystemClock().now_ms() < YEAR_2200_MS


def test_ticks_never_go_back() -> None:
    """B19: a deadline does not move when somebody sets the machine's time."""
    clock = SystemClock()
    ticks = [clock.ticks() for _ in range(100)]

    assert ticks == sorted(ticks)
