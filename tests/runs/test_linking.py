"""Which calls are one operation."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.fault import Retry
from fourfold.runs.linking import ROUND_MS, TRACE_WINDOW_MS, WINDOW_MS, Attempt, Ledger, Operation, Place, link
from fourfold.runs.sum_keys import OperationHour
from fourfold.runs.sums import operation_sums
from tests.runs.attempts import PLACE, attempt

OTHERS = [PLACE._replace(tenant="globex"), PLACE._replace(principal="boss@acme"), PLACE._replace(tool="quote_preview")]


def attempts_of(*attempts: Attempt) -> list[int]:
    """How many attempts each operation took, in the order of their first ones."""
    last = {after.first_run: after for _, after in link(attempts, Ledger())}
    return [each.attempts for each in last.values()]


def test_a_corrected_call_is_the_second_attempt() -> None:
    """A14: invalid, corrected, done: one operation of two attempts."""
    assert attempts_of(attempt(0, "invalid"), attempt(2)) == [2]
    assert attempts_of(attempt(0, "invalid"), attempt(1, "invalid"), attempt(2)) == [3]


def test_a_call_after_a_success_is_a_new_operation() -> None:
    """A14: three quotes in a minute are no retries."""
    assert attempts_of(attempt(0), attempt(1), attempt(2, "invalid"), attempt(3), attempt(4)) == [1, 1, 2, 1]


@pytest.mark.parametrize(
    ("retry", "attempts"),
    [
        (Retry.AFTER_FIX, [2]),
        (Retry.AFTER, [2]),
        (Retry.SAME_KEY, [2]),
        (Retry.REFRESH, [2]),
        (Retry.REPLAN, [2]),
        (Retry.NEVER, [1, 1]),
        (Retry.ASK_HUMAN, [1, 1]),
    ],
)
def test_only_a_fault_that_a_repeat_may_help_is_repeated(retry: Retry, attempts: list[int]) -> None:
    """A14, A4: after a domain rejection the next call is another one."""
    assert attempts_of(attempt(0, "rejected", retry=retry), attempt(2)) == attempts


@pytest.mark.parametrize("place", OTHERS)
def test_another_caller_or_tool_is_another_operation(place: Place) -> None:
    """A14, B18: never over tenants, principals or tools, whatever else is the same."""
    one = attempt(0, "invalid", operation_id="op-1", trace_id="t-1")

    assert attempts_of(one, attempt(1, place=place, operation_id="op-1", trace_id="t-1")) == [1, 1]


@pytest.mark.parametrize(
    ("first", "trace", "window_ms"),
    [
        ("invalid", "", WINDOW_MS),
        ("invalid", "t-2", WINDOW_MS),
        ("invalid", "t-1", TRACE_WINDOW_MS),
        ("needs_input", "", ROUND_MS),
    ],
)
def test_what_comes_too_late_is_a_new_operation(first: str, trace: str, window_ms: int) -> None:
    """A14: the windows, to the millisecond."""
    one = attempt(0, first, trace_id="t-1")
    last_moment, too_late = [attempt((window_ms + more) / 1_000, "invalid", trace_id=trace) for more in (0, 1)]

    assert len(attempts_of(one, last_moment)) == 1
    assert attempts_of(one, too_late) == [1, 1]


def test_the_same_key_links_whatever_lies_between() -> None:
    """A14: a replay a day later, and the answer that an operation is still running."""
    first = attempt(0, operation_id="op-1")

    assert attempts_of(first, attempt(86_400, operation_id="op-1")) == [2]
    assert attempts_of(first, attempt(1), attempt(2, operation_id="op-1")) == [2, 1]


def test_another_key_is_another_intent() -> None:
    """A14: a fault of one operation is not repeated by the next one."""
    one = attempt(0, "rejected", retry="same_key", operation_id="op-1")

    assert attempts_of(one, attempt(1, operation_id="op-2")) == [1, 1]
    assert attempts_of(one, attempt(1)) == [2]


def test_a_conflict_is_another_intent_though_it_names_the_operation() -> None:
    """A14: the key was used for something else."""
    conflict = attempt(1, "rejected", code="idempotency_conflict", operation_id="op-1")

    assert attempts_of(attempt(0, operation_id="op-1"), conflict) == [1, 1]
    assert attempts_of(attempt(0, "invalid"), conflict) == [1, 1]


@pytest.mark.parametrize(
    "asking", [attempt(0, "needs_input"), attempt(0, "rejected", code="approval_required", retry="after")]
)
def test_going_on_after_a_person_was_asked_is_no_further_attempt(asking: Attempt) -> None:
    """A14: a round belongs to its operation, and nobody repeated anything."""
    assert attempts_of(asking, attempt(600)) == [1]
    assert attempts_of(attempt(-1, "invalid"), asking, attempt(600)) == [2]


def test_the_newest_fault_is_repeated_first_and_one_of_the_same_trace_before_it() -> None:
    """A14: two operations side by side are told apart by their traces, where there are any."""
    one, two = [attempt(at, "rejected", retry="after", operation_id=f"op-{at}", trace_id=f"t-{at}") for at in range(2)]

    linked = link([one, two, attempt(2, trace_id="t-0"), attempt(3)], Ledger())

    assert [after.first_run for _, after in linked] == ["run-0", "run-1", "run-0", "run-1"]


def test_an_operation_is_counted_under_its_first_run() -> None:
    """A14: in its hour, by the version that was called and the code it met."""
    linked = link([attempt(0, "invalid"), attempt(5, contract_version="1.1"), attempt(6)], Ledger())

    hour = OperationHour(1_699_999_200_000, *PLACE, "1.0", "invalid_code")
    assert operation_sums(linked) == {
        hour: {"operations": 1, "retried": 1, "attempts": 2},
        hour._replace(code=""): {"operations": 1, "retried": 0, "attempts": 1},
    }


ATTEMPTS = st.builds(
    attempt,
    st.integers(0, 7_200),
    st.sampled_from(["done", "invalid", "needs_input", "rejected"]),
    retry=st.sampled_from(["", "after", "never", "same_key"]),
    operation_id=st.sampled_from(["", "", "op-1", "op-2"]),
    trace_id=st.sampled_from(["", "t-1", "t-2"]),
    place=st.sampled_from([PLACE, *OTHERS]),
)
HISTORIES = st.lists(ATTEMPTS, max_size=40, unique_by=lambda each: each.run_id).map(
    lambda found: sorted(found, key=lambda each: (each.at_ms, each.run_id))
)


@given(HISTORIES, st.randoms())
def test_the_order_in_which_attempts_are_given_says_nothing(history: list[Attempt], random: Random) -> None:
    """A14: their times do."""
    shuffled = [*history]
    random.shuffle(shuffled)

    assert link(shuffled, Ledger()) == link(history, Ledger())


@given(HISTORIES, st.integers(1, 10))
def test_batches_come_to_the_same_though_what_is_over_is_forgotten(history: list[Attempt], size: int) -> None:
    """A14: only operations that may go on are kept between two batches."""
    kept: dict[str, Operation] = {}
    sums: dict[OperationHour, Counter[str]] = {}
    for start in range(0, len(history), size):
        linked = link(history[start : start + size], Ledger.of(kept.values()))
        kept |= {after.first_run: after for _, after in linked}
        kept = {name: each for name, each in kept.items() if each.may_go_on}
        for hour, added in operation_sums(linked).items():
            sums.setdefault(hour, Counter()).update(added)

    assert sums == operation_sums(link(history, Ledger()))


@given(HISTORIES)
def test_every_run_is_in_one_operation_and_the_counts_add_up(history: list[Attempt]) -> None:
    """A14: no run is lost, none is counted twice."""
    linked = link(history, Ledger())
    last = {after.first_run: after for _, after in linked}
    total: Counter[str] = Counter()
    for added in operation_sums(linked).values():
        total.update(added)

    assert len(linked) == len(history)
    assert total["operations"] == len(last)
    assert total["attempts"] == sum(each.attempts for each in last.values()) <= len(history)
    assert total["retried"] == sum(each.attempts > 1 for each in last.values())


@given(HISTORIES)
def test_places_do_not_touch(history: list[Attempt]) -> None:
    """A14, B18: each caller and tool links as if nobody else were there."""
    for place in (PLACE, *OTHERS):
        own = [each for each in history if each.place == place]
        assert [each for each in link(history, Ledger()) if each.after.place == place] == link(own, Ledger())


def test_a_version_is_that_of_the_first_run() -> None:
    """A14: a retry that met the new version is a retry of the old one."""
    (_, first), (_, second) = link([attempt(0, "invalid"), replace(attempt(1), contract_version="2.0")], Ledger())

    assert (first.contract_version, second.contract_version) == ("1.0", "1.0")
