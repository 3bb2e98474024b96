"""Problems: the exact place, a stable code, what would be accepted, and never the rejected value."""

from __future__ import annotations

import copy
import json
from datetime import date, time
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, cast
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, AwareDatetime, Field, HttpUrl, IPvAnyAddress, PastDate, model_validator
from pydantic_core import PydanticCustomError

from fourfold.contracts.base import Input, reject
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.framework import framework_model
from fourfold.contracts.markers import Nullable
from fourfold.contracts.schema import canonical, published
from fourfold.model.effect import Create, Read
from fourfold.model.fault import Problem
from tests.contracts.declaring import built, input_with
from tests.contracts.schema_models import Drawn, Priority, Tree, documents, models

Text = Annotated[str, Field(max_length=9)]
Small = Annotated[int, Field(ge=0, le=9)]


def problems(arguments: Any, model: type[Input] | None = None, **fields: Any) -> list[tuple[str, str, str]]:
    """Path, code and expectation of everything that is wrong with `arguments`."""
    model = model or input_with(**fields)
    found = InputCheck(model, None, published(canonical(model))).check(arguments)
    assert not isinstance(found, CheckedInput), "the arguments were accepted"
    return [(problem.pointer, problem.code, problem.expected) for problem in cast("tuple[Problem, ...]", found)]


def shout(text: str) -> str:
    raise ValueError(f"do not shout {text}")


def own_kind(text: str) -> str:
    raise PydanticCustomError("house_style", "never {text}", {"text": text})


ONE = [
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
    pytest.param(UUID, "abc", "bad_format", "a UUID such as 8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", id="uuid"),
    pytest.param(UUID, 5, "wrong_type", "a UUID such as 8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", id="number for uuid"),
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


class Lookup(Input):
    symbol: Text
    maxDepth: Annotated[int, Field(ge=1, le=32)] = 3  # noqa: N815  # a name as clients know it


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"symbol": "f", "depth": 1},
            ("/depth", "unknown_argument", "perhaps maxDepth; the accepted names are symbol, maxDepth"),
        ),
        (
            {"symbol": "f", "max-depth": 1},
            ("/max-depth", "unknown_argument", "perhaps maxDepth; the accepted names are symbol, maxDepth"),
        ),
        ({"symbol": "f", "path": 1}, ("/path", "unknown_argument", "the accepted names are symbol, maxDepth")),
        ({}, ("/symbol", "missing_argument", "a string in quotes of at most 9 characters")),
    ],
)
def test_an_unknown_argument_is_refused_and_names_the_nearest_one(arguments: Any, expected: Any) -> None:
    """A2: MP-031, MP-032. It is never dropped, and the accepted names are all there."""
    assert problems(arguments, Lookup) == [expected]


def test_a_tool_without_arguments_says_so() -> None:
    """A2: MP-031"""
    assert problems({"verbose": True}, input_with()) == [("/verbose", "unknown_argument", "no arguments here")]


def test_a_long_list_of_names_or_values_is_cut() -> None:
    """B19: an answer about a mistake stays short; what is cut is counted."""
    words = [f"w{number}" for number in range(30)]
    (_, _, names), *_ = problems({"q": 1}, **dict.fromkeys(words, (bool, False)))
    (_, _, values), *_ = problems({"value": "q"}, value=Literal[tuple(words)])

    assert names == f"the accepted names are {', '.join(words[:25])}"
    assert values == f"one of {', '.join(words[:25])} and 5 more"


class Line(Input):
    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$")]
    quantity: Small


def test_every_problem_is_listed_with_its_own_path() -> None:
    """A2: deep ones, shallow ones and unknown ones together, so that one correction is enough."""
    found = problems(
        {"lines": [{"sku": "ABC-1234", "quantity": 3}, {"sku": "ab-1", "quantity": "3", "colour": "red"}], "x": 1},
        lines=Annotated[list[Line], Field(max_length=9)],
        day=date,
    )

    assert [(pointer, code) for pointer, code, _ in found] == [
        ("/lines/1/sku", "pattern_mismatch"),
        ("/lines/1/quantity", "wrong_type"),
        ("/lines/1/colour", "unknown_argument"),
        ("/day", "missing_argument"),
        ("/x", "unknown_argument"),
    ]


def test_a_path_reads_with_dots() -> None:
    """A2: the form of the article: lines.0.sku."""
    model = input_with(lines=Annotated[list[Line], Field(max_length=9)])
    found = InputCheck(model, None, published(canonical(model))).check({"lines": [{"sku": "ab-1", "quantity": 1}]})

    assert [problem.path for problem in cast("tuple[Problem, ...]", found)] == ["lines.0.sku"]


def test_a_name_with_odd_characters_is_escaped_and_cut() -> None:
    """A2: a pointer stays a pointer, and an answer stays short."""
    found = problems({"a/b~c": 1, "": 1, "n" * 300: 1}, input_with())

    assert [pointer for pointer, _, _ in found] == ["/a~1b~0c", "/", "/" + "n" * 100]


class CardPay(Input):
    kind: Literal["card"]
    number: Text


class Cheque(Input):
    kind: Literal["cheque", "check"]
    bank: Literal["a"]
    branch: Small


class ByBank(Input):
    kind: Literal["bank"]
    bank: Literal["b"]
    iban: Text


class ByGiro(Input):
    kind: Literal["bank"]
    bank: Literal["c"]
    giro: Text


Means = Annotated[CardPay | Cheque, Field(discriminator="kind")]
NestedFirst = Annotated[Annotated[ByBank | ByGiro, Field(discriminator="bank")] | CardPay, Field(discriminator="kind")]
Nested = Annotated[CardPay | Annotated[ByBank | ByGiro, Field(discriminator="bank")], Field(discriminator="kind")]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Means, {}, [("/value/kind", "missing_argument", "one of card, cheque, check")]),
        (Means, {"kind": "cash"}, [("/value/kind", "not_allowed", "one of card, cheque, check")]),
        (Means, {"kind": 5}, [("/value/kind", "not_allowed", "one of card, cheque, check")]),
        (Means, "cash", [("/value", "wrong_type", "an object with kind, number or an object with kind, bank, branch")]),
        (
            Means,
            {"kind": "card"},
            [("/value/number", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (
            Means,
            {"kind": "check", "branch": 10, "number": "1"},
            [
                ("/value/bank", "missing_argument", "exactly a"),
                ("/value/branch", "out_of_bounds", "an integer from 0 to 9, without quotes or decimals"),
                ("/value/number", "unknown_argument", "the accepted names are kind, bank, branch"),
            ],
        ),
        (Nested, {"kind": "bank"}, [("/value/bank", "missing_argument", "one of b, c")]),
        (Nested, {"kind": "x"}, [("/value/kind", "not_allowed", "one of card, bank")]),
        (
            Nested,
            {"kind": "bank", "bank": "c"},
            [("/value/giro", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (NestedFirst, {"kind": "bank"}, [("/value/bank", "missing_argument", "one of b, c")]),
        (
            NestedFirst,
            {"kind": "card"},
            [("/value/number", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (
            CardPay | Line,
            {"kind": "card"},
            [("/value", "missing_argument", "an object with kind, number or an object with sku, quantity")],
        ),
        (
            Annotated[list[Means], Field(max_length=2)],
            [{"kind": "card"}],
            [("/value/0/number", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (
            Annotated[CardPay | None, Nullable()],
            {"kind": "card"},
            [("/value/number", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (
            Annotated[Means | None, Nullable()],
            {"kind": "card"},
            [("/value/number", "missing_argument", "a string in quotes of at most 9 characters")],
        ),
        (
            Annotated[list[Line], Field(max_length=1)] | bool,
            [{"sku": "ABC-1234"}],
            [("/value/0/quantity", "missing_argument", "an integer from 0 to 9, without quotes or decimals")],
        ),
    ],
)
def test_a_union_names_its_tags_and_the_members_of_the_chosen_arm(kind: Any, value: Any, expected: Any) -> None:
    """A2, C1: the tag that is missing or unknown, or what is missing in the arm that the tag names."""
    assert problems({"value": value}, value=kind) == expected


YEAR = Annotated[str, Field(pattern=r"^\d{4}$")]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (dict[YEAR, Small], {"26": 1}, ("/value/26", "pattern_mismatch", "text of 4 digits")),
        (
            dict[YEAR, Small],
            {"2026": 10},
            ("/value/2026", "out_of_bounds", "an integer from 0 to 9, without quotes or decimals"),
        ),
        (dict[Literal["a"], Small], {"b": 1}, ("/value/b", "not_allowed", "exactly a")),
        (
            dict[Text, Small],
            {"b": "1"},
            ("/value/b", "wrong_type", "an integer from 0 to 9, without quotes or decimals"),
        ),
        (
            Annotated[dict[Text, Small], Field(max_length=1)],
            {"a": 1, "b": 1},
            ("/value", "out_of_bounds", "an object of at most 1 member"),
        ),
    ],
)
def test_free_keys_are_answered_like_names(kind: Any, value: Any, expected: Any) -> None:
    """A2: where a waiver allows them, a key is checked and named as an argument is."""
    assert problems({"value": value}, value=kind) == [expected]


def test_a_recursive_model_names_the_depth() -> None:
    """A2: MP-010"""
    found = problems({"tree": {"name": "a", "children": [{"name": "b", "left": {"name": "long"}}]}}, tree=Tree)

    assert found == [("/tree/children/0/left/name", "out_of_bounds", "a string in quotes of at most 3 characters")]


class Expose(Input):
    everything: bool = False
    ids: Annotated[list[Annotated[str, Field(pattern=r"^[a-z]+\.[a-z0-9_]+$")]], Field(max_length=9)] = []
    area: Literal["kitchen", "hall"] | None = None
    since: date | None = None
    count: Small | None = None
    note: Annotated[str | None, Field(max_length=3)] = None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"ids": ["null"]},
            (
                "/ids/0",
                "placeholder_value",
                "text that matches ^[a-z]+\\.[a-z0-9_]+$; if there is none, omit this argument",
            ),
        ),
        (
            {"area": "null"},
            ("/area", "placeholder_value", "one of kitchen, hall; if there is none, omit this argument"),
        ),
        (
            {"area": " NONE "},
            ("/area", "placeholder_value", "one of kitchen, hall; if there is none, omit this argument"),
        ),
        (
            {"since": "undefined"},
            ("/since", "placeholder_value", "a date as YYYY-MM-DD; if there is none, omit this argument"),
        ),
        (
            {"count": "nil"},
            (
                "/count",
                "placeholder_value",
                "an integer from 0 to 9, without quotes or decimals; if there is none, omit this argument",
            ),
        ),
        ({"note": "null"}, ("/note", "out_of_bounds", "a string in quotes of at most 3 characters")),
    ],
)
def test_a_word_for_nothing_is_told_apart_from_a_wrong_value(arguments: Any, expected: Any) -> None:
    """A2: MP-037. Where free text is accepted, null is a word like others."""
    assert problems(arguments, Expose) == [expected]


def test_a_required_argument_cannot_be_omitted() -> None:
    """A2: MP-037. The advice fits the argument."""
    assert problems({"value": "null"}, value=date) == [("/value", "placeholder_value", "a date as YYYY-MM-DD")]


class Coverage(Input):
    project: Text
    paths: Annotated[list[Text], Field(max_length=9, description="Required unless scopes is given.")] = []
    scopes: Annotated[list[Text], Field(max_length=9, description="Required unless paths is given.")] = []

    @model_validator(mode="after")
    def one_of_both(self) -> Self:
        if not self.paths and not self.scopes:
            raise reject("", "paths or scopes, at least one of the two", code="missing_one_of")
        return self


class Capabilities(Input):
    active: bool = False
    refresh: bool = False

    @model_validator(mode="after")
    def refresh_needs_active(self) -> Self:
        if self.refresh and not self.active:
            raise reject("refresh", "refresh only together with active: true")
        return self


def test_either_or_is_enforced_without_a_combinator_at_the_root() -> None:
    """A2: MP-002. The schema stays a plain object; the error names both."""
    assert problems({"project": "p1"}, Coverage) == [("", "missing_one_of", "paths or scopes, at least one of the two")]
    assert published(canonical(Coverage)).keys() == {"type", "properties", "required", "additionalProperties"}


def test_arguments_that_contradict_each_other_are_refused_at_the_one_that_is_wrong() -> None:
    """A2: MP-038. Nothing runs quietly in another mode."""
    nested = problems({"items": [{"refresh": True}]}, items=Annotated[list[Capabilities], Field(max_length=2)])

    assert problems({"active": False, "refresh": True}, Capabilities) == [
        ("/refresh", "conflicting_arguments", "refresh only together with active: true")
    ]
    assert [(pointer, code) for pointer, code, _ in nested] == [("/items/0/refresh", "conflicting_arguments")]


def test_at_most_fifty_problems_are_listed() -> None:
    """B19: of both halves of the arguments together, the author's first."""
    tool = built(input_with(lines=Annotated[list[Small], Field(max_length=99)]), effect=Create())
    found = tool.input.check({"lines": ["x"] * 60, "idempotency_key": "short"})

    assert len(cast("tuple[Problem, ...]", found)) == 50


def test_problems_of_framework_arguments_stand_beside_the_authors() -> None:
    """A2, B19: one list, one schema."""
    tool = built(input_with(value=Small), effect=Create())
    found = cast("tuple[Problem, ...]", tool.input.check({"value": 10, "idempotency_key": "short"}))

    assert [(problem.pointer, problem.code, problem.expected) for problem in found] == [
        ("/value", "out_of_bounds", "an integer from 0 to 9, without quotes or decimals"),
        ("/idempotency_key", "out_of_bounds", "a string in quotes of 16 to 128 characters"),
    ]
    assert framework_model(Read(), page_limit=None) is None


CANARY = "canary-7f3a"


@settings(max_examples=150, deadline=None)
@given(drawn=models(), data=st.data())
def test_no_rejected_value_is_ever_in_a_problem(drawn: Drawn, data: st.DataObject) -> None:
    """A2, A5: a canary in place of any value, as text, in a list, in an object; it is in no answer."""
    document = copy.deepcopy(data.draw(documents(drawn.values)))
    for name in document:
        if data.draw(st.booleans()):
            document[name] = data.draw(st.sampled_from([CANARY, [CANARY], {"kind": CANARY}, {"name": [CANARY]}]))
    found = InputCheck(drawn.model, None, published(canonical(drawn.model))).check(document)

    if not isinstance(found, CheckedInput):
        assert CANARY not in json.dumps([[each.pointer, each.code, each.expected] for each in found])


@settings(max_examples=150, deadline=None)
@given(drawn=models(), data=st.data())
def test_every_refusal_points_at_something_and_says_what_to_send(drawn: Drawn, data: st.DataObject) -> None:
    """A2: each place once, each code a word, no library text."""
    found = InputCheck(drawn.model, None, published(canonical(drawn.model))).check(data.draw(documents(drawn.values)))

    if not isinstance(found, CheckedInput):
        assert found
        assert len({problem.pointer for problem in found}) == len(found)
        for problem in found:
            assert problem.code.replace("_", "").isalpha()
            assert problem.expected
            assert "pydantic" not in problem.expected
