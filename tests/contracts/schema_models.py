"""Models of every kind that a contract may have, with values that they accept and values that are nearly accepted.

A `Kind` is one type of field. `models` draws whole models of them, and `documents` draws JSON for a model: valid, or
with one thing changed.
"""

from __future__ import annotations

import copy
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Union, cast
from uuid import UUID

from hypothesis import strategies as st
from pydantic import AwareDatetime, Field, create_model
from typing_extensions import TypeAliasType

from fourfold.contracts.base import Input
from fourfold.contracts.markers import Minor, Nullable

__all__ = ["Drawn", "Kind", "Priority", "Tree", "documents", "kinds", "models"]

Json = Any
bounded: Any = Field
"""`Field`, for keywords that are drawn."""


class Currency(StrEnum):
    """A string enum."""

    EUR = "EUR"
    USD = "USD"


Priority = Enum("Priority", {"LOW": "low", "HIGH": "high", "URGENT": "high"})
"""An enum with an alias, which pydantic publishes twice."""


class Side(Enum):
    """An enum that is no text itself."""

    LEFT = "left"


class Tree(Input):
    """A model that holds itself."""

    name: Annotated[str, Field(max_length=3)]
    children: Annotated[tuple[Tree, ...], Field(max_length=2)] = ()
    left: Tree | None = None


Sku = TypeAliasType("Sku", Annotated[str, Field(pattern=r"^[A-Z]{2}-\d{2}$", description="As printed.")])


@dataclass(frozen=True)
class Kind:
    """A type with JSON values that it accepts."""

    annotation: Any
    values: st.SearchStrategy[Json] = field(repr=False)
    nullable: bool = False


_TEXT = st.text(st.sampled_from("aZ09_- é😀\n"), max_size=4)
_DIGITS = st.text(string.digits, min_size=2, max_size=2)


@st.composite
def _integers(draw: st.DrawFn) -> Kind:
    low = draw(st.integers(-9, 9))
    high = draw(st.integers(low, 12))
    lower, upper = draw(st.sampled_from([("ge", "le"), ("gt", "le"), ("ge", "lt"), ("gt", "lt")]))
    bounds = {lower: low - (lower == "gt"), upper: high + (upper == "lt")}
    step = draw(st.sampled_from([None, None, 2, 3]))
    values = st.integers(low, high).filter(lambda value: step is None or value % step == 0)
    has_one = step is None or any(value % step == 0 for value in range(low, high + 1))
    stepped = {"multiple_of": step} if step and has_one else {}
    return Kind(Annotated[int, bounded(**bounds, **stepped)], values if stepped else st.integers(low, high))


@st.composite
def _numbers(draw: st.DrawFn) -> Kind:
    low = draw(st.integers(-4, 4))
    high = low + draw(st.integers(1, 4))
    lower, upper = draw(st.sampled_from([("ge", "le"), ("gt", "lt")]))
    inside = st.floats(low, high, exclude_min=lower == "gt", exclude_max=upper == "lt", width=16)
    return Kind(Annotated[float, bounded(**{lower: low, upper: high})], inside.map(lambda value: value + 0.0))


@st.composite
def _strings(draw: st.DrawFn) -> Kind:
    low = draw(st.integers(0, 2))
    high = low + draw(st.integers(0, 2))
    values = st.text(st.sampled_from("aZ09_- é😀"), min_size=low, max_size=high)
    return Kind(Annotated[str, Field(min_length=low, max_length=high)], values)


_PATTERNS: list[tuple[str, st.SearchStrategy[str]]] = [
    (r"^[A-Z]{3}-\d{4}$", st.from_regex(r"\A[A-Z]{3}-[0-9]{4}\Z")),
    (r"^\w{1,3}$", st.from_regex(r"\A[A-Za-z0-9_]{1,3}\Z")),
    (r"^\D\S\W$", st.sampled_from(["a!-", "é٣ "])),
    (r"^[\d\s]{2}$", st.sampled_from(["1 ", "\t0"])),
    (r"^(?:a|bc)?x$", st.sampled_from(["x", "ax", "bcx"])),
    (r"é+", st.sampled_from(["é", "aéé"])),
]


def _leaves() -> st.SearchStrategy[Kind]:
    fixed = [
        Kind(bool, st.booleans()),
        Kind(UUID, st.uuids().map(str)),
        Kind(date, st.dates(date(1900, 1, 1)).map(str)),
        Kind(AwareDatetime, st.sampled_from(["2026-05-10T09:00:00-04:00", "2026-05-10t09:00:00.25z"])),
        Kind(Annotated[Decimal, Field(max_digits=4, decimal_places=2, ge=0)], st.sampled_from(["0", "12.5", "99.99"])),
        Kind(Currency, st.sampled_from(["EUR", "USD"])),
        Kind(Priority, st.sampled_from(["low", "high"])),
        Kind(Literal["a", "b"], st.sampled_from(["a", "b"])),
        Kind(Literal["only"], st.just("only")),
        Kind(Literal[Side.LEFT], st.just("left")),
        Kind(Minor, st.integers(0, 2**53 - 1)),
        Kind(Sku, st.sampled_from(["AB-12", "ZZ-00"])),
        Kind(Tree, st.just({"name": "a", "children": [{"name": "b"}], "left": {"name": "c"}})),
        Kind(Annotated[Currency | None, Nullable()], st.sampled_from(["EUR", None]), nullable=True),
        Kind(
            Annotated[Annotated[str, Field(max_length=2)] | None, Nullable()],
            st.sampled_from(["a", None]),
            nullable=True,
        ),
    ]
    patterns = [Kind(Annotated[str, Field(pattern=pattern, max_length=9)], values) for pattern, values in _PATTERNS]
    return st.one_of(st.sampled_from([*fixed, *patterns]), _integers(), _numbers(), _strings())


@st.composite
def _lists(draw: st.DrawFn, inner: st.SearchStrategy[Kind]) -> Kind:
    item = draw(inner)
    low = draw(st.integers(0, 1))
    bounds = Field(min_length=low, max_length=low + 2)
    if draw(st.booleans()):
        return Kind(
            Annotated[tuple[item.annotation, ...], bounds], st.lists(item.values, min_size=low, max_size=low + 2)
        )
    return Kind(Annotated[list[item.annotation], bounds], st.lists(item.values, min_size=low, max_size=low + 2))


@st.composite
def _sets(draw: st.DrawFn) -> Kind:
    of = draw(st.sampled_from([set, frozenset]))
    item: Any = draw(st.sampled_from([Currency, Annotated[int, Field(ge=0, le=3)], UUID]))
    values = {Currency: st.sampled_from(["EUR", "USD"]), UUID: st.uuids().map(str)}.get(item, st.integers(0, 3))
    low = draw(st.integers(0, 1))
    annotation = Annotated[cast("Any", of)[item], Field(min_length=low, max_length=2)]
    return Kind(annotation, st.lists(values, min_size=low, max_size=2, unique=True))


@st.composite
def _tagged(draw: st.DrawFn, inner: st.SearchStrategy[Kind]) -> Kind:
    arms: list[type[Input]] = []
    values: list[st.SearchStrategy[Json]] = []
    for index, tag in enumerate(("card", "transfer", "cash")[: draw(st.integers(2, 3))]):
        kind = draw(inner)
        fields: dict[str, Any] = {"kind": (Literal[tag], ...), f"value{index}": (kind.annotation, ...)}
        arms.append(create_model(f"Arm{index}", __base__=Input, **fields))
        values.append(st.fixed_dictionaries({"kind": st.just(tag), f"value{index}": kind.values}))
    union = Union[tuple(arms)]  # noqa: UP007  # the arms are not known before
    return Kind(Annotated[union, Field(discriminator="kind")], st.one_of(values))


def _either() -> st.SearchStrategy[Kind]:
    low: Any = Annotated[int, Field(ge=0, le=9)]
    return st.sampled_from(
        [
            Kind(low | bool, st.one_of(st.integers(0, 9), st.booleans())),
            Kind(low | Currency, st.one_of(st.integers(0, 9), st.just("EUR"))),
            Kind(Annotated[list[low], Field(max_length=2)] | low, st.one_of(st.integers(0, 9), st.just([1, 2]))),
        ]
    )


_NAMES = ("sku", "items", "type", "properties", "title", "default", "required", "enum", "anyOf", "pattern", "format")


@st.composite
def _nested(draw: st.DrawFn, inner: st.SearchStrategy[Kind]) -> Kind:
    drawn = draw(models(inner, max_fields=3))
    return Kind(drawn.model, drawn.values)


def kinds() -> st.SearchStrategy[Kind]:
    """Any type of field, nested a few deep."""

    def extend(inner: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
        return st.one_of(_lists(inner), _tagged(inner), _nested(inner))

    return st.recursive(st.one_of(_leaves(), _sets(), _either()), extend, max_leaves=4)


@dataclass(frozen=True)
class Drawn:
    """A model with values that it accepts; `defaults` are optional fields."""

    model: type[Input]
    values: st.SearchStrategy[dict[str, Json]] = field(repr=False)


@st.composite
def models(draw: st.DrawFn, inner: st.SearchStrategy[Kind] | None = None, *, max_fields: int = 4) -> Drawn:
    """A model of several fields: required ones, optional ones, ones with an alias or a description."""
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=max_fields, unique=True))
    fields: dict[str, Any] = {}
    required: dict[str, st.SearchStrategy[Json]] = {}
    optional: dict[str, st.SearchStrategy[Json]] = {}
    for index, name in enumerate(names):
        kind = draw(kinds() if inner is None else inner)
        described = draw(st.sampled_from([{}, {"description": "What it is."}, {"title": "It"}]))
        if draw(st.booleans()):
            fields[f"field{index}"] = (kind.annotation, bounded(alias=name, **described))
            required[name] = kind.values
        else:
            fields[f"field{index}"] = (kind.annotation | None, bounded(default=None, alias=name, **described))
            optional[name] = kind.values
    values = st.fixed_dictionaries(required, optional=optional)
    return Drawn(create_model("Drawn", __base__=Input, **fields), values)


_ODD: list[Json] = [
    True,
    False,
    0,
    1,
    3,
    -1,
    10,
    100,
    2**53,
    0.5,
    -3.25,
    1e300,
    "",
    "a",
    "abc",
    "null",
    "3",
    "true",
    "EUR",
    "eur",
    "AB-12",
    "ABC-1234",
    "ABC-٣٣٣٣",
    "ABC-1234\n",
    "low",
    [],
    {},
    [[]],
    ["a", "a"],
    [1, 1],
    {"kind": "card"},
    {"kind": "x"},
    {"name": "a"},
    "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "8F14E45F-CEEA-467A-9A2F-1B2C3D4E5F60",
    "8f14e45fceea467a9a2f1b2c3d4e5f60",
    "urn:uuid:8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "{8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60}",
    "2026-02-30",
    "20260131",
    "2026-01-31",
    "1700000000",
    "2026-01-31T00:00:00",
    "2026-01-31T00:00:00Z",
    "2026-01-31 00:00:00Z",
    "2026-01-31T00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T00:00:00+0100",
    "2026-01-31T00:00:00+24:00",
    "2026-01-31T00:00:00,5Z",
    "1.5",
    "1.50",
    "100.00",
    "+1",
    "1e1",
    "-0",
    " 1",
    "1_0",
    "٣",
    "NaN",
    "Infinity",
]
"""Values that some parser somewhere takes for something else."""


@st.composite
def documents(draw: st.DrawFn, values: st.SearchStrategy[dict[str, Json]]) -> dict[str, Json]:
    """JSON for a model: as drawn, or with up to two places changed. No null and no 3.0; those have their own tests."""
    document = copy.deepcopy(draw(values))
    for _ in range(draw(st.integers(0, 2))):
        places = list(_places(document))
        if places:
            draw(st.sampled_from(places))(draw)
    return document


def _places(node: Json) -> list[Callable[[st.DrawFn], None]]:
    """Every change of one member or item of `node`, at any depth."""
    found: list[Callable[[st.DrawFn], None]] = []
    if isinstance(node, dict):
        members = cast("dict[str, Json]", node)
        found.append(lambda draw: members.update({draw(st.sampled_from(["extra", *_NAMES])): _odd(draw)}))
        for name in members:
            found.append(lambda draw, name=name: members.update({name: _odd(draw)}))
            found.append(lambda draw, name=name: _forget(members, name))
            found.extend(_places(members[name]))
    if isinstance(node, list):
        items = cast("list[Json]", node)
        found.append(lambda draw: items.append(_odd(draw)))
        found.append(lambda draw: items.extend(copy.deepcopy(items)))
        for item in items:
            found.extend(_places(item))
    return found


def _odd(draw: st.DrawFn) -> Json:
    return copy.deepcopy(draw(st.sampled_from(_ODD)))


def _forget(members: dict[str, Json], name: str) -> None:
    members.pop(name, None)
