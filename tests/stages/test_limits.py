"""The guard: rates, running calls and repeated failures, in bounded tables."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold import Limits
from fourfold.stages.limits import Guard, Key, key_of
from fourfold.testing import caller

KEY: Key = ("acme", "ann", "note_add")
PAUSES = st.lists(st.floats(0, 40, allow_nan=False) | st.sampled_from([0.0, 0.001, 60.0]), max_size=200)


@given(per_minute=st.integers(1, 50), start=st.floats(0, 2e9), pauses=PAUSES)
def test_no_minute_has_more_than_a_burst_and_what_leaks(per_minute: int, start: float, pauses: list[float]) -> None:
    """B19: a full bucket at once, and the rate after it: twice the limit in any minute, whatever the calls do."""
    guard, limits = Guard(), Limits(calls_per_minute=per_minute)
    now, recent = start, deque[float]()
    for pause in pauses:
        now += pause
        while recent and recent[0] <= now - 60:
            recent.popleft()
        if not guard.wait_ms(KEY, limits, now=now):
            recent.append(now)

        assert len(recent) <= 2 * per_minute


@given(per_minute=st.integers(1, 1_000), start=st.floats(0, 2e9), pause=st.floats(0, 10, allow_nan=False))
def test_who_waits_as_told_is_let_in(per_minute: int, start: float, pause: float) -> None:
    """B7, B19: the milliseconds that are told are enough, and one less is not."""
    guard, limits = Guard(), Limits(calls_per_minute=per_minute)
    now = start
    while (wait := guard.wait_ms(KEY, limits, now=now)) == 0:
        now += pause / per_minute

    early = now + (wait - 1.5) / 1_000
    assert wait < 2 or guard.wait_ms(KEY, limits, now=early) > 0
    assert guard.wait_ms(KEY, limits, now=now + wait / 1_000) == 0


def test_a_caller_that_rests_has_the_whole_burst_again() -> None:
    """B19: and no more than that, however long it rested."""
    guard, limits = Guard(), Limits(calls_per_minute=3)
    for now in (0.0, 60.0, 10_000.0):
        waits = [guard.wait_ms(KEY, limits, now=now) for _ in range(4)]

        assert waits == [0, 0, 0, 20_000]


@pytest.mark.parametrize(
    "other", [("globex", "ann", "note_add"), ("acme", "bob", "note_add"), ("acme", "ann", "other")]
)
def test_limits_are_of_one_caller_and_tool(other: Key) -> None:
    """B19: tenant, principal and tool."""
    guard, limits = Guard(), Limits(calls_per_minute=1, concurrency=1)
    guard.wait_ms(KEY, limits, now=0)
    guard.enter(KEY, limits)

    assert guard.wait_ms(other, limits, now=0) == 0
    assert guard.enter(other, limits)
    assert not guard.enter(KEY, limits)


def test_a_limit_counts_by_the_callers_identity() -> None:
    """B19: not by the name in the configuration."""
    assert key_of(caller("ann", name="one"), "note_add") == key_of(caller("ann", name="two"), "note_add") == KEY


@given(steps=st.lists(st.booleans(), max_size=100), places=st.integers(1, 5))
def test_places_are_counted_exactly(steps: list[bool], places: int) -> None:
    """B19: never more than there are, and none is lost."""
    guard, limits = Guard(), Limits(concurrency=places)
    taken = 0
    for enters in steps:
        if enters:
            assert guard.enter(KEY, limits) == (taken < places)
            taken = min(taken + 1, places)
        elif taken:
            guard.leave(KEY)
            taken -= 1

    assert guard.running == ({KEY: taken} if taken else {})


def test_equal_failures_are_counted_in_a_row() -> None:
    """B7: another call has its own count, and a success ends it."""
    guard = Guard()

    assert [guard.failed(KEY, b"one") for _ in range(3)] == [1, 2, 3]
    assert guard.failed(KEY, b"two") == 1
    guard.succeeded(KEY, b"one")
    assert guard.failed(KEY, b"one") == 1
    assert guard.has_failed(KEY)


def test_a_caller_without_open_failures_costs_no_digest() -> None:
    """B7: after a success, a caller is as if it had never failed."""
    guard = Guard()
    guard.failed(KEY, b"one")
    guard.succeeded(KEY, b"one")

    assert not guard.has_failed(KEY)
    assert not guard.has_failed(("acme", "bob", "note_add"))


def test_failures_of_one_caller_are_bounded() -> None:
    """B19: who sends ever new nonsense is remembered for the last hundred kinds of it."""
    guard = Guard()
    for number in range(150):
        guard.failed(KEY, str(number).encode())

    assert guard.failed(KEY, b"149") == 2
    assert guard.failed(KEY, b"0") == 1
    assert len(guard.failures.entries[KEY]) == 100


def test_tables_forget_who_came_longest_ago() -> None:
    """B19: ten thousand callers are kept; the one that is there all the time among them."""
    guard, limits = Guard(), Limits(calls_per_minute=1)
    for number in range(10_050):
        guard.wait_ms(("acme", str(number), "note_add"), limits, now=0)
        guard.wait_ms(KEY, limits, now=0)

    assert len(guard.rates.entries) == 10_000
    assert guard.wait_ms(KEY, limits, now=0) == 60_000
    assert guard.wait_ms(("acme", "0", "note_add"), limits, now=0) == 0
