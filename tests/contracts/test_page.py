"""`Page`, `Sourced` and `reject`: the base models that authors build on."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from fourfold.contracts.base import MAX_PAGE, Output, Page, Sourced, reject
from fourfold.contracts.schema import canonical, published
from fourfold.model.page import PageRequest
from tests.contracts.declaring import Nothing, built, rules_of


class Row(Output):
    """An item of a page."""

    number: Annotated[int, Field(ge=0, le=999)]


def _page(found: int, limit: int, **more: Any) -> Page[Row]:
    rows = [Row(number=number) for number in range(found)]
    return Page[Row].of(rows, PageRequest(limit=limit), position=lambda row: (row.number,), **more)


def test_one_item_too_many_means_that_more_follow() -> None:
    """B3: the page holds what was asked for, and the position is that of its last item."""
    page = _page(4, 3, total=9)

    assert [row.number for row in page.items] == [0, 1, 2]
    assert (page.returned, page.has_more, page.total, page.position) == (3, True, 9, (2,))


@pytest.mark.parametrize("found", [0, 2, 3])
def test_the_last_page_has_no_position(found: int) -> None:
    """B3: absent at the end, never empty text and never null."""
    page = _page(found, 3)

    assert (page.returned, page.has_more, page.position) == (found, False, None)
    assert page.model_dump(exclude_none=True).keys() == {"items", "returned", "has_more"}


def test_a_page_is_published_with_its_bounds() -> None:
    """B3, B17: at most as many items as the tool says, a cursor, and counts."""
    schema = built(Nothing, Page[Row], page_limit=50).contract.output_schema

    assert schema["required"] == ["items", "returned", "has_more"]
    assert schema["properties"]["items"]["maxItems"] == 50
    assert schema["properties"]["returned"] == {"type": "integer", "minimum": 0, "maximum": 50}
    assert schema["properties"]["next_cursor"] == {
        "type": "string",
        "description": "Pass as cursor for the next page.",
        "maxLength": 2048,
    }
    assert published(canonical(Page[Row], output=True))["properties"]["items"]["maxItems"] == MAX_PAGE


@pytest.mark.parametrize("page_limit", [0, -1, 101])
def test_a_page_limit_that_no_page_can_keep_is_refused(page_limit: int) -> None:
    """B19: at least one item, at most a hundred."""
    assert rules_of(Nothing, Page[Row], page_limit=page_limit) == [("page_limit", "")]


def test_evidence_says_where_it_is_from_and_as_of_when() -> None:
    """B3: with a time zone, always."""
    schema = published(canonical(Sourced, output=True))

    assert schema["required"] == ["source", "as_of"]
    assert schema["properties"]["as_of"]["format"] == "date-time"
    with pytest.raises(ValidationError):
        Sourced.model_validate({"source": "ledger", "as_of": "2026-01-31T00:00:00"})


def test_inputs_and_outputs_cannot_be_changed_or_widened() -> None:
    """B2: closed, strict, immutable, also in Python."""
    row = Row(number=1)

    with pytest.raises(ValidationError):
        row.number = 2  # pyright: ignore[reportAttributeAccessIssue]  # frozen, which is what is tested
    with pytest.raises(ValidationError):
        Row.model_validate({"number": 1, "extra": 2})
    with pytest.raises(ValidationError):
        Row.model_validate({"number": "1"})


def test_a_rejection_carries_place_code_and_words() -> None:
    """A2: what a validator raises; the words are the author's, never the value."""
    error = reject("lines.0", "a smaller quantity")

    assert error.context == {"code": "conflicting_arguments", "at": "lines.0", "expected": "a smaller quantity"}
    assert error.message() == "a smaller quantity"
