"""Places in a schema that calls need: what is masked, what names the Subject, what is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from fourfold.contracts.kept import hides, with_secret
from fourfold.contracts.markers import Offered, Personal, Secret, Subject
from fourfold.contracts.strict_json import pointer
from fourfold.contracts.walk import Schema, walk

__all__ = ["KeptShape", "Masked", "counted", "first_subject", "kept_shape", "masked", "offers"]

_GOOD_FOR_SOMETHING = frozenset({"idempotency_key", "plan_id", "digest", "cursor"})
"""Framework arguments that their caller could use again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptShape:
    """The canonical schemas, with their markers, by which arguments and results are kept.

    `request` is that of the author's own input, wherever it comes from. `hides` is whether it has anything secret or
    personal.
    """

    arguments: Schema
    request: Schema
    result: Schema
    hides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A place in results that is masked: always for a secret, unless the caller holds `unmask` for personal data."""

    steps: tuple[str, ...]
    unmask: str = ""


def masked(schema: Schema) -> tuple[Masked, ...]:
    """Secrets, always, and personal data, for whoever may not see it."""
    secrets = [Masked(steps=node.steps) for node in walk(schema) if node.marks(Secret)]
    personal = [Masked(steps=node.steps, unmask=mark.unmask) for node in walk(schema) for mark in node.marks(Personal)]
    return (*secrets, *personal)


def kept_shape(arguments: Schema, result: Schema, *, request: Schema) -> KeptShape:
    """By what is kept of calls with these schemas; the framework's own arguments count as the secrets they may be."""
    marked = with_secret(arguments, _GOOD_FOR_SOMETHING)
    return KeptShape(arguments=marked, request=request, result=result, hides=hides(request))


def first_subject(schema: Schema) -> tuple[str, ...] | None:
    """Where the run's Subject stands, as instance steps."""
    return next((node.steps for node in walk(schema) if node.marks(Subject)), None)


def offers(schema: Schema) -> tuple[str, ...]:
    """The arguments whose price is an offer, as JSON Pointers with `*` for each item."""
    return tuple(dict.fromkeys(pointer(*node.owner) for node in walk(schema) if node.marks(Offered)))


def counted(schema: Schema) -> tuple[str, ...]:
    """Top-level output fields with a declared vocabulary: an enum, or a list of one."""
    properties = cast("dict[str, Schema]", schema["properties"])
    return tuple(name for name, field_ in properties.items() if "enum" in field_ or "enum" in field_.get("items", {}))
