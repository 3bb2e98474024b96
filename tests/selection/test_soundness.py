"""What a reader should know before figures are believed: easy suites, given-away cases, effort, errors before."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from fourfold.budget.prices import custom_price
from fourfold.model.case import Case, Expectation
from fourfold.model.chosen import Choice, Usage
from fourfold.selection.effort import Seconds, effort
from fourfold.selection.recovery import follows_an_error, recovery
from fourfold.selection.scoring import score
from fourfold.selection.soundness import leaks, lexical_rate, remarks_on
from fourfold.selection.spending import SpendingCap
from fourfold.selection.tally import Tally
from tests.selection.suites import TOOLS, case, recorded, right

pytestmark = pytest.mark.anyio


async def test_a_suite_that_counting_words_solves_is_too_easy() -> None:
    """B14: from ten calls on, at 95 %."""
    easy = [case(f"e-{at}", f"Is article {at} in stock?", tool="stock_get") for at in range(19)]
    hard = case("h", "Is article 9 in stock?", tool="order_create")

    assert await remarks_on([*easy, hard], TOOLS) == [
        "the suite is too easy: counting words alone finds the tool of 19 of 20 calls; add near neighbours"
    ]
    assert await remarks_on([*easy, hard, case("i", "In stock?", tool="order_create")], TOOLS) == []
    assert await remarks_on(easy[:9], TOOLS) == []
    assert (await lexical_rate([case("r", "Rain?")], TOOLS)).counted == 0


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Tell how many pieces of an article are in stock", [("x", "stock_get")]),
        ("order PIECES of one-article, for a customer", [("x", "order_create")]),
        ("Well: tell how many pieces of an article are in stock, please", [("x", "stock_get")]),
        ("in stock", []),
        ("Tell me how many pieces there are of ABC-1000", []),
        ("", []),
    ],
)
def test_a_case_whose_words_stand_in_a_description_is_given_away(said: str, found: list[tuple[str, str]]) -> None:
    """B14: eight words in a row, or all of a short text."""
    assert [*leaks([case("x", said, tool="stock_get")], TOOLS)] == found


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "tool", "content": '{"isError": true}'}, True),
        ({"role": "tool", "content": "", "is_error": True}, True),
        ({"role": "tool", "content": '{"error": {"code": 5}}'}, True),
        ({"role": "tool", "content": "Error: no such account"}, True),
        ({"role": "tool", "content": "failed: timeout"}, True),
        ({"role": "tool", "content": '{"error": null, "id": 5}'}, False),
        ({"role": "tool", "content": "errors were none"}, False),
        ({"role": "tool", "content": "{"}, False),
        ({"role": "tool", "content": None}, False),
        ({"role": "user", "content": "Error: no such account"}, False),
    ],
)
def test_a_tool_that_has_just_failed_is_recognised(message: dict[str, Any], expected: bool) -> None:
    """B11: by a flag, an error in JSON, or the first word."""
    expect = Expectation(decisions=("abstain",))

    assert follows_an_error(Case(id="x", case_class="ask", messages=(message,), expect=expect)) is expected


def test_recovery_is_a_rate_of_its_own() -> None:
    """B11: over those cases alone."""
    plain = case("a", "Rain?", case_class="abstain")
    failed = Case(
        id="b",
        case_class="false_success",
        messages=({"role": "tool", "content": "Error: closed"},),
        expect=Expectation(decisions=("abstain",)),
    )
    answers = [recorded(plain, right(plain)), recorded(failed, Choice(text="All done, it was sent."))]
    tally = Tally([plain, failed], score([plain, failed], answers, tools=TOOLS, rule="exact"))

    found = recovery(tally)

    assert found is not None
    assert (found.passed, found.counted) == (0, 1)
    assert recovery(tally.of([plain])) is None


def test_effort_is_of_what_the_provider_counted() -> None:
    """B14: failures cost what they cost; without a count there is none."""
    choices = [
        Choice(usage=Usage(input_tokens=1_000, output_tokens=100, cached_tokens=400), seconds=1.0, first_token_s=0.2),
        Choice(usage=Usage(input_tokens=1_000), seconds=3.0, failure="truncated"),
        Choice(seconds=2.0),
    ]
    prices = SpendingCap(most=Decimal(1), price=custom_price("2"), output=Decimal(10))

    found = effort(choices, prices)

    assert (found.answers, found.counted) == (2, 2)
    assert (found.input_tokens, found.output_tokens, found.cached_tokens) == (2_000, 100, 400)
    assert (found.cost, effort(choices, None).cost, effort([], prices).cost) == (Decimal("0.005"), None, None)
    assert found.decision == Seconds(median=1.5, p95=1.95, count=2)
    assert found.first_token == Seconds(median=0.2, p95=0.2, count=1)
