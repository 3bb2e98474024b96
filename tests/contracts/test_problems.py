"""Problems: the exact place, a stable code, what would be accepted, and never the rejected value."""

from __future__ import annotations

import copy
import json
from datetime import date
from typing import Annotated, Any, Literal, Self, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, model_validator

from fourfold.contracts.base import Input, reject
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.framework import framework_model
from fourfold.contracts.markers import Nullable
from fourfold.contracts.schema import canonical, published
from fourfold.model.effect import Create, Read
from fourfold.model.fault import Problem
from tests.contracts.declaring import built, input_with
from tests.contracts.refusing import problems
from tests.contracts.schema_models import Drawn, Tree, documents, models

Text = Annotated[str, Field(max_length=9)]
Small = Annotated[int, Field(ge=0, le=9)]


class Lookup(Input):
    """The names of a real tool that was called with others."""

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
    """A2: MP-031. There is nothing to suggest."""
    assert problems({"verbose": True}, input_with()) == [("/verbose", "unknown_argument", "no arguments here")]


def test_a_long_list_of_names_or_values_is_cut() -> None:
    """B19: an answer about a mistake stays short; what is cut is counted."""
    words = [f"w{number}" for number in range(30)]
    (_, _, names), *_ = problems({"q": 1}, **dict.fromkeys(words, (bool, False)))
    (_, _, values), *_ = problems({"value": "q"}, value=Literal[tuple(words)])

    assert names == f"the accepted names are {', '.join(words[:25])}"
    assert values == f"one of {', '.join(words[:25])} and 5 more"


class Line(Input):
    """A line of a quote."""

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
    """One way to pay."""

    kind: Literal["card"]
    number: Text


class Cheque(Input):
    """One arm with two tags."""

    kind: Literal["cheque", "check"]
    bank: Literal["a"]
    branch: Small


class ByBank(Input):
    """An arm of an arm."""

    kind: Literal["bank"]
    bank: Literal["b"]
    iban: Text


class ByGiro(Input):
    """Another arm of that arm."""

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
    """A2: MP-010. The pointer goes as deep as the fault."""
    found = problems({"tree": {"name": "a", "children": [{"name": "b", "left": {"name": "long"}}]}}, tree=Tree)

    assert found == [("/tree/children/0/left/name", "out_of_bounds", "a string in quotes of at most 3 characters")]


class Expose(Input):
    """Fields where null is no text."""

    everything: bool = False
    ids: Annotated[tuple[Annotated[str, Field(pattern=r"^[a-z]+\.[a-z0-9_]+$")], ...], Field(max_length=9)] = ()
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
    """One of two lists is needed."""

    project: Text
    paths: Annotated[tuple[Text, ...], Field(max_length=9, description="Required unless scopes is given.")] = ()
    scopes: Annotated[tuple[Text, ...], Field(max_length=9, description="Required unless paths is given.")] = ()

    @model_validator(mode="after")
    def one_of_both(self) -> Self:
        """Refuse a call with neither."""
        if not self.paths and not self.scopes:
            raise reject("", "paths or scopes, at least one of the two", code="missing_one_of")
        return self


class Capabilities(Input):
    """One flag needs the other."""

    active: bool = False
    refresh: bool = False

    @model_validator(mode="after")
    def refresh_needs_active(self) -> Self:
        """Refuse the one without the other."""
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
