"""Quantiles of how long calls took, from counts in buckets."""

from __future__ import annotations

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.run import Closing
from fourfold.runs.latency import BOUNDS_US, ERROR, bucket_of, quantile_us, total_us
from tests.stores.records import run_at

TIMES_US = st.lists(st.integers(0, BOUNDS_US[-1]), min_size=1, max_size=60)


def test_the_bounds_are_fixed_since_sums_that_are_stored_have_their_numbers() -> None:
    """A9: a change of them would need new tables."""
    assert (len(BOUNDS_US), BOUNDS_US[:4], BOUNDS_US[-1]) == (87, (100, 120, 144, 173), 647_164_757)


@pytest.mark.parametrize(
    ("us", "bucket"),
    [(0, 0), (100, 0), (101, 1), (120, 1), (121, 2), (10_000, 26), (647_164_757, 86), (647_164_758, 87), (10**12, 87)],
)
def test_a_time_is_in_the_first_bucket_that_is_long_enough(us: int, bucket: int) -> None:
    """A9: to the microsecond; what took more than ten minutes has one of its own."""
    assert bucket_of(us) == bucket


@given(TIMES_US, st.sampled_from([0.01, 0.25, 0.5, 0.9, 0.99, 1.0]))
def test_a_quantile_is_near_the_true_one(times: list[int], share: float) -> None:
    """A9: within a tenth of it, and below 0.1 ms within 0.1 ms, as documented."""
    true = sorted(times)[max(1, ceil(round(share * len(times), 6))) - 1]

    found = quantile_us(Counter(map(bucket_of, times)), share)

    assert found is not None
    assert abs(found - true) <= max(ERROR * true, 100)


@given(TIMES_US, TIMES_US)
def test_buckets_of_two_spans_add_up_to_those_of_both(one: list[int], other: list[int]) -> None:
    """A9: the p99 of a day comes from the hours of it."""
    added = Counter(map(bucket_of, one)) + Counter(map(bucket_of, other))

    assert quantile_us(added, 0.99) == quantile_us(Counter(map(bucket_of, one + other)), 0.99)


def test_there_is_no_quantile_of_nothing() -> None:
    """A9: no call, no time."""
    assert quantile_us({}, 0.5) is None


def test_a_write_took_what_its_closing_says_and_a_read_what_its_stages_took() -> None:
    """A9: in microseconds."""
    run = run_at(1, stage_us={"admit": 12, "invoke": 340})

    assert total_us(run, None) == 352
    assert total_us(run, Closing(run_id="run-1", total_us=5_000, delivered=True)) == 5_000
