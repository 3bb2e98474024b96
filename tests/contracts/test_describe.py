"""The rendered description: every part, in one order, within one length."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold.contracts.base import Output, Page
from fourfold.contracts.describe import MAX_DESCRIPTION, describe
from fourfold.contracts.schema import canonical
from fourfold.model.contract import Selection
from fourfold.model.effect import Create, Destroy, Effect, ObservableRead, Preview, Read, Update
from tests.contracts.declaring import Nothing, Ok, built, catalog_of, output_with, problems_of

SELECTION = Selection(
    does="Lists invoices", use_when="the user asks what is open", not_for="one invoice (invoice_get)."
)


def test_the_parts_are_rendered_in_order_as_sentences() -> None:
    """B1: what it does, when, when not, inputs, output, effect; spaces and full stops put right."""
    selection = Selection(
        does="Lists  invoices",
        use_when="the user asks\n  what is open",
        not_for="one invoice (invoice_get)!",
        inputs="status is open or overdue",
        returns="At most 50 rows?",
    )

    assert describe(selection, Read(), output={}) == (
        "Lists invoices. Use when the user asks what is open. Not for one invoice (invoice_get)! "
        "status is open or overdue. At most 50 rows? Reads only."
    )


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (Read(), "Reads only."),
        (ObservableRead(), "Reads only; the other side can see it."),
        (Preview(), "Previews only; saves nothing."),
        (Create(), "Commits: adds a record."),
        (Update(), "Commits: changes a record."),
        (Destroy(), "Commits: cannot be undone."),
    ],
)
def test_the_effect_is_said_at_the_end(effect: Effect, words: str) -> None:
    """B1, B4: reads, previews or commits."""
    assert describe(SELECTION, effect, output={}).endswith(words)


class Row(Output):
    """An item of a page."""

    id: Annotated[str, Field(max_length=9)]


class Shelf(Output):
    """Has the names of a page, and is none."""

    items: Annotated[str, Field(max_length=9)]
    has_more: bool


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Ok, "Returns done."),
        (Nothing, "Returns nothing but success."),
        (Shelf, "Returns items, has_more."),
        (Page[Row], "Returns at most 100 items a page, each with id; next_cursor while there are more."),
    ],
)
def test_what_comes_back_is_read_from_the_output_contract(model: Any, words: str) -> None:
    """B1, B3: names and limits; a model that only looks like a page is none."""
    assert words in describe(SELECTION, Read(), output=canonical(model, output=True))


def test_a_page_says_the_limit_of_its_tool() -> None:
    """B1: not the largest that a page may have."""
    assert "at most 20 items a page" in built(Nothing, Page[Row], page_limit=20).contract.description


def test_a_description_is_measured_with_all_that_is_rendered() -> None:
    """B1: the names of a wide result count too; what stands behind a client's cut is lost."""
    wide = output_with(**{f"a_rather_long_name_{number:02}": bool for number in range(50)})
    (problem,) = problems_of(catalog_of(Nothing, wide))
    assert problem.rule == "long_description"
    assert str(MAX_DESCRIPTION) in problem.what.replace(",", "")
    assert problems_of(catalog_of(Nothing, wide, returns="Fifty flags.")) == ()
