"""NUL (U+0000), the one character that JSON can carry and PostgreSQL's text cannot hold.

It is refused in arguments and answers on every store, so that a tool does the same on all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fourfold.contracts.strict_json import Json, pointer
from fourfold.model.fault import Problem

__all__ = ["NUL_CODE", "NUL_EXPECTED", "may_hold_nul", "nul_problems", "without_nul"]

NUL_CODE = "nul_character"
NUL_EXPECTED = "text without the character U+0000"

_ESCAPED = b"\\u0000"


def may_hold_nul(raw: bytes) -> bool:
    """Whether a text of the JSON in `raw` can hold it. A backslash before `u0000` looks the same and is none."""
    return _ESCAPED in raw


def nul_problems(value: Json) -> tuple[Problem, ...]:
    """A problem for each text or name in `value` that holds it."""
    places = dict.fromkeys(_places(value, ()))
    return tuple(Problem(pointer=place, code=NUL_CODE, expected=NUL_EXPECTED) for place in places)


def without_nul(text: str) -> str:
    """`text` with U+FFFD in its place, for what is stored as it came: a client's name, an exception's text."""
    return text.replace("\0", "\ufffd")


def _places(value: Json, steps: tuple[str | int, ...]) -> Iterator[str]:
    if isinstance(value, str):
        if "\0" in value:
            yield without_nul(pointer(*steps))
    elif isinstance(value, dict):
        for name, item in cast("dict[str, Json]", value).items():
            yield from _places(name, (*steps, name))
            yield from _places(item, (*steps, name))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Json]", value)):
            yield from _places(item, (*steps, index))
