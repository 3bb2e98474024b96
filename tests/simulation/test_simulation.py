"""Thousands of histories of writes that reach outside, each from a seed; none may be a bad one."""

from __future__ import annotations

import os

import pytest

from tests.simulation.world import History, Said, simulate

SEEDS = int(os.environ.get("FOURFOLD_SEEDS", "2000"))
"""`scripts/soak simulation` sets more."""

_BATCHES = 20

FAMILIAR = frozenset(
    {
        "card_closed",
        "deadline_exceeded",
        "idempotency_conflict",
        "in_progress",
        "internal",
        "outcome_unknown",
        "possible_duplicate",
        "upstream_rejected",
        "upstream_unavailable",
    }
)
"""What a caller may be told in this world besides a success."""


def faults_of(history: History) -> list[str]:
    """Everything that is wrong with a history, in words; a good one has nothing."""
    return [*_of_effects(history), *_of_answers(history)]


def _of_effects(history: History) -> list[str]:
    found: list[str] = []
    settled = history.states["done"]
    if history.kind != "blind" and any(many > 1 for many in history.paid.values()):
        found.append("a request was paid twice")
    if history.receipts != settled:
        found.append(f"{history.receipts} receipts for {settled} settled operations")
    if history.kind != "blind" and history.states["unknown"]:
        found.append("an operation is unknown that could have been found out")
    most = sum(history.states.values())
    if sum(history.paid.values()) > most:
        found.append(f"{sum(history.paid.values())} payments for {most} operations")
    return found


def _of_answers(history: History) -> list[str]:
    found: list[str] = []
    for key in {said.key for said in history.said if said.key}:
        mine = [said for said in history.said if said.key == key]
        results = {str(said.answer.structured) for said in mine if said.answer.ok}
        if len(results) > 1:
            found.append(f"{key} was answered in two ways: {results}")
        if len({said.payment for said in mine if said.answer.ok}) > 1:
            found.append(f"{key} stood for two payments")
        operations = {said.answer.operation_id for said in mine if said.answer.ok}
        if len(operations) > 1:
            found.append(f"{key} stood for two operations")
    if sum(1 for said in history.said if said.answer.ok and not said.answer.replayed) > history.receipts:
        found.append("somebody was told of a refund that is not there")
    found += [f"{said.answer.code} is nothing to say here" for said in history.said if not _is_familiar(said)]
    return found


def _is_familiar(said: Said) -> bool:
    return said.answer.ok or said.answer.code in FAMILIAR


@pytest.mark.parametrize("batch", range(_BATCHES))
def test_no_history_is_a_bad_one(batch: int) -> None:
    """D1: never two effects, never a lost one, never two answers; whatever dies, waits, jumps or refuses."""
    bad = {seed: faults for seed in range(batch, SEEDS, _BATCHES) if (faults := faults_of(simulate(seed)))}

    assert not bad, f"seeds with what is wrong in them: {bad}"


def test_a_careless_handler_is_found_out() -> None:
    """D1: a search that finds nothing must be one that could."""
    assert any(faults_of(simulate(seed, careless=True)) for seed in range(100))


def test_a_seed_makes_the_same_history_each_time() -> None:
    """D1: or nobody could look at a bad one twice."""
    first, again = simulate(7), simulate(7)

    assert [(said.key, said.answer.code) for said in first.said] == [
        (said.key, said.answer.code) for said in again.said
    ]
    assert (first.states, first.paid.total(), first.receipts) == (again.states, again.paid.total(), again.receipts)


def test_the_worlds_have_everything_in_them() -> None:
    """D1: they would prove little without deaths, takeovers, unknowns, twins, conflicts."""
    histories = [simulate(seed) for seed in range(150)]
    codes = {said.answer.code for history in histories for said in history.said}

    assert FAMILIAR - {"card_closed"} <= codes
    assert any(said.answer.replayed for history in histories for said in history.said)
    assert {state for history in histories for state in history.states} >= {"done", "failed", "running", "unknown"}
