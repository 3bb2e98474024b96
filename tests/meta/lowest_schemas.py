"""Prints the published schemas of many models, one JSON line each: two interpreters run it and must agree."""

from __future__ import annotations

import json
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, AnyUrl, AwareDatetime, BaseModel, Field, SecretStr, create_model

from fourfold.contracts.base import Input, Output, Page, Sourced
from fourfold.contracts.markers import Minor, Nullable, Offer, PathUnder, Personal, Secret
from fourfold.contracts.schema import canonical, published


class Currency(Enum):
    """A string enum."""

    EUR = "EUR"
    USD = "USD"


class Priority(IntEnum):
    """An integer enum."""

    LOW = 1
    HIGH = 2


class Line(Input):
    """A nested model; its docstring is not published."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", max_length=8, description="As printed on the label.")]
    quantity: Annotated[int, Field(gt=0, lt=10_001)]
    unit_price_minor: Offer[Minor]


class Tree(Input):
    """A model that holds itself."""

    name: Annotated[str, Field(max_length=20)]
    children: Annotated[tuple[Tree, ...], Field(max_length=5)] = ()


class Card(Input):
    """One arm of a union."""

    kind: Literal["card"]
    token: Annotated[SecretStr, Secret(), Field(max_length=64)]


class Transfer(Input):
    """The other arm."""

    kind: Literal["transfer"]
    iban: Annotated[str, Personal(), Field(max_length=34)]


class Row(Output):
    """An item of a page."""

    id: UUID
    total_minor: Minor


_KINDS: dict[str, Any] = {
    "bounded_text": Annotated[str, Field(min_length=1, max_length=80)],
    "pattern": Annotated[str, Field(pattern=r"^\w{1,8}$", max_length=8)],
    "integer": Annotated[int, Field(ge=-5, le=5)],
    "exclusive": Annotated[int, Field(gt=0, lt=10, multiple_of=2)],
    "number": Annotated[float, Field(ge=0, le=1)],
    "flag": bool,
    "decimal": Annotated[Decimal, Field(max_digits=12, decimal_places=4)],
    "uuid": UUID,
    "day": date,
    "moment": AwareDatetime,
    "naive": datetime,
    "clock": time,
    "span": timedelta,
    "link": Annotated[AnyUrl, Field(max_length=200)],
    "currency": Currency,
    "priority": Priority,
    "word": Literal["a", "b"],
    "one_word": Literal["only"],
    "numbers": Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(max_length=9)],
    "unique": Annotated[frozenset[Literal["x", "y"]], Field(max_length=2)],
    "pair": tuple[Annotated[int, Field(ge=0, le=1)], bool],
    "by_name": Annotated[dict[Annotated[str, Field(max_length=9)], bool], Field(max_length=3)],
    "nested": Line,
    "lines": Annotated[list[Line], Field(min_length=1, max_length=200)],
    "recursive": Tree,
    "means": Annotated[Card | Transfer, Field(discriminator="kind")],
    "either": Annotated[int, Field(ge=0, le=9)] | Currency,
    "clearable": Annotated[Currency | None, Nullable()],
    "path": Annotated[str, PathUnder("/srv")],
    "checked": Annotated[int, Field(ge=0, le=9), AfterValidator(abs)],
}


def models() -> dict[str, type[BaseModel]]:
    """Each kind of field as a required, an optional and a defaulted one, and the models of a contract."""
    found: dict[str, type[BaseModel]] = {"page": Page[Row], "sourced": Sourced, "line": Line, "tree": Tree}
    for name, kind in _KINDS.items():
        found[f"{name} required"] = create_model("Required", __base__=Input, field=(kind, ...))
        found[f"{name} optional"] = create_model("Optional", __base__=Input, field=(_or_none(kind), None))
        found[f"{name} returned"] = create_model("Returned", __base__=Output, field=(kind, Field(description="It.")))
    return found


def _or_none(kind: Any) -> Any:
    return kind | None


def main() -> None:
    """One line for each model, and nothing else on standard output."""
    for name, model in models().items():
        schema = published(canonical(model, output=issubclass(model, Output)))
        sys.stdout.write(json.dumps([name, schema], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
