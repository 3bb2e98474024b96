"""Whatever types an author writes: the tool works, or the build says what is wrong. Nothing else comes out."""

from __future__ import annotations

import collections
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from fractions import Fraction
from ipaddress import IPv4Address, IPv6Network
from typing import Annotated, Any, Generic, Literal, NewType, Optional, TypeVar, Union, cast
from uuid import UUID

import jsonschema_rs
import pytest
from pydantic import (
    UUID4,
    AfterValidator,
    AliasGenerator,
    AnyUrl,
    AwareDatetime,
    Base64Str,
    ByteSize,
    ConfigDict,
    Discriminator,
    FailFast,
    Field,
    FutureDate,
    HttpUrl,
    InstanceOf,
    Json,
    JsonValue,
    PlainValidator,
    RootModel,
    SecretBytes,
    SecretStr,
    SkipValidation,
    Tag,
    computed_field,
    create_model,
    field_serializer,
    model_validator,
)
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAliasType

from fourfold.contracts.base import Input, Output, Page
from fourfold.contracts.check import CheckedInput
from fourfold.errors import ContractError
from tests.contracts.declaring import Nothing, Ok, catalog_of, input_with, output_with

T = TypeVar("T")
Small = Annotated[int, Field(ge=0, le=9)]
UserId = NewType("UserId", int)
Aliased = TypeAliasType("Aliased", Annotated[int, Field(ge=0, le=5)])
Endless = TypeAliasType("Endless", "list[Endless] | bool")


class Same(Enum):
    """Two names for one value."""

    A = "a"
    B = "a"  # noqa: PIE796  # the second name


class Mixed(Enum):
    """Values of three types."""

    A = "a"
    B = 1
    C = None


class Pairs(Enum):
    """Values that are no scalars."""

    A = (1, 2)


class Rank(IntEnum):
    """Numbers with names."""

    LOW = 1


class Mode(StrEnum):
    """Text with names."""

    R = "r"


class Bits(Flag):
    """Values that add up."""

    A = 1


class IntBits(IntFlag):
    """Numbers that add up."""

    A = 1


class Empty(Enum):
    """No values."""


class Box(Input, Generic[T]):
    """A generic model."""

    value: T


class Base(Input):
    """A model with a subclass."""

    kind: Literal["base", "child"] = "base"
    first: Small


class Child(Base):
    """The subclass."""

    kind: Literal["child"] = "child"  # pyright: ignore[reportIncompatibleVariableOverride]  # authors narrow a tag so
    second: Small


class Camel(Input):
    """Names in another style on the wire."""

    model_config = ConfigDict(alias_generator=AliasGenerator(alias=to_camel))

    page_size: Small


class Computed(Input):
    """A field that is computed."""

    first: Small

    @computed_field
    @property
    def twice(self) -> int:
        """Double."""
        return 2 * self.first


class Rewritten(Output):
    """A field that is sent as another type."""

    first: Small

    @field_serializer("first")
    def as_text(self, value: int) -> str:
        """As text."""
        return str(value)


class Early(Input):
    """A validator before the check."""

    mode: Mode

    @model_validator(mode="before")
    @classmethod
    def lower(cls, value: Any) -> Any:
        """Nothing, in fact."""
        return value


class Numbers(RootModel[list[Small]]):
    """A model that is a list."""


class Left(Input):
    """One of two that hold each other."""

    right: Optional[Right] = None  # noqa: UP045  # a spelling that authors use


class Right(Input):
    """The other."""

    left: Annotated[tuple[Left, ...], Field(max_length=2)] = ()


class CardA(Input):
    """One arm."""

    kind: Literal["a"]


class CardB(Input):
    """Another arm."""

    kind: Literal["b", "c"]


class Side(Enum):
    """Tags that are no text themselves."""

    LEFT = "a"
    RIGHT = "b"


class LeftSide(Input):
    """An arm that is told by a member."""

    side: Literal[Side.LEFT]


class RightSide(Input):
    """The other arm."""

    side: Literal[Side.RIGHT]
    value: bool


def tag_of(value: Any) -> str:
    """The same arm for everything."""
    return "a"


KINDS: dict[str, Any] = {
    "any": Any,
    "object": object,
    "none": None,
    "type": type[int],
    "callable": Callable[[], None],
    "optional": Optional[bool],  # noqa: UP045  # a spelling that authors use
    "optional of optional": Optional[Optional[bool]],  # noqa: UP045  # as above
    "annotated twice": Annotated[Annotated[int, Field(ge=0)], Field(le=9)],
    "bytes": bytes,
    "bounded bytes": Annotated[bytes, Field(max_length=3)],
    "base64": Base64Str,
    "secret bytes": SecretBytes,
    "secret": SecretStr,
    "dict": dict[str, int],
    "dict by int": dict[int, bool],
    "bare dict": dict,
    "mapping": Mapping[str, bool],
    "counter": collections.Counter[str],
    "list": list,
    "sequence": Sequence[bool],
    "iterable": Iterable[bool],
    "deque": collections.deque[bool],
    "set": set[Mode],
    "frozenset": frozenset[Small],
    "set of models": set[CardA],
    "tuple": tuple[int, str],
    "empty tuple": tuple[()],
    "long tuple": Annotated[tuple[bool, ...], Field(max_length=2)],
    "float": float,
    "decimal": Decimal,
    "bounded decimal": Annotated[Decimal, Field(max_digits=9, decimal_places=2)],
    "complex": complex,
    "fraction": Fraction,
    "datetime": datetime,
    "aware": AwareDatetime,
    "date": date,
    "future": FutureDate,
    "time": time,
    "timedelta": timedelta,
    "uuid": UUID,
    "uuid4": UUID4,
    "url": AnyUrl,
    "http": HttpUrl,
    "ip": IPv4Address,
    "network": IPv6Network,
    "pattern": re.Pattern[str],
    "ints": Literal[1, 2],
    "true": Literal[True],
    "with none": Literal["a", None],
    "bytes literal": Literal[b"a"],
    "member": Literal[Mode.R],
    "plain member": Literal[Same.A],
    "tagged by members": Annotated[LeftSide | RightSide, Field(discriminator="side")],
    "same": Same,
    "mixed": Mixed,
    "pairs": Pairs,
    "rank": Rank,
    "mode": Mode,
    "flag": Bits,
    "int flag": IntBits,
    "empty enum": Empty,
    "generic": Box[bool],
    "raw generic": Box,
    "nested generic": Box[Box[Mode]],
    "child": Child,
    "camel": Camel,
    "computed": Computed,
    "early": Early,
    "root model": Numbers,
    "mutual": Left,
    "new type": UserId,
    "alias": Aliased,
    "endless": Endless,
    "json": Json[Any],
    "json value": JsonValue,
    "size": ByteSize,
    "instance": InstanceOf[CardA],
    "unchecked": SkipValidation[Small],
    "plain": Annotated[int, PlainValidator(lambda value: value)],
    "after": Annotated[Small, AfterValidator(lambda value: value)],
    "fail fast": Annotated[list[bool], FailFast(), Field(max_length=2)],
    "union": Union[Small, bool],  # noqa: UP007  # as above
    "int or float": Small | Annotated[float, Field(ge=0, le=1)],
    "nested union": Small | (bool | Mode),
    "tagged": Annotated[CardA | CardB, Field(discriminator="kind")],
    "untagged": CardA | CardB,
    "base or child": Base | Child,
    "by function": Annotated[Annotated[CardA, Tag("a")] | Annotated[CardB, Tag("b")], Discriminator(tag_of)],
    "optional tagged": Optional[Annotated[CardA | CardB, Field(discriminator="kind")]],  # noqa: UP045  # as above
    "list of tagged": list[Annotated[CardA | CardB, Field(discriminator="kind")]],
}


def _built_or_refused(request: Any, output: Any) -> bool:
    """Whether it builds; then the schemas are sound, else every problem is a whole sentence or more."""
    try:
        contract = catalog_of(request, output).build().tools["thing_get"].contract
    except ContractError as refused:
        problems = refused.problems
    else:
        _check_published(dict(contract.input_schema), dict(contract.output_schema))
        return True
    assert all(problem.what and problem.why and problem.fix for problem in problems)
    return False


def _check_published(*schemas: dict[str, Any]) -> None:
    for schema in schemas:
        jsonschema_rs.meta.validate(schema)
        assert schema["type"] == "object"


@pytest.mark.parametrize("name", KINDS)
def test_an_odd_type_works_or_is_a_problem(name: str) -> None:
    """B2, B3: on both sides, required, optional and in a list; no library's traceback comes out of a build."""
    kind = KINDS[name]
    for parts in (kind, (kind, None), Annotated[list[kind], Field(max_length=2)]):
        _built_or_refused(input_with(value=parts), Ok)
        _built_or_refused(Nothing, output_with(value=parts))


WORKS: dict[str, Any] = {
    "annotated twice": 5,
    "long tuple": [True],
    "bounded decimal": "1.50",
    "aware": "2026-01-31T00:00:00Z",
    "date": "2026-01-31",
    "future": "9999-01-01",
    "time": "09:00:00",
    "uuid": "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "uuid4": "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "http": "https://shop.example/",
    "ip": "10.0.0.1",
    "network": "::1/128",
    "member": "r",
    "plain member": "a",
    "same": "a",
    "mode": "r",
    "generic": {"value": True},
    "nested generic": {"value": {"value": "r"}},
    "child": {"kind": "child", "second": 1, "first": 2},
    "camel": {"pageSize": 3},
    "computed": {"first": 1},
    "mutual": {"right": {"left": [{}]}},
    "alias": 3,
    "instance": {"kind": "a"},
    "after": 3,
    "fail fast": [True],
    "union": True,
    "int or float": 0.5,
    "nested union": "r",
    "tagged": {"kind": "c"},
    "tagged by members": {"side": "b", "value": True},
}
"""What builds as a required argument, with a value that is then accepted."""


@pytest.mark.parametrize("name", KINDS)
def test_each_odd_type_is_on_one_side_only(name: str) -> None:
    """B2: it works, or it is refused; a change here is a change for authors."""
    assert _built_or_refused(input_with(value=KINDS[name]), Ok) is (name in WORKS)


@pytest.mark.parametrize("name", WORKS)
def test_what_builds_can_be_filled_and_returned(name: str) -> None:
    """B2, B3: the published schema accepts the value, the handler gets it, and a result may hold it."""
    document = {"value": WORKS[name]}
    tool = catalog_of(input_with(value=KINDS[name]), Ok).build().tools["thing_get"]
    returned = output_with(value=KINDS[name]).model_validate_json(json.dumps(document))

    assert jsonschema_rs.is_valid(dict(tool.contract.input_schema), document)
    assert isinstance(tool.input.check(document), CheckedInput)
    if name != "computed":
        serialized = catalog_of(Nothing, type(returned)).build().tools["thing_get"].output.serialize(returned)
        assert json.loads(serialized).keys() == {"value"}


def test_a_reference_to_nowhere_is_a_problem() -> None:
    """B2: a model that was never completed."""
    lost: Any = cast("Any", create_model)("Lost", __base__=Input, value=("Nowhere", ...))

    assert not _built_or_refused(lost, Ok)


def test_a_serializer_that_changes_the_type_is_caught_when_it_runs() -> None:
    """B3: MP-043. The build cannot know what a function will do; the check of every result does."""
    tool = catalog_of(Nothing, Rewritten).build().tools["thing_get"]

    with pytest.raises(Exception, match="breaks the output contract at first"):
        tool.output.serialize(Rewritten(first=1))


def test_pages_of_odd_things_are_looked_at_too() -> None:
    """B3: the item type is part of the contract."""
    assert _built_or_refused(Nothing, Page[Ok])
    assert not _built_or_refused(Nothing, Page)
    assert not _built_or_refused(Nothing, Page[output_with(value=Any)])  # pyright: ignore[reportInvalidTypeArguments]  # made at run time
