"""Every rule of schemas: one field that breaks it, one near miss, the waiver, and the waiver that is not needed."""

from __future__ import annotations

import dataclasses
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FutureDatetime,
    NaiveDatetime,
    RootModel,
    SecretStr,
    SkipValidation,
    StringConstraints,
    WithJsonSchema,
    WrapValidator,
    computed_field,
    model_validator,
)
from typing_extensions import TypeAliasType, TypedDict

from fourfold.contracts.base import Input, Output
from fourfold.contracts.markers import (
    Nullable,
    PathUnder,
    Waived,
)
from tests.contracts.declaring import Nothing, catalog_of, input_with, output_with, problems_of, rules_of

Text = Annotated[str, Field(max_length=9)]
Small = Annotated[int, Field(ge=0, le=9)]
Currency = Literal["EUR", "USD"]


class Word(Enum):
    """A vocabulary of text."""

    A = "a"


class Number(IntEnum):
    """A vocabulary of numbers."""

    A = 1


class Bits(Flag):
    """Values that add up."""

    A = 1
    B = 2


class Dated(Enum):
    """A vocabulary of days."""

    FIRST = date(2026, 1, 1)


class NoValues(Enum):
    """A vocabulary without words."""


class Plain(BaseModel):
    """A model that is neither an Input nor an Output."""

    done: bool


class Rooted(RootModel[bool]):
    """A model that is no object."""


@dataclasses.dataclass
class Data:
    """A dataclass."""

    done: bool


class Typed(TypedDict):
    """A typed dictionary."""

    done: bool


class Pair(NamedTuple):
    """A named tuple."""

    done: bool


class CardA(Input):
    """One arm."""

    kind: Literal["a"]
    value: bool


class CardB(Input):
    """Another arm."""

    kind: Literal["b"]
    other: bool


class Untagged(Input):
    """An arm without a tag."""

    other: bool


class Lenient(Input):
    """Settings that let more through."""

    model_config = ConfigDict(strict=False, str_strip_whitespace=True)


class Early(Input):
    """A validator before the check."""

    done: bool

    @model_validator(mode="before")
    @classmethod
    def rename(cls, value: Any) -> Any:
        """What an author would do with old names."""
        return value


When = TypeAliasType("When", datetime)
Cents = TypeAliasType("Cents", Annotated[int, Field(ge=0, le=100)])
Moment: Any = AwareDatetime
YEARS = Annotated[str, Field(pattern=r"^\d{4}$")]


def same(value: Any) -> Any:
    """Nothing, in fact."""
    return value


INPUT: list[tuple[str, Any, Any]] = [
    ("unbounded_string", str, Text),
    ("unbounded_string", Annotated[str, Field(pattern="^a+$")], YEARS),
    ("unbounded_string", AnyUrl, Annotated[AnyUrl, Field(max_length=90)]),
    ("unbounded_string", Decimal, Annotated[Decimal, Field(max_digits=8, decimal_places=2)]),
    ("unbounded_string", SecretStr, Annotated[SecretStr, Field(max_length=9)]),
    ("unbounded_array", list[bool], Annotated[list[bool], Field(max_length=2)]),
    ("unbounded_array", set[Word], Annotated[frozenset[Word], Field(max_length=2)]),
    ("untyped_items", Annotated[list[Any], Field(max_length=2)], Annotated[list[bool], Field(max_length=2)]),
    ("tuple_items", tuple[bool, Word], Annotated[tuple[bool, ...], Field(max_length=2)]),
    ("tuple_items", Pair, CardA),
    ("unbounded_number", int, Small),
    ("unbounded_number", Annotated[int, Field(ge=0)], Annotated[int, Field(gt=0, lt=9)]),
    ("unbounded_number", Annotated[float, Field(le=1)], Annotated[float, Field(ge=0, le=1)]),
    ("unsafe_number", Annotated[int, Field(ge=0, le=2**53)], Annotated[int, Field(ge=0, le=2**53 - 1)]),
    ("untyped_value", Any, bool),
    ("untyped_value", object, Word),
    ("free_form_object", dict[Text, bool], CardA),
    ("free_form_object", dict[YEARS, bool], Annotated[list[CardA], Field(max_length=2)]),
    ("binary_text", bytes, Text),
    ("binary_text", Annotated[bytes, Field(max_length=9)], Text),
    ("duration_text", timedelta, Small),
    ("open_path", Path, Annotated[Path, PathUnder("/srv")]),
    ("unportable_pattern", Annotated[str, Field(pattern="^(?i:a)$")], Annotated[str, Field(pattern="^(?:a)$")]),
    ("untagged_union", CardA | Untagged, Annotated[CardA | CardB, Field(discriminator="kind")]),
    ("untagged_union", CardA | CardB, CardA | Small),
    ("number_or_text", Text | Small, Word | Small),
    ("argument_name", (bool, Field(alias="StartTime<")), (bool, Field(alias="StartTime"))),
    ("argument_name", (bool, Field(alias="issue_types[]")), (bool, Field(alias="issue-types.x"))),
    ("argument_name", (bool, Field(alias="a" * 65)), (bool, Field(alias="a" * 64))),
    ("argument_name", (bool, Field(alias="")), (bool, Field(alias="x"))),
    ("argument_name", (bool, Field(alias="прайс")), (bool, Field(alias="price"))),
    ("empty_enum", NoValues, Word),
    ("enum_not_text", Literal[1, 2], Annotated[int, Field(ge=1, le=2)]),
    ("enum_not_text", Number, Word),
    ("enum_not_text", Literal[True], bool),
    ("enum_not_text", Literal["a", 7.5], Literal["a", "7.5"]),
    ("bad_default", (Small, 10), (Small, 9)),
    ("bad_default", (Annotated[str, Field(min_length=2, max_length=3)], "a"), (Text, "")),
    (
        "bad_default",
        (Annotated[list[bool], Field(max_length=1)], [True, True]),
        (Annotated[list[bool], Field(max_length=1)], []),
    ),
    ("bad_default", (Word, "b"), (Word, Word.A)),
    ("nullable_argument", bool | None, (bool | None, None)),
    ("nullable_argument", (bool | None, True), (Annotated[bool | None, Nullable()], True)),
    ("nullable_argument", None, Annotated[Word | None, Nullable()]),
    ("nullable_argument", CardA | None, (CardA | None, None)),
    ("naive_datetime", datetime, AwareDatetime),
    ("naive_datetime", NaiveDatetime, (Moment | None, None)),
    ("naive_datetime", FutureDatetime, AwareDatetime),
    ("naive_datetime", When, AwareDatetime),
    ("rewritten_text", Annotated[str, StringConstraints(strip_whitespace=True, max_length=9)], Text),
    ("rewritten_text", Annotated[str, StringConstraints(to_lower=True, max_length=9)], Text),
    ("early_validator", Annotated[Small, BeforeValidator(same)], Annotated[Small, AfterValidator(same)]),
    (
        "early_validator",
        Annotated[Small, WrapValidator(lambda value, check: check(value))],
        Annotated[AnyUrl, Field(max_length=9)],
    ),
    ("early_validator", Early, CardA),
    ("foreign_model", Plain, CardA),
    ("foreign_model", Rooted, CardA),
    ("foreign_model", Data, CardA),
    ("foreign_model", Typed, CardA),
    ("loosened_model", Lenient, Nothing),
    ("loosened_bound", Annotated[Small, Field(le=99)], Annotated[Small, Field(le=5)]),
    ("loosened_bound", Annotated[Cents, Field(le=1000)], Annotated[Cents, Field(le=50)]),
    ("loosened_bound", (Annotated[Small | None, Field(le=99)], None), (Annotated[Small | None, Field(le=9)], None)),
    ("own_schema", Annotated[Text, WithJsonSchema({"type": "string", "maxLength": 1})], Text),
    ("own_schema", (Text, Field(json_schema_extra={"maxLength": 1})), (Text, Field(examples=["a"]))),
    ("unchecked_value", SkipValidation[Small], Small),
    (
        "unchecked_value",
        Annotated[list[SkipValidation[Small]], Field(max_length=2)],
        Annotated[list[Small], Field(max_length=2)],
    ),
    ("flag_enum", Annotated[Bits, Waived("enum_not_text", "a test of the other rule")], Word),
    ("odd_vocabulary", Literal[b"a"], Literal["a"]),
    ("odd_vocabulary", Dated, Word),
    ("split_alias", input_with(x=(bool, Field(validation_alias="y"))), input_with(x=(bool, Field(alias="y")))),
    ("split_alias", input_with(x=(bool, Field(validation_alias=AliasChoices("y", "z")))), CardA),
    ("split_alias", input_with(x=(bool, Field(validation_alias=AliasPath("y", "z")))), CardA),
    ("split_alias", input_with(x=(bool, Field(serialization_alias="y"))), CardA),
]


@pytest.mark.parametrize(("rule", "broken", "sound"), INPUT)
def test_a_field_that_breaks_one_rule_has_one_problem_and_its_neighbour_none(
    rule: str, broken: Any, sound: Any
) -> None:
    """A1, B2, C1: MP-007, MP-014, MP-017, MP-022, MP-122. Place, fault, reason and fix, all in words."""
    found = [problem for problem in problems_of(catalog_of(input_with(value=broken))) if problem.rule == rule]

    assert len(found) == 1
    assert found[0].where.startswith("thing_get: input /")
    assert all(len(text.split()) >= 2 for text in (found[0].what, found[0].why, found[0].fix))
    assert found[0].severity == "error"
    assert rules_of(input_with(value=sound)) == []


def test_a_list_without_a_type_is_found_at_any_depth() -> None:
    """C1: MP-007. Inside lists and inside objects, with its own place."""
    days = Annotated[list[Annotated[list[Any], Field(max_length=9)]], Field(max_length=9)]
    notify = input_with(users=Annotated[list[Any], Field(max_length=9)])

    assert [each for each in rules_of(input_with(days=days, notify=notify)) if each[0] == "untyped_items"] == [
        ("untyped_items", "input /days/*"),
        ("untyped_items", "input /notify/users"),
    ]


NEVER_WAIVED = {"unsafe_number", "split_alias"}
WAIVABLE = [row for row in INPUT if row[0] not in {"flag_enum", *NEVER_WAIVED} and not isinstance(row[1], tuple)]


@pytest.mark.parametrize(("rule", "broken", "sound"), WAIVABLE)
def test_a_rule_is_waived_for_one_field_with_a_reason(rule: str, broken: Any, sound: Any) -> None:
    """B2: the waiver is in the contract, where `fourfold tools` shows it; one that sets nothing aside is refused."""
    waiver = Waived(rule, "the old clients send it")
    others = {each for each, _ in rules_of(input_with(value=broken))} - {rule}

    assert {each for each, _ in rules_of(input_with(value=Annotated[broken, waiver]))} == others
    unneeded = Annotated[bool, waiver]
    assert rules_of(input_with(value=unneeded)) == [("unused_waiver", "input /value")]


@pytest.mark.parametrize(("rule", "broken"), [(row[0], row[1]) for row in INPUT if row[0] in NEVER_WAIVED])
def test_what_cannot_work_cannot_be_waived(rule: str, broken: Any) -> None:
    """B2: parsers would round it, or another name would be read than the published one."""
    reason = Waived(rule, "the old clients send it")

    assert {each for each, _ in rules_of(input_with(value=Annotated[broken, reason]))} == {rule, "unused_waiver"}


OUTPUT: list[tuple[str, Any, Any]] = [
    ("unbounded_string", str, Text),
    ("unbounded_array", list[bool], Annotated[list[bool], Field(max_length=2)]),
    ("untyped_value", Any, Number),
    ("nullable_output", bool | None, (bool | None, None)),
    ("nullable_output", Literal["a", None], Literal["a"]),
    ("nullable_output", (Annotated[bool | None, Nullable()], None), (bool | None, None)),
    ("server_path", Annotated[Path, PathUnder("/srv")], Text),
    ("naive_datetime", datetime, AwareDatetime),
    ("foreign_model", Plain, output_with(done=bool)),
    ("unsafe_number", Literal[2**53], Literal[1, 2]),
]


@pytest.mark.parametrize(("rule", "broken", "sound"), OUTPUT)
def test_outputs_keep_the_same_rules_about_shape(rule: str, broken: Any, sound: Any) -> None:
    """B3: bounded, typed, zoned, and never null; numbers may be a vocabulary there."""
    assert rules_of(Nothing, output_with(value=broken)) == [(rule, "output /value")]
    assert rules_of(Nothing, output_with(value=sound)) == []
    assert rules_of(Nothing, output_with(value=Number)) == []


class Computed(Output):
    """A field that is computed."""

    net: bool

    @computed_field
    @property
    def gross(self) -> bool:
        """What is added to the result."""
        return self.net


def test_what_a_result_would_add_or_leave_out_is_refused() -> None:
    """B3: MP-043. Every result of such a model would break its own contract; in an input it harms nobody."""
    hidden = output_with(value=bool, secretly=(bool, Field(exclude=True)))

    assert rules_of(Nothing, Computed) == [("unpublished_field", "output")]
    assert rules_of(Nothing, output_with(nested=Computed)) == [("unpublished_field", "output /nested")]
    assert rules_of(Nothing, hidden) == [("unpublished_field", "output")]
    assert rules_of(input_with(secretly=(bool, Field(exclude=True)))) == []


def test_a_waiver_on_a_field_holds_for_its_items_and_arms() -> None:
    """B2: where the type is inside, its author marks the field."""
    reason = "a person reads it"
    listed = Annotated[list[str], Field(max_length=9), Waived("unbounded_string", reason)]

    assert rules_of(input_with(value=listed)) == []
    assert rules_of(input_with(value=Annotated[str | bool, Waived("unbounded_string", reason)])) == []


def test_a_waiver_needs_a_reason_in_words() -> None:
    """B2: whoever reads it later must be able to judge it."""
    with pytest.raises(ValueError, match="needs a reason in a few words"):
        Waived("unbounded_string", "because")


@pytest.mark.parametrize("names", [("page_1", "page_l"), ("fromDate", "to_date"), ("a_b", "a.b")])
def test_arguments_that_look_alike_are_refused_once(names: tuple[str, str]) -> None:
    """B2: the later one is to be renamed."""
    fields: dict[str, Any] = {f"field{index}": (bool, Field(alias=name)) for index, name in enumerate(names)}
    expected = [] if names[1] == "to_date" else [("alike_arguments", f"input /{names[1]}")]

    assert rules_of(input_with(**fields)) == expected


def test_a_large_enum_is_a_warning() -> None:
    """A11: it builds; 25 values are no problem, and outputs may have as many as they like."""
    at_most = Literal[tuple(f"v{number}" for number in range(25))]
    over = Literal[tuple(f"v{number}" for number in range(26))]
    (warning,) = catalog_of(input_with(value=over)).build().warnings

    assert (warning.rule, warning.severity) == ("large_enum", "warning")
    assert "26 values" in warning.what
    assert problems_of(catalog_of(input_with(value=at_most), output_with(value=over))) == ()


def test_every_problem_is_reported_at_once() -> None:
    """A1, B2: ten faults, ten problems, in the order of the fields."""
    request = input_with(
        a=str,
        b=list[bool],
        c=int,
        d=bytes,
        tenant_id=UUID,
        f=dict[Text, bool],
        g=datetime,
        h=Any,
        amount=Annotated[float, Field(ge=0, le=1)],
        currency=Text,
    )

    assert [rule for rule, _ in rules_of(request)] == [
        "unbounded_string",
        "unbounded_array",
        "unbounded_number",
        "binary_text",
        "identity_argument",
        "free_form_object",
        "naive_datetime",
        "untyped_value",
        "float_money",
        "bare_currency",
    ]
