"""The page of selection results: rates over time, a result tool by tool, and which tool was taken for which."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import replace

import pytest

from fourfold.model.selected import KeptResult, RunFacts, ToolScore
from fourfold.ports.units import Transaction
from tests.console.desk import Desk, open_desk
from tests.console.past import HOSTILE, escaped
from tests.stages.behind import inside
from tests.stages.shop import shop

FACTS = RunFacts(
    suite="s" * 64,
    cases=40,
    samples=1,
    chooser="bm25",
    catalog="c" * 64,
    tools={"order_place": "p" * 64, "order_count": "q" * 64},
    system="",
    temperature="",
    max_tokens=0,
    scorer="1",
)
SCORES = (
    ToolScore(
        tool="order_place", version="1.0", cases=30, cases_right=27, samples=30, right=27, wrong_tool=3, reasons={}
    ),
    ToolScore(tool="order_count", version="1.0", cases=10, cases_right=9, samples=10, right=9, no_call=1, reasons={}),
)
CONFUSION = {
    ("order_place", "order_place"): 27,
    ("order_place", "order_count"): 3,
    ("order_count", "order_count"): 9,
    ("order_count", "(none)"): 1,
}
MONDAY = KeptResult(
    result_id="a" * 64,
    name="monday.jsonl",
    suite="orders.jsonl",
    at="2026-10-26T09:00:00Z",
    rule="tools",
    facts=FACTS,
    models=(),
    cases=40,
    cases_right=36,
    tools=SCORES,
)
TUESDAY = replace(MONDAY, result_id="b" * 64, name="tuesday.jsonl", at="2026-10-27T09:00:00Z", cases_right=12)


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of a shop that keeps results."""
    with open_desk(shop()) as opened:
        yield opened


def keep(desk: Desk, *results: KeptResult, confusion: Mapping[tuple[str, str], int] = CONFUSION) -> None:
    """Put results into the store."""

    def add(at: Transaction) -> None:
        for result in results:
            desk.console.store.selections.add(at.unit, result, confusion=confusion)

    inside(desk.kit, add)


def test_results_come_newest_first_with_what_the_rate_may_be(desk: Desk) -> None:
    """D5: scores over time; a fall that the earlier looks do not leave open is told in words."""
    keep(desk, MONDAY, TUESDAY)
    words = desk.signed_in().get("/selection").words
    assert "orders.jsonl, rule tools 12 of 40 cases right at the last look" in words
    assert re.search(
        r"2026-10-27 09:00:00 tuesday\.jsonl bm25 12 40 30\.0 % [\d.]+ % to [\d.]+ % fell – "
        r"2026-10-26 09:00:00 monday\.jsonl bm25 36 40 90\.0 % [\d.]+ % to [\d.]+ % – –",
        words,
    )


def test_rates_are_drawn_between_none_and_all(desk: Desk) -> None:
    """D5: 90 and then 30 of 100, from the top; the table below has the numbers."""
    keep(desk, MONDAY, TUESDAY)
    assert '<polyline points="0.0,10.0 100.0,70.0"/>' in desk.signed_in().get("/selection").text


def test_one_result_draws_no_line(desk: Desk) -> None:
    """D5: a line needs two ends."""
    keep(desk, MONDAY)
    assert "<polyline" not in desk.signed_in().get("/selection").text


def test_what_changed_between_two_results_is_said(desk: Desk) -> None:
    """D5: nobody takes another chooser for a worse catalog."""
    keep(desk, MONDAY, replace(TUESDAY, facts=replace(FACTS, chooser="openai:m")))
    assert "chooser (bm25 to openai:m)" in desk.signed_in().get("/selection").words


def test_the_newest_result_is_told_tool_by_tool(desk: Desk) -> None:
    """B11, D5: how often each tool was chosen rightly, and what came instead."""
    keep(desk, MONDAY)
    words = desk.signed_in().get("/selection").words
    assert "monday.jsonl: tool by tool" in words
    assert "order_place 1.0 27 30 27 of 30 3 0 0" in words
    assert "order_count 1.0 9 10 9 of 10 0 1 0" in words


def test_the_map_has_wanted_tools_down_and_called_ones_across(desk: Desk) -> None:
    """B11, D5: right ones are marked, and every cell has its number."""
    keep(desk, MONDAY)
    words = desk.signed_in().get("/selection").words
    assert "Wanted (none) order_count order_place order_count 1 9 ✓ order_place 3 27 ✓" in words
    assert "4 samples took another tool" in words


def test_an_earlier_result_is_chosen_by_its_link(desk: Desk) -> None:
    """D5: the map of that one."""
    keep(desk, MONDAY)
    keep(desk, TUESDAY, confusion={("order_place", "order_count"): 28})
    browser = desk.signed_in()
    assert f'href="/selection?result={"a" * 64}#result"' in browser.get("/selection").text
    assert "27 ✓" in browser.get("/selection", result="a" * 64).words
    assert browser.get("/selection", result="c" * 64).status == 404


def test_a_large_map_is_cut_to_the_tools_that_were_mixed_up(desk: Desk) -> None:
    """D5: 20 of them, and how many are left out."""
    right = {(f"tool_{number:02}", f"tool_{number:02}"): 5 for number in range(25)}
    keep(desk, MONDAY, confusion={**right, ("tool_24", "tool_23"): 2})
    words = desk.signed_in().get("/selection").words
    assert "tool_23 5 ✓ tool_24 2 5 ✓" in words
    assert "5 tools that were mixed up least are left out." in words


def test_somebody_of_one_tenant_sees_no_results(desk: Desk) -> None:
    """D5: they are about tools that a caller may not even list."""
    keep(desk, MONDAY)
    words = desk.tenant("acme").get("/selection").words
    assert "operators see it" in words
    assert "order_place" not in words
    assert "monday.jsonl" in desk.deciding().get("/selection").words


def test_hostile_text_stays_text(desk: Desk) -> None:
    """D5: names of files, choosers and tools come from elsewhere."""
    named = replace(MONDAY, name=HOSTILE, suite=HOSTILE, facts=replace(FACTS, chooser=HOSTILE))
    keep(desk, replace(named, tools=(replace(SCORES[0], tool=HOSTILE),)), confusion={(HOSTILE, HOSTILE): 1})
    assert escaped(desk.signed_in().get("/selection").text)


def test_an_empty_store_says_how_a_result_is_made(desk: Desk) -> None:
    """D5: the command that makes one."""
    words = desk.signed_in().get("/selection").words
    assert "There is no result of a selection suite in this store." in words
    assert "fourfold select run suite.jsonl module:catalog --store URL" in words
