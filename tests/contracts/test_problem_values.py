"""Problems of single values: each code once, with the words that say what would be accepted."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AfterValidator, AwareDatetime, Field, HttpUrl, IPvAnyAddress, PastDate
from pydantic_core import PydanticCustomError

from fourfold.contracts.markers import Minor, Nullable
from tests.contracts.declaring import input_with
from tests.contracts.refusing import problems
from tests.contracts.schema_models import Priority, Tree

Text = Annotated[str, Field(max_length=9)]
Small = Annotated[int, Field(ge=0, le=9)]


def shout(text: str) -> str:
    """Raises what most validators raise, with the value in it."""
    raise ValueError(f"do not shout {text}")


def own_kind(text: str) -> str:
    """Raises an error of its own kind, with the value in it."""
    raise PydanticCustomError("house_style", "never {text}", {"text": text})


ONE = [
    pytest.param(
        Minor,
        100.75,
        "wrong_type",
        "an integer from 0 to 9,007,199,254,740,991, without quotes or decimals",
        id="fraction of a cent",
    ),
    pytest.param(Small, "3", "wrong_type", "an integer from 0 to 9, without quotes or decimals", id="text for integer"),
    pytest.param(
        Small, 3.0, "wrong_type", "an integer from 0 to 9, without quotes or decimals", id="float for integer"
    ),
    pytest.param(
        Small, True, "wrong_type", "an integer from 0 to 9, without quotes or decimals", id="true for integer"
    ),
    pytest.param(Small, 10, "out_of_bounds", "an integer from 0 to 9, without quotes or decimals", id="above"),
    pytest.param(
        Annotated[int, Field(ge=1, le=10_000)],
        0,
        "out_of_bounds",
        "an integer from 1 to 10,000, without quotes or decimals",
        id="below",
    ),
    pytest.param(
        Annotated[int, Field(ge=0, le=9, multiple_of=3)],
        4,
        "out_of_bounds",
        "an integer from 0 to 9, a multiple of 3, without quotes or decimals",
        id="step",
    ),
    pytest.param(Annotated[float, Field(gt=0, lt=1)], 1, "out_of_bounds", "a number above 0 below 1", id="exclusive"),
    pytest.param(Annotated[float, Field(ge=0.5)], "1", "wrong_type", "a number of at least 0.5", id="at least"),
    pytest.param(
        Annotated[int, Field(le=5)],
        [],
        "wrong_type",
        "an integer of at most 5, without quotes or decimals",
        id="at most",
    ),
    pytest.param(bool, "true", "wrong_type", "true or false, without quotes", id="boolean"),
    pytest.param(Text, ["a"], "wrong_type", "a string in quotes of at most 9 characters", id="string"),
    pytest.param(
        Annotated[str, Field(min_length=1, max_length=1)],
        "",
        "out_of_bounds",
        "a string in quotes of 1 character",
        id="one",
    ),
    pytest.param(
        Annotated[str, Field(min_length=2)],
        "a",
        "out_of_bounds",
        "a string in quotes of at least 2 characters",
        id="least",
    ),
    pytest.param(
        Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", examples=["ABC-1234"])],
        "ab-1",
        "pattern_mismatch",
        "text of 3 capital letters, '-', 4 digits, for example ABC-1234",
        id="pattern",
    ),
    pytest.param(
        Annotated[str, Field(pattern="^(a|b)+$")],
        "c",
        "pattern_mismatch",
        "text that matches ^(a|b)+$",
        id="odd pattern",
    ),
    pytest.param(Literal["EUR", "USD"], "eur", "not_allowed", "one of EUR, USD", id="enum"),
    pytest.param(Priority, "mid", "not_allowed", "one of low, high", id="enum class"),
    pytest.param(Literal["only"], "x", "not_allowed", "exactly only", id="constant"),
    pytest.param(Literal[1, True], 5, "not_allowed", "one of 1, true", id="numbers"),
    pytest.param(UUID, "abc", "bad_format", "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301", id="uuid"),
    pytest.param(UUID, 5, "wrong_type", "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301", id="number for uuid"),
    pytest.param(date, "31.01.2026", "bad_format", "a date as YYYY-MM-DD", id="date"),
    pytest.param(date, 20260131, "wrong_type", "a date as YYYY-MM-DD", id="number for date"),
    pytest.param(
        AwareDatetime,
        "2026-11-30T09:00:00",
        "bad_format",
        "a date and time with an offset, such as 2026-11-30T09:00:00+01:00",
        id="no offset",
    ),
    pytest.param(
        AwareDatetime,
        "2026-02-30T09:00:00Z",
        "bad_format",
        "a date and time with an offset, such as 2026-11-30T09:00:00+01:00",
        id="no such day",
    ),
    pytest.param(time, "9:00", "pattern_mismatch", "a time as HH:MM:SS", id="time"),
    pytest.param(
        Annotated[Decimal, Field(max_digits=5, decimal_places=2)],
        "1.234",
        "pattern_mismatch",
        "a decimal in quotes, with at most 3 digits before and at most 2 after the point",
        id="decimal",
    ),
    pytest.param(
        Annotated[Decimal, Field(max_digits=1, decimal_places=0)],
        1.5,
        "wrong_type",
        "a decimal in quotes, with at most 1 digit before",
        id="float for decimal",
    ),
    pytest.param(
        Annotated[Decimal, Field(max_digits=5, decimal_places=2, le=10)],
        "10.5",
        "out_of_bounds",
        "a decimal in quotes, with at most 3 digits before and at most 2 after the point, of at most 10",
        id="decimal bound",
    ),
    pytest.param(
        Annotated[date, Field(ge=date(2026, 1, 1))],
        "2025-12-31",
        "out_of_bounds",
        "a date as YYYY-MM-DD, of at least 2026-01-01",
        id="date bound",
    ),
    pytest.param(PastDate, "9999-01-01", "out_of_bounds", "a date as YYYY-MM-DD, in the past", id="past"),
    pytest.param(HttpUrl, "not a url", "bad_format", "an absolute URL, such as https://example.com/", id="url"),
    pytest.param(IPvAnyAddress, "300.1.1.1", "bad_format", "an IP address, such as 192.0.2.1", id="ip"),
    pytest.param(
        Annotated[list[bool], Field(min_length=1, max_length=200)],
        [],
        "out_of_bounds",
        "a list of 1 to 200 items",
        id="list",
    ),
    pytest.param(
        Annotated[list[bool], Field(max_length=2)], {}, "wrong_type", "a list of at most 2 items", id="object for list"
    ),
    pytest.param(
        Annotated[set[Priority], Field(max_length=2)],
        ["low", "low"],
        "not_allowed",
        "a list of at most 2 items, each once",
        id="set",
    ),
    pytest.param(Tree, [], "wrong_type", "an object with name, children, left", id="list for object"),
    pytest.param(Tree, "{broken", "wrong_type", "an object with name, children, left", id="text for object"),
    pytest.param(input_with(), 5, "wrong_type", "an object without members", id="empty object"),
    pytest.param(
        Small | bool,
        "x",
        "wrong_type",
        "an integer from 0 to 9, without quotes or decimals or true or false, without quotes",
        id="union",
    ),
    pytest.param(
        Small | Priority, 10, "out_of_bounds", "an integer from 0 to 9, without quotes or decimals", id="arm of a union"
    ),
    pytest.param(
        Annotated[Text | None, Nullable()],
        5.5,
        "wrong_type",
        "a string in quotes of at most 9 characters or null",
        id="nullable",
    ),
    pytest.param(
        Annotated[Priority | None, Nullable()], 5, "not_allowed", "one of low, high or null", id="nullable enum"
    ),
    pytest.param(
        Annotated[Text, AfterValidator(shout)],
        "LOUD",
        "not_allowed",
        "a string in quotes of at most 9 characters",
        id="author's ValueError",
    ),
    pytest.param(
        Annotated[Text, AfterValidator(own_kind)],
        "LOUD",
        "not_allowed",
        "a string in quotes of at most 9 characters",
        id="author's own kind",
    ),
]


@pytest.mark.parametrize(("kind", "value", "code", "expected"), ONE)
def test_a_wrong_value_is_answered_with_what_is_accepted(kind: Any, value: Any, code: str, expected: str) -> None:
    """A2, C1: MP-028, MP-124. The code is stable, the words are ours, and the value is not in them."""
    assert problems({"value": value}, value=kind) == [("/value", code, expected)]
