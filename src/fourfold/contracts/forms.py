"""Questions to a person: `Ask` with a form, `Visit` with a page, and what a form may consist of.

A form is flat, and made of what the revision 2026-07-28 lets a client show: text with a length or a format, numbers
with bounds, yes or no, one of some values, several of them. Credentials never go through one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, cast
from urllib.parse import urlsplit

from fourfold.contracts.base import Form
from fourfold.contracts.check import InputCheck
from fourfold.contracts.markers import MARKS, Secret
from fourfold.contracts.schema import canonical
from fourfold.contracts.walk import Schema, walk
from fourfold.errors import BuildProblem
from fourfold.model.contract import JsonObject

__all__ = ["Ask", "FormCheck", "Visit", "form_problems", "key_of_form"]

MAX_MESSAGE = 2_000
"""Characters of a message to a person."""

FormT = TypeVar("FormT", bound=Form)

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Ask(Generic[FormT]):
    """A question with a form. `message` is what the person reads, so no word of it should come from a model.

    `out_of_band` is the next step of a caller whose client cannot ask this way, if there is one.
    """

    form: type[FormT]
    message: str
    out_of_band: str = ""

    def __post_init__(self) -> None:
        _check_message(self.message)


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that the person opens, for what must not pass through the client: a login, a credential, a payment.

    That it was opened says nothing: it is asked for until `ask=` finds what the page was for, and no longer asks.
    The URL holds no personal data and no credential, and the page makes sure that its visitor is the caller.
    `out_of_band` is as for `Ask`.
    """

    url: str
    message: str
    out_of_band: str = ""

    def __post_init__(self) -> None:
        _check_message(self.message)
        parts = urlsplit(self.url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ValueError("a page to visit has an https URL")
        if not parts.hostname or parts.username is not None or not self.url.isprintable():
            raise ValueError("a page to visit has a host, and no user name in its URL")


def _check_message(message: str) -> None:
    if not 0 < len(message.strip()) <= len(message) <= MAX_MESSAGE:
        raise ValueError(f"a message to a person has 1 to {MAX_MESSAGE:,} characters")


def key_of_form(form: type[Form]) -> str:
    """What its answer goes by on the wire: `DeliveryDay` is `delivery_day`."""
    return _CAPITAL.sub("_", form.__name__).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCheck:
    """A form as it is published, and the check of what comes back."""

    key: str
    form: type[Form]
    schema: JsonObject
    check: InputCheck[Form]

    @classmethod
    def of(cls, form: type[Form]) -> FormCheck:
        """The check of a form that keeps the rules.

        Raises:
            Unpublishable: it has a type that JSON Schema has no word for.
        """
        schema = canonical(form)
        fields = cast("dict[str, Schema]", schema["properties"])
        published: Schema = {
            "type": "object",
            "properties": {name: _published(field) for name, field in fields.items()},
            **({"required": schema["required"]} if schema["required"] else {}),
        }
        return cls(key=key_of_form(form), form=form, schema=published, check=InputCheck(form, None, schema))


def _published(field: Schema) -> Schema:
    return {key: value for key, value in field.items() if key != MARKS}


_ALLOWED = {
    "string": {"type", "description", "minLength", "maxLength", "format", "enum", "default"},
    "integer": {"type", "description", "minimum", "maximum", "default"},
    "number": {"type", "description", "minimum", "maximum", "default"},
    "boolean": {"type", "description", "default"},
    "array": {"type", "description", "items", "minItems", "maxItems", "default"},
}
"""Keywords by type (2026-07-28, `PrimitiveSchemaDefinition`)."""

_FORMATS = frozenset({"date", "date-time", "email", "uri"})


def form_problems(schema: Schema, *, where: str) -> Iterator[BuildProblem]:
    """What a client could not show, and what a person must not be asked this way. `schema` is canonical."""
    if any(node.marks(Secret) for node in walk(schema)):
        yield BuildProblem(
            rule="form_asks_secret",
            where=where,
            what="a form that asks for a Secret",
            why="what is typed into a form passes through the client and its model",
            fix="ask with Visit, so that the person enters it on your own page",
        )
    for name, field in cast("dict[str, Schema]", schema["properties"]).items():
        odd = _odd(field)
        if odd:
            yield BuildProblem(
                rule="form_field",
                where=f"{where} /{name}",
                what=f"a form field with {odd}",
                why="clients show flat forms of text, numbers, yes or no, and choices; others drop the question",
                fix="use text with a max_length, a date, a number with ge and le, a bool, a Literal, or a list of one",
            )


def _odd(field: Schema) -> str:
    """What no client knows about `field`; "" if there is nothing."""
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _ALLOWED:
        return "a type that is not flat"
    unknown = field.keys() - _ALLOWED[kind] - {MARKS}
    if unknown:
        return " and ".join(sorted(unknown))
    if field.get("format", "date") not in _FORMATS:
        return f"the format {field['format']}"
    if kind == "array" and _published(field["items"]).keys() != {"type", "enum"}:
        return "items that are no choice"
    return ""
