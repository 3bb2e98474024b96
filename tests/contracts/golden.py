"""A model with one field of everything, and the schema that is published for it. Run it to print the schema."""

from __future__ import annotations

import json
import sys
from datetime import date, time
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AnyUrl, AwareDatetime, Field, SecretStr

from fourfold.contracts.base import Input
from fourfold.contracts.markers import Minor, Nullable, Offer, PathUnder, Personal, Secret, Subject
from fourfold.contracts.schema import canonical, published

__all__ = ["PUBLISHED", "Everything", "main"]


class Currency(StrEnum):
    """A docstring that is not published."""

    EUR = "EUR"
    USD = "USD"


class Line(Input):
    """A docstring that is not published either."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", examples=["ABC-1234"])]
    quantity: Annotated[int, Field(gt=0, lt=10_001)]
    unit_price_minor: Offer[Minor]


class Card(Input):
    """One way to pay."""

    kind: Literal["card"]
    token: Annotated[SecretStr, Secret(), Field(max_length=64)]


class Transfer(Input):
    """The other way to pay."""

    kind: Literal["transfer", "debit"]
    iban: Annotated[str, Personal(), Field(max_length=34)]


class Folder(Input):
    """A model that holds itself."""

    name: Annotated[str, Field(max_length=20)]
    inside: Annotated[tuple[Folder, ...], Field(max_length=5)] = ()


class Everything(Input):
    """One field of each kind."""

    account_id: Annotated[UUID, Subject(), Field(description="From account_find.")]
    currency: Currency
    lines: Annotated[list[Line], Field(min_length=1, max_length=200)]
    means: Annotated[Card | Transfer, Field(discriminator="kind")]
    mode: Literal["fast"] = "fast"
    note: Annotated[str | None, Field(max_length=80)] = None
    due: Annotated[date | None, Nullable(), Field(description="null clears it.")] = None
    paid_in: Annotated[Currency | None, Nullable()] = None
    at: AwareDatetime
    opens: time
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    weight: Annotated[Decimal, Field(max_digits=7, decimal_places=3, ge=0)]
    page: Annotated[AnyUrl | None, Field(max_length=200, description="Where it is shown.")] = None
    file: Annotated[Path, PathUnder("/srv/files")]
    labels: Annotated[frozenset[Literal["a", "b"]], Field(max_length=2)] = frozenset()
    folder: Annotated[Folder, Field(description="Where it goes.")]
    urgent: bool = False


PUBLISHED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "account_id": {"type": "string", "description": "From account_find.", "format": "uuid"},
        "currency": {"type": "string", "enum": ["EUR", "USD"]},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$", "examples": ["ABC-1234"]},
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 10000},
                    "unit_price_minor": {"type": "integer", "minimum": 0, "maximum": 9007199254740991},
                },
                "required": ["sku", "quantity", "unit_price_minor"],
                "additionalProperties": False,
            },
            "minItems": 1,
            "maxItems": 200,
        },
        "means": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "kind": {"type": "string", "enum": ["card"]},
                        "token": {"type": "string", "maxLength": 64},
                    },
                    "required": ["kind", "token"],
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {
                        "kind": {"type": "string", "enum": ["transfer", "debit"]},
                        "iban": {"type": "string", "maxLength": 34},
                    },
                    "required": ["kind", "iban"],
                    "additionalProperties": False,
                },
            ]
        },
        "mode": {"type": "string", "enum": ["fast"], "default": "fast"},
        "note": {"type": "string", "maxLength": 80},
        "due": {"type": ["string", "null"], "description": "null clears it.", "format": "date"},
        "paid_in": {"anyOf": [{"type": "string", "enum": ["EUR", "USD"]}, {"type": "null"}]},
        "at": {"type": "string", "format": "date-time"},
        "opens": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?$"},
        "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.5},
        "weight": {"type": "string", "pattern": "^[0-9]{1,4}(\\.[0-9]{1,3})?$"},
        "page": {
            "type": "string",
            "description": "Where it is shown. An absolute URL.",
            "minLength": 1,
            "maxLength": 200,
        },
        "file": {"type": "string", "minLength": 1, "maxLength": 4096},
        "labels": {
            "type": "array",
            "items": {"type": "string", "enum": ["a", "b"]},
            "maxItems": 2,
            "uniqueItems": True,
            "default": [],
        },
        "folder": {"description": "Where it goes.", "$ref": "#/$defs/Folder"},
        "urgent": {"type": "boolean", "default": False},
    },
    "required": ["account_id", "currency", "lines", "means", "at", "opens", "weight", "file", "folder"],
    "additionalProperties": False,
    "$defs": {
        "Folder": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 20},
                "inside": {"type": "array", "items": {"$ref": "#/$defs/Folder"}, "maxItems": 5, "default": []},
            },
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}
"""What clients read. A change here is a change of every contract that uses such a field."""


def main() -> None:
    """The schema as one line of JSON, and nothing else on standard output."""
    sys.stdout.write(json.dumps(published(canonical(Everything))))


if __name__ == "__main__":
    main()
