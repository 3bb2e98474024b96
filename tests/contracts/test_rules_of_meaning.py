"""The rules about what a name or a marker means: money, identity, authority, secrets, consent, queries."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import (
    Field,
)

from fourfold.contracts.base import Input, Output
from fourfold.contracts.markers import (
    Minor,
    MinorUnits,
    Offer,
    Personal,
    Secret,
    Subject,
    Waived,
)
from tests.contracts.declaring import Nothing, catalog_of, input_with, output_with, rules_of

Text = Annotated[str, Field(max_length=9)]
Small = Annotated[int, Field(ge=0, le=9)]
YEARS = Annotated[str, Field(pattern=r"^\d{4}$")]
Currency = Literal["EUR", "USD"]


class Word(Enum):
    """A vocabulary of text."""

    A = "a"


class CardA(Input):
    """An arm with a tag."""

    kind: Literal["a"]


MEANING: list[tuple[str, str, Any, Any]] = [
    ("identity_argument", "tenant_id", UUID, None),
    ("authority_argument", "is_admin", bool, None),
    ("secret_argument", "apiKey", Text, None),
    ("consent_argument", "confirm", bool, None),
    ("authoritative_price", "unit_price", YEARS, Offer[YEARS]),
    ("free_query", "sql", Text, None),
    ("free_query", "shell_command", Text, Literal["ls", "df"]),
    ("bare_currency", "currency", Text, Currency),
    ("defaulted_currency", "currency", (Currency, "EUR"), (Literal["EUR"], "EUR")),
    ("money_without_currency", "amount_minor", Minor, Annotated[Small, MinorUnits("EUR")]),
]


@pytest.mark.parametrize(("rule", "name", "broken", "sound"), MEANING)
def test_a_name_with_a_meaning_has_one_problem(rule: str, name: str, broken: Any, sound: Any) -> None:
    """A1, B2, D2: identity, authority, secrets, consent, prices, queries, currencies, amounts."""
    assert rules_of(input_with(**{name: broken})) == [(rule, f"input /{name}")]
    assert sound is None or rules_of(input_with(**{name: sound})) == []


def test_an_amount_says_its_unit_and_its_currency() -> None:
    """A1: 100 may be cents or euros; beside a currency it is still one of the two."""
    assert rules_of(input_with(currency=Currency, amount=Small)) == [("money_without_unit", "input /amount")]
    assert rules_of(input_with(amount=Small)) == [
        ("money_without_unit", "input /amount"),
        ("money_without_currency", "input /amount"),
    ]
    assert rules_of(input_with(amount=Annotated[Small, MinorUnits("EUR")])) == []


def test_money_as_a_float_is_refused_with_its_missing_currency() -> None:
    """A1: MP-124. Both faults at once; a decimal with its digits bounded is no float."""
    amount = Annotated[float, Field(ge=0, le=9)]

    assert rules_of(input_with(amount=amount)) == [
        ("float_money", "input /amount"),
        ("money_without_currency", "input /amount"),
    ]
    assert rules_of(input_with(currency=Currency, amount=amount)) == [("float_money", "input /amount")]
    assert rules_of(Nothing, output_with(amount=Annotated[Decimal, Field(max_digits=8, decimal_places=4)])) == []


class PricedLine(Input):
    """A price without a currency of its own."""

    unit_price_minor: Offer[Minor]


def test_a_currency_around_the_amount_is_enough() -> None:
    """A1: in the same object, or in one around it; one inside a sibling is not."""
    lines = Annotated[list[PricedLine], Field(max_length=9)]

    assert rules_of(input_with(currency=Currency, lines=lines)) == []
    assert rules_of(input_with(lines=lines, other=input_with(currency=Currency))) == [
        ("money_without_currency", "input /lines/*/unit_price_minor")
    ]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"who": input_with(tenant_id=UUID)}, "/who/tenant_id"),
        ({"lines": Annotated[list[input_with(user_id=UUID)], Field(max_length=9)]}, "/lines/*/user_id"),
        (
            {"either": Annotated[input_with(kind=Literal["x"], isAdmin=bool) | CardA, Field(discriminator="kind")]},
            "/either/isAdmin",
        ),
        ({"by": (bool, Field(alias="approved"))}, "/approved"),
        ({"maybe": (input_with(approved=bool) | None, None)}, "/maybe/approved"),
        ({"user_id": UUID | CardA}, "/user_id"),
    ],
)
def test_a_forbidden_name_is_found_wherever_it_stands(fields: Any, where: str) -> None:
    """B2: nested, in lists, in unions, as an alias, in camel case; once each."""
    assert [place for _, place in rules_of(input_with(**fields))] == [f"input {where}"]


class Chain(Input):
    """A forbidden name in a model that holds itself."""

    tenant_id: UUID
    next: Chain | None = None


def test_a_forbidden_name_is_found_in_a_recursive_model() -> None:
    """B2: the definition is looked at, and the root that it came from."""
    assert rules_of(input_with(chain=Chain)) == [("identity_argument", "input /$defs/Chain/tenant_id")]


def test_a_forbidden_name_behind_an_alias_is_found_and_may_be_waived() -> None:
    """B2: what it is called on the wire does not change what the handler does with it."""
    hidden = (UUID, Field(alias="customer"))
    waived = (Annotated[UUID, Waived("hidden_argument", "a customer, in our words")], Field(alias="customer"))

    assert rules_of(input_with(user_id=hidden)) == [("hidden_argument", "input /customer")]
    assert rules_of(input_with(inner=input_with(user_id=hidden))) == [("hidden_argument", "input /inner/customer")]
    assert rules_of(input_with(user_id=waived)) == []


def test_plain_words_are_refused_until_somebody_says_why() -> None:
    """B2: a tool that administers users needs `role`; the reason is in the contract then."""
    tool = catalog_of(input_with(role=Annotated[Word, Waived("authority_argument", "the role of somebody else")]))

    assert rules_of(input_with(role=Word)) == [("authority_argument", "input /role")]
    (waiver,) = tool.build().tools["thing_get"].contract.waivers
    assert (waiver.rule, waiver.where, waiver.reason) == (
        "authority_argument",
        "input /role",
        "the role of somebody else",
    )


class Vault(Output):
    """A secret in a model that holds itself."""

    token: Annotated[str, Secret(), Field(max_length=9)]
    inside: Vault | None = None


@pytest.mark.parametrize("marker", [Secret(), Personal(), Subject()])
def test_a_marked_value_in_a_recursive_model_is_refused(marker: object) -> None:
    """B3: nobody could list all the places to mask."""
    assert rules_of(Nothing, output_with(vault=Vault)) == [("marked_recursion", "output /$defs/Vault/token")]
    assert rules_of(Nothing, output_with(token=Annotated[str, marker, Field(max_length=9)])) == []
