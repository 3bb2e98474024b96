"""U+0000 in what is sent: the one character that JSON carries and PostgreSQL's text does not."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from fourfold import Create, Input
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.framework import framework_model, joined
from fourfold.contracts.schema import canonical

Text = Annotated[str, Field(max_length=40)]


class Note(Input):
    """Text in every place that it can have."""

    text: Text = ""
    code: Annotated[str, Field(pattern=r"^[a-z]*$", max_length=9)] = ""
    lines: Annotated[list[Text], Field(max_length=5, default_factory=list[Text])]
    by_name: Annotated[dict[Text, Text], Field(max_length=5, default_factory=dict[Text, Text])]


_FRAMEWORK = framework_model(Create(), page_limit=10)
_CHECK = InputCheck(Note, _FRAMEWORK, joined(canonical(Note), _FRAMEWORK))


def found(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """Where something is wrong, and what."""
    checked = _CHECK.check(arguments)
    return [] if isinstance(checked, CheckedInput) else [(problem.pointer, problem.code) for problem in checked]


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"text": "\0"}, "/text"),
        ({"text": "before\0after"}, "/text"),
        ({"text": "\0", "code": None}, "/text"),
        ({"code": "a\0"}, "/code"),
        ({"lines": ["fine", "\0"]}, "/lines/1"),
        ({"lines": '["fine", "\\u0000"]'}, "/lines/1"),
        ({"by_name": {"a": "\0"}}, "/by_name/a"),
        ({"by_name": {"\0": "a"}}, "/by_name/\ufffd"),
        ({"idempotency_key": "a-key-of-16-signs\0"}, "/idempotency_key"),
        ({"cursor": "\0"}, "/cursor"),
    ],
)
def test_a_nul_is_refused_where_it_stands(arguments: dict[str, Any], place: str) -> None:
    """A2, B4: text, item, value, name, or one of the framework's own; once, whatever else is wrong there."""
    assert found(arguments) == [(place, "nul_character")]


def test_other_problems_are_listed_beside_it() -> None:
    """A2: every problem at once."""
    assert found({"text": "\0", "code": "A", "lines": ["\0"]}) == [
        ("/text", "nul_character"),
        ("/lines/0", "nul_character"),
        ("/code", "pattern_mismatch"),
    ]


@pytest.mark.parametrize("text", ["\\u0000", "\\\\u0000", "\u2400", "\ufffd", "\x01", "\U0010ffff", "0000"])
def test_what_only_looks_like_it_is_untouched(text: str) -> None:
    """B2: a backslash before u0000, the symbol for NUL, and the other control characters are text."""
    checked: Any = _CHECK.check({"text": text, "by_name": {text: text}})

    assert (checked.request.text, checked.request.by_name) == (text, {text: text})


@given(text=st.text(max_size=40))
def test_a_text_passes_unless_it_holds_one(text: str) -> None:
    """B2: and then as it is."""
    checked: Any = _CHECK.check({"text": text})

    assert found({"text": text}) == ([("/text", "nul_character")] if "\0" in text else [])
    assert "\0" in text or checked.request.text == text
