"""What the build asks of `ask=` and its forms."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import AwareDatetime, Field, SecretStr

from fourfold import Secret, Unit
from fourfold.asking import Ask, Form, Visit
from fourfold.model.effect import Destroy
from fourfold.model.plan import Impact, PlanTerms
from fourfold.model.policy import Resource
from fourfold.ports.upstream import Keyed
from tests.catalog.test_declaration_rules import UnknownAccount
from tests.contracts.declaring import Nothing, Ok, built, catalog_of, problems_of, rules_of

Short = Annotated[str, Field(max_length=100)]


class Good(Form):
    """Everything that a form may hold."""

    name: Short
    note: Short | None = None
    count: Annotated[int, Field(ge=1, le=9, description="How many?")] = 1
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    day: date
    at: AwareDatetime
    sure: bool = False
    colour: Literal["red", "blue"]
    extras: Annotated[list[Literal["a", "b", "c"]], Field(max_length=3)]


class Yes(Form):
    """A yes."""


def with_good(request: Nothing, good: Good) -> Ok:
    """Takes the answer."""
    return Ok(done=good.sure)


def with_yes(request: Nothing, yes: Yes | None) -> Ok:
    """Takes the answer, if there is one."""
    return Ok(done=yes is not None)


def ask_good(request: Nothing, unit: Unit) -> Ask[Good]:
    """Ask it."""
    return Ask(Good, "Well?")


def ask_yes(request: Nothing, yes: Yes | None) -> Ask[Yes] | Visit:
    """Ask it."""
    return Ask(Yes, "Yes?")


def ask_with_answer(request: Nothing, yes: Yes) -> Ask[Yes]:
    """Wants the answer before it asks."""
    return Ask(Yes, "Yes?")


async def ask_slowly(request: Nothing) -> Ask[Yes]:
    """Awaits."""
    return Ask(Yes, "Yes?")


def ask_outside(request: Nothing, upstream: Keyed) -> Ask[Yes]:
    """Would reach outside."""
    return Ask(Yes, upstream.key())


def found(request: Nothing, yes: Yes | None) -> Resource | None:
    """An object that depends on an answer."""
    return None


def impact(request: Nothing) -> Impact:
    """What it would do."""
    return Impact(summary="nothing")


def find(request: Nothing) -> Resource | None:
    """No object."""
    return None


def test_a_form_is_published_as_clients_know_it() -> None:
    """B8: the restricted schema of 2026-07-28, and no keyword beside it."""
    questions = built(handler=with_good, ask=ask_good).contract.questions
    assert questions == {
        "good": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 100},
                "note": {"type": "string", "maxLength": 100},
                "count": {"type": "integer", "description": "How many?", "minimum": 1, "maximum": 9, "default": 1},
                "share": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5},
                "day": {"type": "string", "format": "date"},
                "at": {"type": "string", "format": "date-time"},
                "sure": {"type": "boolean", "default": False},
                "colour": {"type": "string", "enum": ["red", "blue"]},
                "extras": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "maxItems": 3},
            },
            "required": ["name", "day", "at", "colour", "extras"],
        }
    }


def test_the_forms_are_part_of_the_contract() -> None:
    """B8, B12: a changed form is a changed contract, and a tool that asks nothing has the digest it always had."""
    asking, plain = built(handler=with_yes, ask=ask_yes).contract, built().contract
    assert asking.questions == {"yes": {"type": "object", "properties": {}}}
    assert plain.questions == {}
    assert asking.wire_digest != plain.wire_digest


@pytest.mark.parametrize(
    ("rule", "declared"),
    [
        ("no_ask", {"handler": with_yes}),
        ("ask_function", {"handler": with_yes, "ask": ask_slowly}),
        ("ask_function", {"handler": with_yes, "ask": ask_outside}),
        ("early_answer", {"handler": with_yes, "ask": ask_with_answer}),
        ("early_answer", {"handler": with_yes, "ask": ask_yes, "resource": found, "missing": UnknownAccount}),
        (
            "ask_with_plan",
            {
                "handler": with_yes,
                "ask": ask_yes,
                "effect": Destroy(plan=PlanTerms(impact=impact)),
                "resource": find,
                "missing": UnknownAccount,
            },
        ),
    ],
)
def test_a_tool_asks_when_it_can_be_answered(rule: str, declared: dict[str, Any]) -> None:
    """B8: before anything happens, by a function that only reads."""
    assert [found for found, _ in rules_of(Nothing, Ok, **declared)] == [rule]


def form_of(kind: Any) -> type[Form]:
    """A form of one field."""
    return type("Asked", (Form,), {"__annotations__": {"value": kind}, "__module__": __name__})


def asking(form: type[Form]) -> dict[str, Any]:
    """The declaration of a tool that asks `form`."""

    def handler(request: Nothing, answer: Any) -> Ok:
        return Ok(done=True)

    handler.__annotations__ = {"request": Nothing, "answer": form, "return": Ok}
    return {"handler": handler, "ask": lambda: None}


@pytest.mark.parametrize(
    ("kind", "rules"),
    [
        (Annotated[str, Field(pattern="^a{1,3}$", max_length=3)], {"form_field"}),
        (Annotated[Decimal, Field(max_digits=5, decimal_places=2)], {"form_field"}),
        (time, {"form_field"}),
        (Annotated[set[Literal["a", "b"]], Field(max_length=2)], {"form_field"}),
        (Annotated[list[Short], Field(max_length=2)], {"form_field"}),
        (Annotated[float, Field(gt=0, lt=1)], {"form_field"}),
        (Literal[1, 2], {"form_field", "enum_not_text"}),
        (Yes, {"form_field"}),
        (dict[str, str], {"form_field", "free_form_object", "unbounded_string"}),
        (str, {"unbounded_string"}),
        (int, {"unbounded_number"}),
        (Annotated[str, Field(max_length=9), Secret()], {"form_asks_secret"}),
        (Annotated[SecretStr, Field(max_length=9)], {"form_asks_secret"}),
    ],
)
def test_what_no_client_can_show_or_nobody_must_type_is_no_form(kind: Any, rules: set[str]) -> None:
    """B8: and a credential least of all; it goes by a page of one's own."""
    assert {found for found, _ in rules_of(Nothing, Ok, **asking(form_of(kind)))} == rules


def test_a_secret_in_a_form_is_sent_to_a_page() -> None:
    """B8: the fix says how."""
    form = form_of(Annotated[str, Field(max_length=9), Secret()])
    (problem,) = problems_of(catalog_of(Nothing, Ok, **asking(form)))
    assert (problem.where, problem.fix) == (
        "thing_get: form asked",
        "ask with Visit, so that the person enters it on your own page",
    )


def test_two_forms_of_one_name_are_told_apart_by_nobody() -> None:
    """B8: their answers come under one key."""
    one, other = form_of(bool), form_of(Short)

    def handler(request: Any, first: Any, second: Any) -> Any:
        return request

    handler.__annotations__ = {"request": Nothing, "first": one, "second": other, "return": Ok}
    assert [found for found, _ in rules_of(Nothing, Ok, handler=handler, ask=ask_good)] == ["alike_forms"]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/login",
        "ftp://example.com",
        "https://user:secret@example.com/",
        "https:///login",
        "example.com",
        "https://example.com/\n",
        "",
    ],
)
def test_a_page_has_an_address_that_a_person_can_trust(url: str) -> None:
    """B8: no credentials in it, and nobody on the way can change it."""
    with pytest.raises(ValueError, match="a page to visit has"):
        Visit(url, "Please sign in")


@pytest.mark.parametrize("url", ["https://example.com/login?flow=1", "http://127.0.0.1:8000/login", "http://[::1]/x"])
def test_a_page_may_be_of_this_machine(url: str) -> None:
    """B8: for a trial."""
    assert Visit(url, "Please sign in").url == url


@pytest.mark.parametrize("message", ["", "  ", "x" * 2_001])
def test_a_message_says_something_in_so_many_words(message: str) -> None:
    """B8: for a form and for a page."""
    with pytest.raises(ValueError, match="1 to 2,000 characters"):
        Ask(Yes, message)
    with pytest.raises(ValueError, match="1 to 2,000 characters"):
        Visit("https://example.com", message)
