"""What a model does after a tool has failed."""

from __future__ import annotations

import pytest

from fourfold.selection.retries import AfterError, TracedCall, retry_after_error


def _trace(text: str) -> list[TracedCall]:
    """`a! a b` is a call of a that failed, then one of a and one of b."""
    return [TracedCall(tool=word.rstrip("!"), failed=word.endswith("!")) for word in text.split()]


@pytest.mark.parametrize(
    ("traces", "counted"),
    [
        ([], (0, 0, 0)),
        (["a b a"], (3, 0, 0)),
        (["a! a"], (2, 1, 1)),
        (["a! b a"], (3, 1, 0)),
        (["a!"], (1, 1, 0)),
        (["a! a! a"], (3, 2, 2)),
        (["a!", "a"], (2, 1, 0)),
        (["a! b! b"], (3, 2, 1)),
    ],
)
def test_a_retry_is_the_next_call_of_the_same_tool_in_the_same_trace(
    traces: list[str], counted: tuple[int, int, int]
) -> None:
    """B14: calls, errors, retries."""
    found = retry_after_error(map(_trace, traces))

    assert (found.calls, found.errors, found.retries) == counted


def test_rates_of_nothing_are_unknown() -> None:
    """B14."""
    assert AfterError(calls=0, errors=0, retries=0).error_rate is None
    assert AfterError(calls=3, errors=0, retries=0).retry_after_error is None
    assert AfterError(calls=4, errors=2, retries=1).retry_after_error == 0.5
