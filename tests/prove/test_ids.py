"""What names something, and ids that look like real ones and name nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.prove.ids import is_id, made_up, neighbours

REAL = [
    "INV-2026-0010",
    "C-000001",
    "note-5",
    "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "op_01a22a5902f7",
    "ABCDEF",
    "x7",
]


@pytest.mark.parametrize("name", ["invoice_reference", "sku", "threadId", "issue_number", "plan_id", "customer-ref"])
def test_a_name_that_ends_like_an_id_is_one(name: str) -> None:
    """B18: whatever its spelling."""
    assert is_id(name)


@pytest.mark.parametrize("name", ["idempotency_key", "page_number", "tax_number", "amount_minor", "digest", ""])
def test_a_name_of_something_else_is_none(name: str) -> None:
    """B18: a key of one's own and a number of a page name nothing that is there."""
    assert not is_id(name)


@given(real=st.sampled_from(REAL), seed=st.integers())
def test_a_made_up_id_is_another_one_of_the_same_form(real: str, seed: int) -> None:
    """B18: digits for digits and letters for letters; only a short number at the end may grow."""
    made = str(made_up(real, dice=random.Random(seed), taken=()))  # noqa: S311  choices that repeat
    assert made != real
    assert made.rstrip("0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ") == real.rstrip(
        "0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ"
    )


@given(seed=st.integers())
def test_a_made_up_uuid_is_a_uuid(seed: int) -> None:
    """B18: a server that parses it gets past that."""
    made = str(made_up(REAL[3], dice=random.Random(seed), taken=()))  # noqa: S311  choices that repeat
    assert (made[:24], len(made)) == (REAL[3][:24], 36)
    assert int(made.replace("-", ""), 16)


def test_a_number_is_made_up_as_a_number_that_is_far_away() -> None:
    """B18: ids count from 1 in many stores."""
    made = made_up(7, dice=random.Random(1), taken=())  # noqa: S311  choices that repeat
    assert isinstance(made, int)
    assert made >= 10**8


def test_what_is_taken_and_what_does_not_fit_is_not_made_up() -> None:
    """B18: where nine of ten are taken, the number gets longer if that fits, and there is none if it doesn't."""
    taken = [f"note-{number}" for number in range(10)]
    dice = random.Random(1)  # noqa: S311  choices that repeat
    assert len(str(made_up("note-5", dice=dice, taken=taken))) > 6
    assert made_up("note-5", dice=dice, taken=taken, fits=lambda value: len(str(value)) == 6) is None


def test_neighbours_are_spelled_like_the_id() -> None:
    """B18: with its zeros; a UUID and a number in the middle have none."""
    assert neighbours("THR-0002")[:3] == ["THR-0003", "THR-0001", "THR-0004"]
    assert neighbours("8f14e45f-ceea-467a-9a2f-1b2c3d4e5f6a") == neighbours("C-1-x") == neighbours(5) == []
