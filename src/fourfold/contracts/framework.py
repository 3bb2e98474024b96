"""Framework arguments: added to the published schema in one line each, stripped before the handler."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, create_model

from fourfold.contracts.base import Input
from fourfold.model.effect import Effect

__all__ = ["KEY_LENGTH", "RESERVED", "framework_model"]

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
