"""Patterns: one meaning in every engine, a bound on the length, and words."""

from __future__ import annotations

import re
import string
from typing import Annotated

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError
from typing_extensions import TypeAliasType

from fourfold.contracts.base import Input
from fourfold.contracts.patterns import ascii_classes, in_words, is_finite, is_portable
from tests.contracts.declaring import input_with

ATOMS = [
    r"\d",
    r"\w",
    r"\s",
    r"\D",
    r"\W",
    r"\S",
    r"[\d.]",
    r"[^\d]",
    r"[\w-]",
    r"[^\w\s]",
    "[A-Z]",
    "[a-z0-9]",
    r"[\]\[]",
    r"\.",
    r"\$",
    r"\\",
    "a",
    "-",
    "é",
]
REPEATS = ["", "", "?", "{2}", "{0,3}", "{1,2}", "*", "+", "{2,}"]


@st.composite
def patterns(draw: st.DrawFn, *, closed: bool = False) -> str:
    """A pattern of sound atoms; `closed` leaves out what repeats without end."""
    repeats = [repeat for repeat in REPEATS if not closed or not repeat.endswith((",}", "*", "+"))]
    pieces = draw(st.lists(st.tuples(st.sampled_from(ATOMS), st.sampled_from(repeats)), min_size=1, max_size=5))
    body = "".join(atom + repeat for atom, repeat in pieces)
    shape = draw(st.sampled_from(["{}", "({})", "(?:{}|x)", "({}){{1,2}}"]))
    return f"^{shape.format(body)}$"


@given(pattern=patterns(), text=st.text(string.printable, max_size=8))
def test_ascii_text_matches_what_it_matched_before(pattern: str, text: str) -> None:
    """B2: against Python's own engine in its ASCII mode."""
    before = re.fullmatch(pattern[1:-1], text, re.ASCII) is not None

    assert (re.fullmatch(ascii_classes(pattern)[1:-1], text) is not None) is before


@given(pattern=patterns(), text=st.text("a1_ .-é٣²　ſK", max_size=4))
def test_the_validator_and_a_client_agree_on_any_text(pattern: str, text: str) -> None:
    """B2: pydantic's engine takes classes as Unicode, ECMA-262 as ASCII; after the rewriting both say the same."""

    class Request(Input):
        value: Annotated[str, Field(pattern=pattern)]

    try:
        taken = bool(Request.model_validate({"value": text}))
    except ValidationError:
        taken = False
    assert jsonschema_rs.is_valid({"pattern": ascii_classes(pattern)}, text) is taken


Aliased = TypeAliasType("Aliased", Annotated[str, Field(pattern=r"^\d$")])


@pytest.mark.parametrize("kind", [Aliased, list[Aliased], Aliased | None, dict[Aliased, bool]])
def test_a_pattern_is_rewritten_wherever_it_stands(kind: object) -> None:
    """B2: behind an alias, in a list, in an optional, as a key, in a field that is called `pattern` or `default`."""
    model = input_with(pattern=kind, default=kind)
    digit = {list[Aliased]: ["٣"], dict[Aliased, bool]: {"٣": True}}.get(kind, "٣")  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]  # keys are types

    with pytest.raises(ValidationError) as caught:
        model.model_validate({"pattern": digit, "default": digit})
    assert {error["loc"][0] for error in caught.value.errors()} == {"pattern", "default"}


@given(data=st.data(), pattern=patterns(closed=True))
def test_a_finite_pattern_bounds_the_length(data: st.DataObject, pattern: str) -> None:
    """C1: no matching text is longer than its atoms and repeats allow, whatever is drawn."""
    assert is_finite(pattern)
    body = ascii_classes(pattern)[1:-1]
    text = data.draw(st.from_regex(re.compile(body), fullmatch=True))

    assert len(text) <= 2 * 5 * 3


@pytest.mark.parametrize(
    "pattern",
    ["", "^", "a", "^a", "a$", r"^a\$", "^a*$", "^a+$", "^a{2,}$", "^[ab]+$", "^a$|b", "^a|b$", "^(a|b)|c$", "^(a*)$"],
)
def test_a_pattern_without_an_end_bounds_nothing(pattern: str) -> None:
    """C1: an open repeat, a missing anchor, or an alternative beside the anchors."""
    assert not is_finite(pattern)


@pytest.mark.parametrize(
    "pattern", ["^a$", "^[*+]$", r"^\*$", "^(a|b)$", "^(?:a|b){1,3}$", r"^[A-Z]{3}-\d{4}$", "^[|]$"]
)
def test_a_pattern_with_an_end_bounds_the_length(pattern: str) -> None:
    """C1: signs of repetition inside a set or behind a backslash repeat nothing."""
    assert is_finite(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?i)a",
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        "(?P<name>a)",
        "(?#x)",
        r"\bword",
        r"\Aa\Z",
        r"\pL",
        r"\p{L}",
        r"\x41",
        r"\-",
        r"\1",
        "a*+",
        "a{2}{3}",
        "a{,3}",
        "a}",
        "a]",
        "[]a]",
        "[^]",
        "[a[b]]",
        "[a&&b]",
        "[a--b]",
        r"[\D]",
        "[[:alpha:]]",
        "a\\",
    ],
)
def test_what_engines_read_differently_is_not_portable(pattern: str) -> None:
    """C1: flags, look-around, escapes of one engine, and signs that one takes as themselves."""
    assert not is_portable(pattern)


@given(pattern=patterns())
def test_sets_groups_and_repeats_are_portable(pattern: str) -> None:
    """C1: what is left is enough for identifiers, codes and numbers."""
    assert is_portable(pattern)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"^[A-Z]{3}-\d{4}$", "3 capital letters, '-', 4 digits"),
        (r"^INV-\d{4,6}$", "'INV-', 4 to 6 digits"),
        (r"^[a-z]$", "1 small letter"),
        (r"^[0-9a-f]{1}x?$", "1 hexadecimal digit, perhaps 1 'x'"),
        (r"^[A-Za-z0-9]+\.[a-z]*$", "1 or more letters or digits, '.', any number of small letters"),
        (r"^.{2,}$", "2 or more characters"),
        (r"^\.{2}-{1,3}$", "2 '.', 1 to 3 '-'"),
        (r"^[1-9]?\$$", "perhaps 1 digit from 1 to 9, '$'"),
    ],
)
def test_a_plain_pattern_reads_as_words(pattern: str, words: str) -> None:
    """A2: what a model understands better than the pattern."""
    assert in_words(pattern) == words


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "abc",
        "^(a|b)$",
        "^[aeiou]$",
        "^a$b$",
        "^?$",
        r"^a\$",
        r"^\n$",
        r"^\bx$",
        "^{2}$",
        "^a|b$",
        "^abcdefgh[a-z]" * 2 + "$",
    ],
)
def test_a_pattern_that_words_would_not_make_clearer_has_none(pattern: str) -> None:
    """A2: groups, sets without a name, escapes; the pattern itself is shown then."""
    assert in_words(pattern) is None


@given(text=st.text(max_size=12) | st.text(r"^$[]{}()\dws*+?|.-,09az", max_size=14))
def test_no_text_makes_these_readings_fail(text: str) -> None:
    """A2: an error about an error would be the worst answer."""
    assert isinstance(is_finite(text), bool)
    assert isinstance(is_portable(text), bool)
    assert isinstance(in_words(f"^{text}$") or "", str)
    assert ascii_classes(ascii_classes(text)) == ascii_classes(text)
