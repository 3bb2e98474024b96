"""Two answers that say the same are the same, whatever each has of its own."""

from __future__ import annotations

import pytest

from fourfold.model.listed import ToolAnswer
from fourfold.prove.masked import masked


def _said(text: str) -> ToolAnswer:
    return ToolAnswer(result={"content": [{"type": "text", "text": text}], "isError": True})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("run run_01a22a59 failed", "run run_77b31c02 failed"),
        ("at 2026-11-30T12:00:01Z", "at 2026-11-30T12:00:02.5+01:00"),
        ("see 8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", "see 1679091c-5a88-4faf-afb5-e6087eb1b2dc"),
        (f"digest {'a' * 64}", f"digest {'0' * 64}"),
    ],
)
def test_what_is_of_the_call_is_masked(one: str, other: str) -> None:
    """B18: a difference there tells nothing."""
    assert masked(_said(one)) == masked(_said(other))


def test_what_was_asked_with_is_masked_where_it_stands_alone() -> None:
    """B18: an echo of the question is no answer; a part of another word is."""
    assert masked(_said("no note 12"), 12) == masked(_said("no note 987"), 987)
    assert masked(_said("no note 12"), 1) != masked(_said("no note 22"), 2)


@pytest.mark.parametrize("other", ["unknown_note: 2 left", "forbidden: 3 left"])
def test_everything_else_counts(other: str) -> None:
    """B18: a word and a number more are a difference."""
    assert masked(_said("unknown_note: 3 left")) != masked(_said(other))


def test_a_refusal_counts_as_well() -> None:
    """B18: a protocol error instead of a tool error is another answer."""
    assert masked(ToolAnswer(result={}, refusal="Unknown tool")) != masked(ToolAnswer(result={}))
