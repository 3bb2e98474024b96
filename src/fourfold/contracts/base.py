"""Base models of a contract: `Input`, `Form`, `Output`, `Page`, `Sourced`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, PrivateAttr
from pydantic_core import PydanticCustomError, core_schema

from fourfold.contracts.exact import exact
from fourfold.model.page import PageRequest, Position

__all__ = ["MAX_PAGE", "Form", "Input", "Output", "Page", "Sourced", "reject"]

MAX_PAGE = 100
"""The most items that a page may hold unless a contract sets less."""

Item = TypeVar("Item", bound=BaseModel)


_SETTINGS = ConfigDict(
    strict=True,
    extra="forbid",
    frozen=True,
    allow_inf_nan=False,
    hide_input_in_errors=True,
    ser_json_inf_nan="constants",
)
"""Settings of every model of a contract. NaN is written as it is, so that reading a result back finds it."""


class Input(BaseModel):
    """What a model may send. Closed, strict and immutable; nested models are `Input` too.

    It accepts what its published schema says and nothing beside it (`contracts.exact`). A validator of yours takes
    `mode="after"`: what runs before the check gets untyped JSON.
    """

    model_config = _SETTINGS

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """The model's schema, narrowed to the published forms."""
        return exact(handler(source), handler)


class Form(BaseModel):
    """What a person is asked for: flat, with fields that every client can show (`contracts.forms`).

    One without fields asks for a yes: the person accepts it or declines.
    """

    model_config = _SETTINGS

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """The model's schema, narrowed to the published forms."""
        return exact(handler(source), handler)


class Output(BaseModel):
    """What a tool returns. Closed and immutable; a field that has no value is left out, never `null`."""

    model_config = _SETTINGS

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """The model's schema, narrowed to the published forms."""
        return exact(handler(source), handler)


class Sourced(Output):
    """An output whose reader must judge the evidence: where it comes from, and as of when (with a time zone)."""

    source: Annotated[str, Field(min_length=1, max_length=200, description="Where the data comes from.")]
    as_of: Annotated[AwareDatetime, Field(description="When it was true, with a time zone.")]


class Page(Output, Generic[Item]):
    """A bounded page. `next_cursor` is there exactly while `has_more` is true; it is opaque and expires."""

    items: Annotated[list[Item], Field(max_length=MAX_PAGE)]
    returned: Annotated[int, Field(ge=0, le=MAX_PAGE)]
    has_more: bool
    next_cursor: Annotated[str | None, Field(max_length=2048, description="Pass as cursor for the next page.")] = None
    total: Annotated[int | None, Field(ge=0, le=2**53 - 1)] = None

    _position: Position | None = PrivateAttr(default=None)

    @classmethod
    def of(
        cls,
        found: Sequence[Item],
        request: PageRequest,
        *,
        position: Callable[[Item], Position],
        total: int | None = None,
    ) -> Page[Item]:
        """The page of `found`, which holds up to `request.limit + 1` items; one too many means that more follow.

        `position` gives the sort key of an item, in the order of the query.
        """
        items = list(found[: request.limit])
        has_more = len(found) > request.limit
        page = cls(items=items, returned=len(items), has_more=has_more, total=total)
        page._position = position(items[-1]) if has_more else None
        return page

    def at(self, position: Position | None) -> Self:
        """This page, with the next one starting after `position`."""
        self._position = position
        return self

    @property
    def position(self) -> Position | None:
        """Where the next page starts, before it is sealed into `next_cursor`."""
        return self._position


def reject(at: str, expected: str, *, code: str = "conflicting_arguments") -> Any:
    """The error that a model validator of an `Input` raises, so that the caller learns what would be accepted.

    ```python
    @model_validator(mode="after")
    def refresh_needs_active(self) -> Self:
        if self.refresh and not self.active:
            raise reject("refresh", "refresh only together with active: true")
        return self
    ```

    Args:
        at: the argument that is wrong, dotted below the model that raises (`lines.0`), or "" for the whole.
        expected: what would be accepted, in words; never the rejected value.
        code: a stable word, such as `missing_one_of`.
    """
    return PydanticCustomError("fourfold", "{expected}", {"code": code, "at": at, "expected": expected})
