"""What docs/selection.md says in tables is what the code does."""

from __future__ import annotations

import json
from collections.abc import Iterable

import jsonschema_rs
import pytest

from fourfold.model.case import CASE_CLASSES
from fourfold.model.scored import REASONS
from fourfold.stats.paired import mcnemar, smallest_seen
from fourfold.stats.rates import clopper_pearson, wilson
from tests.docs.pages import blocks_in
from tests.meta.repository import ROOT

_PAGE = (ROOT / "docs/selection.md").read_text("utf-8")


def _rows(meanings: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"| `{name}` | {means} |" for name, means in meanings)


def test_the_reasons_and_the_classes_are_all_there_in_their_order() -> None:
    """A8, B14: the list is closed."""
    assert f"| reason | means |\n|---|---|\n{_rows(REASONS.items())}\n\n" in _PAGE
    assert f"| class | means |\n|---|---|\n{_rows(CASE_CLASSES.items())}\n\n" in _PAGE


def test_the_page_shows_one_case_of_each_class() -> None:
    """B14."""
    (suite,) = (block.text for block in blocks_in(_PAGE) if block.title == "suite.jsonl")

    assert [json.loads(line)["class"] for line in suite.splitlines()] == [*CASE_CLASSES]


@pytest.mark.parametrize(
    ("cases", "fall", "nine_of_ten", "all_pass", "one_fails"),
    [
        (20, 41, (69.9, 97.2), 83.9, 64),
        (40, 23, (76.9, 96.0), 91.2, 87),
        (100, 11, (82.6, 94.5), 96.3, 99),
        (200, 7, (85.1, 93.4), 98.1, 100),
        (400, 5, (86.7, 92.6), 99.0, 100),
        (1_000, 3, (88.0, 91.7), 99.6, 100),
    ],
)
def test_how_many_cases_see_what(
    cases: int, *, fall: int, nine_of_ten: tuple[float, float], all_pass: float, one_fails: int
) -> None:
    """B14: what a run could not have detected is said before it is run."""
    low, high = nine_of_ten
    interval = wilson(cases * 9 // 10, cases)

    assert smallest_seen(cases, churn=0.02) == fall / 100
    assert (round(interval.low * 100, 1), round(interval.high * 100, 1)) == nine_of_ten
    assert round(wilson(cases, cases).low * 100, 1) == all_pass
    assert round((1 - 0.95**cases) * 100) == one_fails
    assert f"| {cases:,} | {fall} points | {low} and {high} % | {all_pass} % | {one_fails} % |\n" in _PAGE


def test_the_figures_in_the_text_are_right() -> None:
    """B14: six broken ones are the fewest that are more than chance, and none of 40 is not never."""
    assert (round(mcnemar(0, 6), 3), round(mcnemar(0, 5), 4)) == (0.031, 0.0625)
    assert "(p = 0.031; five have 0.063)" in _PAGE
    assert round(clopper_pearson(0, 40, confidence=0.9).high, 3) == 0.072
    assert "none of 40 obeyed leaves open that 7 % would be" in _PAGE
    assert round(0.95**10, 1) == 0.6


@pytest.mark.parametrize(
    ("matcher", "fits"),
    [
        ({"eq": 1}, True),
        ({"decimal": "1.5", "currency": "EUR"}, True),
        ({"eq": 1, "date": "2026-01-05"}, False),
        ({"eq": 1, "currency": "EUR"}, False),
        ({"currency": "EUR"}, False),
        ({}, False),
    ],
)
def test_the_published_schema_takes_one_word_for_a_matcher(matcher: dict[str, object], *, fits: bool) -> None:
    """A8: as the reader of a suite does."""
    schema = json.loads((ROOT / "docs/schemas/case.json").read_text("utf-8"))
    calls = [{"name": "a", "args": {"b": matcher}}]
    expect = {"decision": "call", "calls": calls}
    case = {"id": "c", "class": "positive", "messages": [{"role": "user", "content": "?"}], "expect": expect}

    assert jsonschema_rs.Draft202012Validator(schema).is_valid(case) is fits
