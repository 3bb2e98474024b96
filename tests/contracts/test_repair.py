"""Repairs: lossless, recorded, and nothing that could mean two things."""

from __future__ import annotations

import copy
import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from fourfold.contracts.base import Input
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.markers import Nullable
from fourfold.contracts.repair import repair
from fourfold.contracts.schema import canonical, published
from fourfold.model.fault import Problem
from tests.contracts.declaring import input_with
from tests.contracts.schema_models import Drawn, Tree, documents, models

Text = Annotated[str, Field(max_length=40)]


class User(Input):
    """A person."""

    name: Text
    age: Annotated[int | None, Field(ge=0, le=150)] = None


class Body(Input):
    """What a block holds."""

    text: Text


class Block(Input):
    """An object that holds an object."""

    kind: Text
    body: Body


class Card(Input):
    """One arm."""

    kind: Literal["card"]
    number: Text


class Cash(Input):
    """The other arm."""

    kind: Literal["cash"]
    note: Text | None = None


def _check(**fields: Any) -> InputCheck[Any]:
    model = input_with(**fields)
    return InputCheck(model, None, published(canonical(model)))


def _outcome(check: InputCheck[Any], arguments: Any) -> Any:
    """The arguments as the handler gets them, or pointer and code of each problem."""
    found = check.check(arguments)
    if isinstance(found, CheckedInput):
        return found.request.model_dump(mode="json", exclude_unset=True)
    return [(problem.pointer, problem.code) for problem in found]


def _notes(check: InputCheck[Any], arguments: Any) -> tuple[str, ...]:
    found = check.check(arguments)
    assert isinstance(found, CheckedInput)
    return found.repairs


def test_an_object_as_its_json_text_is_read_once() -> None:
    """A2: MP-025. One client sends text where another sends the object."""
    check = _check(user=User)
    arguments = {"user": '{"name":"sam","age":25}'}

    assert _outcome(check, arguments) == {"user": {"name": "sam", "age": 25}}
    assert _notes(check, arguments) == ("JSON text as object at /user",)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ('{"age":25}', [("/user/name", "missing_argument")]),
        ('{"name":"sam","age":"old"}', [("/user/age", "wrong_type")]),
        ('{"name":"sam","extra":1}', [("/user/extra", "unknown_argument")]),
        ('"{\\"name\\":\\"sam\\"}"', [("/user", "wrong_type")]),
        ('[{"name":"sam"}]', [("/user", "wrong_type")]),
        ('{"name":"sam","name":"eve"}', [("/user", "wrong_type")]),
        ('{"name":"sam","age":1e400}', [("/user", "wrong_type")]),
        ("{name: sam}", [("/user", "wrong_type")]),
        ("", [("/user", "wrong_type")]),
    ],
)
def test_what_is_wrong_inside_the_text_is_named_inside(text: str, problems: list[tuple[str, str]]) -> None:
    """A2: MP-025. The inner pointer, or the refusal of text that is no single sound object."""
    assert _outcome(_check(user=User), {"user": text}) == problems


def test_json_text_is_read_at_any_depth_and_text_that_looks_like_json_stays_text() -> None:
    """A2: MP-026. Items of a list, and members of those items."""
    check = _check(children=Annotated[list[Block], Field(max_length=9)])
    arguments = {"children": ['{"kind":"p","body":"{\\"text\\":\\"5\\"}"}', {"kind": "true", "body": {"text": "[1]"}}]}

    assert _outcome(check, arguments) == {
        "children": [{"kind": "p", "body": {"text": "5"}}, {"kind": "true", "body": {"text": "[1]"}}]
    }
    assert _notes(check, arguments) == ("JSON text as object at /children/0", "JSON text as object at /children/0/body")
    assert _outcome(check, {"children": json.dumps([{"kind": "p", "body": {"text": "x"}}])}) == {
        "children": [{"kind": "p", "body": {"text": "x"}}]
    }


def test_json_text_is_not_read_beyond_the_depth_that_the_wire_allows() -> None:
    """B19: text inside text inside text cannot nest deeper than a document may."""
    tree: Any = {"name": "a"}
    for _ in range(40):
        tree = {"name": "a", "children": [tree]}
    check = _check(tree=Tree)

    assert _notes(check, {"tree": json.dumps({"name": "a", "children": [{"name": "b"}]})})
    assert _outcome(check, {"tree": json.dumps(tree)}) == [("/tree", "wrong_type")]


def test_the_arm_of_a_union_is_repaired_when_its_tag_says_which() -> None:
    """A2: MP-025, MP-034. The same repairs inside a choice; without a sound tag nothing is touched."""
    check = _check(means=Annotated[Card | Cash, Field(discriminator="kind")])

    assert _outcome(check, {"means": '{"kind":"card","number":4111}'}) == {"means": {"kind": "card", "number": "4111"}}
    assert _outcome(check, {"means": {"kind": "cash", "note": None}}) == {"means": {"kind": "cash"}}
    assert _outcome(check, {"means": '{"kind":"cheque"}'}) == [("/means/kind", "not_allowed")]
    assert _outcome(check, {"means": '"card"'}) == [("/means", "wrong_type")]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"code": 1.6}, [("/code", "wrong_type")]),
        ({"code": 1}, [("/code", "wrong_type")]),
        ({"code": "1.600000", "ref": 2662}, {"code": "1.600000", "ref": "2662"}),
        ({"code": "1.600000", "ref": -7}, {"code": "1.600000", "ref": "-7"}),
        ({"code": "1.600000", "ref": 12345678901234567890}, [("/ref", "wrong_type")]),
        ({"code": "1.600000", "ref": 1.5}, [("/ref", "wrong_type")]),
        ({"code": "1.600000", "ref": True}, [("/ref", "wrong_type")]),
    ],
)
def test_digits_without_quotes_are_text_only_where_nothing_can_be_lost(arguments: Any, expected: Any) -> None:
    """A2: MP-029. A pattern or a format may have had zeros in front or behind, and a fraction always may."""
    check = _check(code=Annotated[str, Field(pattern=r"^[0-2]\.[0-9]{6}$")], ref=(Text | None, None))

    assert _outcome(check, arguments) == expected


@pytest.mark.parametrize("value", ["5", 5.0, True, "5.0", " 5", "5e0", None, [5]])
def test_nothing_but_an_integer_is_an_integer(value: Any) -> None:
    """A2: MP-028. No repair turns text into a number, whatever it looks like."""
    (problem,) = _outcome(_check(lots=Annotated[int, Field(ge=1, le=9)]), {"lots": value})

    assert problem == ("/lots", "wrong_type")


class Recall(Input):
    """Optional fields of each kind."""

    since: Annotated[str | None, Field(pattern=r"^\d{4}-\d\d-\d\d$")] = None
    due: Annotated[Text | None, Nullable()] = None
    mode: Literal["a", "b"] | None = None
    note: Text | None = None


@pytest.mark.parametrize(
    ("arguments", "expected", "notes"),
    [
        ({"since": None}, {}, ("null as absent at /since",)),
        ({"since": ""}, {}, ("empty text as absent at /since",)),
        ({"mode": ""}, {}, ("empty text as absent at /mode",)),
        ({"note": ""}, {"note": ""}, ()),
        ({"due": None}, {"due": None}, ()),
        ({"due": ""}, {"due": ""}, ()),
    ],
)
def test_null_and_empty_for_an_optional_argument_mean_absent(arguments: Any, expected: Any, notes: Any) -> None:
    """A2: MP-034. Unless null has a meaning there, or empty text is a text like any other."""
    check = InputCheck(Recall, None, published(canonical(Recall)))

    assert _outcome(check, arguments) == expected
    assert _notes(check, arguments) == notes


def test_null_is_absent_inside_a_list_of_objects_too() -> None:
    """A2: MP-034. And it is recorded there, though the model itself would have let it pass."""
    check = _check(users=Annotated[list[User], Field(max_length=3)])

    assert _notes(check, {"users": [{"name": "sam", "age": None}]}) == ("null as absent at /users/0/age",)
    assert _outcome(check, {"users": [{"name": None}]}) == [("/users/0/name", "wrong_type")]


def test_a_required_argument_is_never_made_absent() -> None:
    """A2: null or empty text there is an answer, and a wrong one."""
    check = _check(mode=Literal["a", "b"], note=Annotated[str, Field(min_length=1, max_length=9)])

    assert _outcome(check, {"mode": "", "note": ""}) == [("/mode", "not_allowed"), ("/note", "out_of_bounds")]


@settings(max_examples=150, deadline=None)
@given(drawn=models(), data=st.data())
def test_valid_arguments_are_never_changed(drawn: Drawn, data: st.DataObject) -> None:
    """A2: what the schema accepts goes through as it is; a repair that fires there would be a guess."""
    document = data.draw(drawn.values)
    before = copy.deepcopy(document)
    repaired = repair(document, published(canonical(drawn.model)))

    assert repaired.arguments == before
    assert repaired.notes == ()
    assert document == before


@settings(max_examples=150, deadline=None)
@given(drawn=models(), data=st.data())
def test_repairing_twice_is_repairing_once(drawn: Drawn, data: st.DataObject) -> None:
    """A2: whatever came in, with any member as JSON text or null; and the check accepts or refuses it, no more."""
    schema = published(canonical(drawn.model))
    document = data.draw(documents(drawn.values))
    for name in list(document):
        change = data.draw(st.sampled_from(["keep", "text", "null"]))
        document[name] = {"keep": document[name], "text": json.dumps(document[name]), "null": None}[change]
    once = repair(document, schema)

    assert repair(once.arguments, schema).arguments == once.arguments
    outcome = InputCheck(drawn.model, None, schema).check(document)
    assert isinstance(outcome, CheckedInput) or all(isinstance(each, Problem) for each in outcome)
