"""`Breach`: what one rule found at one place of a schema, before it is known whether it is waived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fourfold.contracts.walk import Node, Schema

__all__ = ["Breach", "Rule", "types_of"]


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule: its stable word, what is wrong, why it hurts, and the fix."""

    rule: str
    what: str
    why: str
    fix: str
    severity: str = "error"


Rule = Callable[[Node], Iterator[Breach]]


def types_of(schema: Schema) -> tuple[str, ...]:
    """The JSON types that `schema` names at its top; none for a union."""
    kind = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)
