"""Framework arguments: added to the published schema in one line each, stripped before the handler."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, create_model

from fourfold.contracts.base import Input
from fourfold.contracts.schema import canonical
from fourfold.contracts.walk import Schema
from fourfold.model.effect import Effect

__all__ = ["KEY_LENGTH", "RESERVED", "framework_model", "joined", "plan_model"]

KEY_LENGTH = (16, 128)
"""Characters of an idempotency key, at least and at most."""

_KEY = Annotated[
    str | None,
    Field(
        min_length=KEY_LENGTH[0],
        max_length=KEY_LENGTH[1],
        description="Repeat the same value when you retry; take a new one for a new intent.",
    ),
]
_VERSION = Annotated[str, Field(min_length=1, max_length=64, description="The version that the last read returned.")]
_CURSOR = Annotated[
    str | None, Field(min_length=1, max_length=2048, description="next_cursor of the page before; leave out at first.")
]

RESERVED = frozenset({"idempotency_key", "expected_version", "plan_id", "digest", "cursor", "limit"})
"""Names that an author's model may not use."""


def framework_model(effect: Effect, *, page_limit: int | None) -> type[Input] | None:
    """The model of the framework arguments that a tool takes, or `None` if it takes none."""
    fields: dict[str, Any] = {}
    if effect.takes_version:
        fields["expected_version"] = (_VERSION, ...)
    if effect.takes_key:
        fields["idempotency_key"] = (_KEY, None)
    if page_limit is not None:
        fields["cursor"] = (_CURSOR, None)
        fields["limit"] = (Annotated[int, Field(ge=1, le=page_limit, description="Items a page.")], page_limit)
    return create_model("FrameworkArguments", __base__=Input, **fields) if fields else None


def plan_model(effect: Effect) -> type[Input] | None:
    """The framework arguments of the tool that plans a write of that effect: what it is planned on, and no key."""
    return (
        create_model("PlanArguments", __base__=Input, expected_version=(_VERSION, ...))
        if effect.takes_version
        else None
    )


def joined(own: Schema, framework: type[Input] | None) -> Schema:
    """The author's input schema with the framework's arguments at its end."""
    if framework is None:
        return own
    extra = canonical(framework)
    return {
        **own,
        "properties": {**own["properties"], **extra["properties"]},
        "required": [*own["required"], *extra["required"]],
    }
