"""Texts are made that match a pattern, in bounded time and length."""

from __future__ import annotations

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.prove.matching import text_maker
from fourfold.prove.sample import Unmakeable
from tests.prove.samples import seeded

_ATOMS = st.sampled_from(
    [
        *("a", "\\.", ".", "[a-f]", "[^a-y]", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S"),
        *("[\\d_-]", "é", "\\x41", "\\u00e9", "/"),
    ]
)
_REPEATS = st.sampled_from(["", "*", "+", "?", "{3}", "{1,}", "{0,2}", "+?"])


def _row(first: str, second: str) -> str:
    return first + second


def _choice(first: str, second: str, repeat: str) -> str:
    return f"(?:{first}|{second}){repeat}"


def _group(inside: str) -> str:
    return f"({inside})"


def _wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(_row, inner, inner), st.builds(_choice, inner, inner, _REPEATS), st.builds(_group, inner)
    )


_PATTERNS = st.recursive(st.builds(_row, _ATOMS, _REPEATS), _wider, max_leaves=6)


@given(pattern=_PATTERNS, seed=st.integers(), more=st.integers(0, 60))
def test_a_made_text_matches_its_pattern(pattern: str, seed: int, more: int) -> None:
    """Judged by an engine that does not backtrack: repeats of repeats take the standard library for ever."""
    text = text_maker(f"^(?<whole>{pattern})$").text(seeded(seed), more)

    assert jsonschema_rs.is_valid({"pattern": f"^(?:{pattern})$"}, text), text


@pytest.mark.parametrize("pattern", ["(a*)*", "((a+)+)+", "(([a-z]{0,9})*x?)*", "(a{0,1000}){0,1000}"])
def test_repeats_of_repeats_stay_short(pattern: str) -> None:
    """What grows without end elsewhere grows about as far as it is told."""
    assert all(len(text_maker(pattern).text(seeded(seed), 500)) <= 3_000 for seed in range(20))


@pytest.mark.parametrize(
    "pattern",
    [
        *("(", ")", "a)", "[", "[b-a]", "*", "a{2,1}", "a{x}", "\\", "\\u00", "[^\\w\\W]", "(" * 5_000),
        *("(?=a)", "(?<!a)b", "(a)\\1", "\\p{L}", "\\bword", "(?i)a", "a{30000}", "(a{999}){999}"),
    ],
)
def test_a_pattern_that_is_left_out_is_unmakeable(pattern: str) -> None:
    """Look-arounds, back references, properties, what is no pattern, and what matches only huge texts."""
    with pytest.raises(Unmakeable, match="pattern at"):
        text_maker(pattern)
