"""Places in a schema that calls need: what is masked, what names the Subject, what is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from fourfold.contracts.markers import Offered, Personal, Secret, Subject
from fourfold.contracts.strict_json import pointer
from fourfold.contracts.walk import Schema, walk

__all__ = ["Masked", "counted", "first_subject", "masked", "offers"]


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
