"""What is called instead, where a fault names the argument that was wrong."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.model.listed import ListedTool, ToolAnswer
from fourfold.prove.mending import mended, renumbered
from fourfold.review.view import ToolView

LINE = {"type": "object", "properties": {"price": {"type": "integer", "minimum": 0, "maximum": 50_000}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "currency": {"type": "string", "enum": ["EUR", "USD", "GBP"]},
        "lines": {"type": "array", "items": LINE},
        "note": {"type": "string"},
    },
}
TOOL = ToolView(ListedTool(definition={"name": "quote_create", "inputSchema": SCHEMA}))
SENT: dict[str, Any] = {"currency": "EUR", "lines": [{"price": 1}, {"price": 0}], "note": "x"}


def _fault(*pointers: str) -> ToolAnswer:
    problems = [{"pointer": pointer, "code": "wrong"} for pointer in pointers]
    return ToolAnswer(result={"isError": True, "_meta": {"fourfold/fault": {"code": "wrong", "problems": problems}}})


def test_a_listed_value_is_followed_by_the_others() -> None:
    """B12: the order of the schema."""
    found = [each["currency"] for each in mended(TOOL, SENT, answer=_fault("/currency", "/note"), sent=7)]
    assert found == ["USD", "GBP"]


def test_a_number_is_tried_in_other_sizes_that_the_schema_takes() -> None:
    """B12: inside a list too, and nothing beside it changes."""
    found = [*mended(TOOL, SENT, answer=_fault("/lines/1/price"), sent=7)]
    assert [each["lines"][1]["price"] for each in found] == [1, 100, 10_000]
    assert [each["lines"][0] for each in found] == [{"price": 1}] * 3
    assert SENT["lines"][1] == {"price": 0}


def test_a_text_that_may_be_taken_is_made_another_one() -> None:
    """B12: with the number of calls at its end, which no earlier call had."""
    assert [each["note"] for each in mended(TOOL, SENT, answer=_fault("/note"), sent=7)] == ["x 7"]


def test_a_text_that_was_given_a_number_gets_the_next_one() -> None:
    """B12: the same call about something else."""
    assert renumbered({"note": "x 7", "n": 7, "other": "7x"}, sent=9) == {"note": "x 9", "n": 7, "other": "7x"}


@pytest.mark.parametrize("answer", [_fault(), _fault("/lines/9/price"), _fault(""), ToolAnswer(result={})])
def test_what_names_no_place_to_change_is_not_mended(answer: ToolAnswer) -> None:
    """B12: no place, or one that is not among the arguments."""
    assert [*mended(TOOL, SENT, answer=answer, sent=7)] == []
