"""A run as text, as JSON and as a page: what is shown of it, and what is left to the other forms."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from fourfold.budget.prices import custom_price
from fourfold.model.case import Case
from fourfold.model.chosen import Choice, ChosenCall, Sampling
from fourfold.selection.compare import Gate, compare
from fourfold.selection.effort import SchemaTokens, effort
from fourfold.selection.keeping import Beside, kept
from fourfold.selection.measured import Measured, judged
from fourfold.selection.reports.facts import run_facts
from fourfold.selection.reports.figures import can_see, mistaken, percent, span, table
from fourfold.selection.reports.lines import Line, heading, shown
from fourfold.selection.reports.run_html import run_html
from fourfold.selection.reports.run_text import conclusion, run_text
from fourfold.selection.result import Result
from fourfold.selection.running import RunOutcome, RunTerms, facts_of
from fourfold.selection.scoring import score
from fourfold.selection.spending import SpendingCap
from fourfold.selection.tally import NO_TOOL, Rate, Tally
from fourfold.stats.rates import Interval
from tests.selection.suites import TOOLS, answer, case, recorded, right, shop_suite, wrong

PRICES = SpendingCap(most=Decimal("Infinity"), price=custom_price("2"), output=Decimal(10))


def measured(cases: Sequence[Case], choices: Sequence[Sequence[Choice]], **more: Any) -> Measured:
    """A run in which each case got these answers."""
    answers = [
        recorded(each, choice, sample=at)
        for each, given in zip(cases, choices, strict=True)
        for at, choice in enumerate(given)
    ]
    tally = Tally(cases, score(cases, answers, tools=TOOLS, rule="exact"))
    facts: dict[str, Any] = {
        "suite": "suite.jsonl",
        "target": "shop:catalog",
        "rule": "exact",
        "facts": facts_of(cases, TOOLS, chooser="m", terms=RunTerms(samples=len(choices[0]), sampling=Sampling())),
        "outcome": RunOutcome(answered=len(answers), failed=0, left=0, spent=Decimal(0)),
        "models": ("m-1",),
        "tally": tally,
        "effort": effort([each.choice for each in answers], None),
        "schemas": SchemaTokens(tokens=1_234, profile="o200k", is_estimate=False),
        "gate": Gate(failures=(), warnings=()),
    }
    result = Result(
        name="", at="2026-11-30T10:00:00Z", rule="exact", facts=facts["facts"], models=facts["models"], tally=tally
    )
    facts["kept"] = kept(result, Beside())
    return Measured(**{**facts, **more})


def text_of(found: Measured) -> str:
    """The report, with what stands out in brackets."""
    return "\n".join(shown(run_text(found), style=lambda word, text: f"[{word}:{text}]", plain=str))


def test_what_is_foreign_is_made_plain_before_it_is_styled() -> None:
    """A terminal obeys the style alone."""
    lines = [Line("error", "a\x1b", " b\x1b"), "c\x1b", heading("d")]

    found = shown(lines, style=lambda word, text: f"<{word}>{text}", plain=ascii)

    assert [*found] == ["<error>'a\\x1b'' b\\x1b'", "'c\\x1b'", "<heading>'d'''"]


def test_figures_say_what_they_cannot_say() -> None:
    """B14."""
    rates = [
        Rate(name="a", passed=9, counted=10, interval=Interval(0.596, 0.982)),
        Rate(name="a_longer_name_than_that", passed=0, counted=0, interval=None),
    ]

    assert (percent(None), percent(1 / 3), span(None), span(Interval(0, 1))) == (
        "-",
        "33.3 %",
        "too few",
        "0.0 to 100.0 %",
    )
    assert [*table(rates)] == [
        "  a                             9 of 10       90.0 %  59.6 to 98.2 %",
        "  a_longer_name_than_that       0 of 0             -  too few",
    ]
    assert can_see(3, None).startswith("3 cases would show no fall in four of five runs, ")
    assert can_see(40, 0.23).startswith("40 cases show a fall of 23.0 % or more in four of five runs, ")


def test_the_most_frequent_mistake_comes_first() -> None:
    """B11: what was right is none."""
    confusion = {("a", "a"): 9, ("a", "b"): 1, ("b", NO_TOOL): 3, (NO_TOOL, "a"): 1}

    assert mistaken(confusion) == [("b", NO_TOOL, 3), (NO_TOOL, "a", 1), ("a", "b", 1)]


def test_a_whole_report_is_in_the_order_of_a_reader() -> None:
    """B11, B14: rates, then what is wrong, then repeats, effort, comparison and gate."""
    cases = [*shop_suite(), case("rain-2", "Hail?", case_class="abstain")]
    before = Tally(cases, score(cases, [recorded(each, right(each)) for each in cases], tools=TOOLS, rule="exact"))
    choices = [[wrong(each), right(each)] if at < 2 else [right(each), right(each)] for at, each in enumerate(cases)]
    found = measured(cases, choices)
    comparison = compare(before, found.tally)

    text = text_of(measured(cases, choices, comparison=comparison, against="before.jsonl", remarks=("mind this",)))

    heads = re.findall(r"^\[heading:(.*)\]", text, re.MULTILINE)
    assert heads == [
        "suite.jsonl on shop:catalog, chosen by m",
        "by class",
        "by tool that is wanted",
        "by label",
        "no tool called, where none was wanted",
        "arguments",
        "wanted, and not called",
        "called against policy",
        "first thing that is wrong",
        "taken for another tool",
        "repeats, 2 samples each, resampled by case",
        "effort",
        "against before.jsonl",
    ]
    assert "  all           another tool 2 of 24, 8.3 % (4.7 to 44.8 %)  no tool 0, 0.0 % (0.0 to 24.2 %)\n" in text
    assert "  stock_get     another tool 2 of 12, 16.7 % (too few)  no tool 0, 0.0 % (too few)\n" in text
    assert "  none of 24 calls is forbidden or claims authority (0.0 to 24.2 %)\n" in text
    assert "[warning:note] mind this\n14 cases show a fall of " in text
    assert text.endswith("\n26 of 28 right, 92.9 % (78.5 to 100.0 %)")
    assert "cases whose samples do not agree: 14.3 %" in text


def test_a_long_list_is_cut_and_says_where_it_is_whole() -> None:
    """Where everything is wrong, the first twenty show what."""
    cases = [case(f"c-{at}", f"Is {at} there?", tool=f"tool_{at:02}") for at in range(25)]

    text = text_of(measured(cases, [[wrong(each)] for each in cases]))

    assert text.count("-> report_make: 1\n") == 20
    assert text.count("  and 5 more; --json has them all\n") == 2


def test_what_is_open_stands_in_the_last_line() -> None:
    """A8: what a person has to read, what was not answered, and what was not asked."""
    cases = [case("a", "Rain?", case_class="abstain"), case("b", "Hail?", case_class="abstain")]
    choices = [[Choice(text="I can't. Which one?")], [Choice(failure="timeout")]]
    outcome = RunOutcome(answered=1, failed=1, left=3, spent=Decimal(0), stopped="budget")

    found = measured(cases, choices, outcome=outcome)

    assert conclusion(found) == (
        "0 of 0 right, - (too few); 1 to be read by a person, 1 without an answer, 3 not asked"
    )
    assert not found.is_whole


def test_costs_are_told_where_prices_are_known() -> None:
    """B14: and else what would make them known."""
    cases = [case("a", "Rain?", case_class="abstain")]
    choices = [[answer(ChosenCall(name="x", arguments={}))]]
    priced = effort(choices[0], PRICES)

    assert "  cost         $0.0004, $0.0004 an answer\n" in text_of(measured(cases, choices, effort=priced))
    assert "  cost         not known; name --output-price" in text_of(measured(cases, choices))


def test_the_gate_looks_at_what_was_held_out_and_at_what_must_pass() -> None:
    """B14: and at everything where nothing was held out."""
    tune = case("a", "Rain?", split="tune")
    must = case("b", "Rain?", split="tune", must_pass=True)
    held = case("c", "Rain?")

    assert [each.id for each in judged([tune, must, held])] == ["b", "c"]
    assert [each.id for each in judged([tune, must])] == ["a", "b"]


def test_json_has_every_sample_of_every_case() -> None:
    """Those that don't count, too."""
    cases = [case("a", "Rain?", case_class="abstain")]

    facts = json.loads(json.dumps(run_facts(measured(cases, [[right(cases[0]), Choice(failure="timeout")]]))))

    plain: dict[str, Any] = {"argument": "", "expected": "", "chosen": "", "called": [], "breaches": [], "task": ""}
    assert facts["cases"] == [
        {
            "id": "a",
            "class": "abstain",
            "must_pass": False,
            "samples": [
                {"sample": 0, "passed": True, "reason": "", **plain},
                {"sample": 1, "passed": False, "reason": "infra_error", **plain},
            ],
        }
    ]
    assert facts["overall"] == {"name": "all", "passed": 1, "counted": 1, "share": 1.0, "interval": None}
    assert (facts["recovery"], facts["repeats"], facts["comparison"]) == (None, None, None)


@pytest.mark.parametrize(("tools", "drawn", "said"), [(3, 4, ""), (60, 40, "21 tools that nothing was mixed up with")])
def test_the_map_keeps_what_was_mixed_up(tools: int, drawn: int, said: str) -> None:
    """B11: 40 tools at most; the two that were taken for each other are among them."""
    cases = [case(f"c-{at:02}", f"Is {at} there?", tool=f"tool_{at:02}") for at in range(tools)]
    choices = [[right(each)] for each in cases]
    choices[-1] = [wrong(cases[-1])]

    page = run_html(measured(cases, choices))

    assert f"<title>tool_{tools - 1:02} -> report_make: 1</title>" in page
    assert page.count('<text x="0"') == drawn
    assert said in page


def test_a_page_says_how_the_gate_has_judged() -> None:
    """B14: failed, passed, or open because the run is not whole."""
    cases = [case("a", "Rain?", case_class="abstain")]
    stopped = RunOutcome(answered=1, failed=0, left=1, spent=Decimal(0), stopped="budget")
    failing = Gate(failures=("it <fell>",), warnings=("mind",))

    assert '<p class="pass">Passed.</p>' in run_html(measured(cases, [[right(cases[0])]]))
    assert "Open: the run is not whole (budget)." in run_html(measured(cases, [[right(cases[0])]], outcome=stopped))
    page = run_html(measured(cases, [[right(cases[0])]], gate=failing))
    assert '<p class="error">Failed.</p>' in page
    assert '<li class="is-error">it &lt;fell&gt;</li>' in page
