"""A result as the store keeps it: sums that a history and a map are made from, and no answers."""

from __future__ import annotations

from dataclasses import replace

from fourfold.model.chosen import Choice, ChosenCall, Sampling
from fourfold.model.scored import RULES_OF_ARGUMENTS, Rule
from fourfold.selection.history import by_suite
from fourfold.selection.keeping import Beside, kept
from fourfold.selection.result import Result
from fourfold.selection.running import RunTerms, facts_of
from fourfold.selection.scoring import score
from fourfold.selection.tally import Tally
from tests.selection.suites import TOOLS, answer, recorded, right, shop_suite

CASES = shop_suite()
FACTS = facts_of(CASES, TOOLS, chooser="m", terms=RunTerms(samples=1, sampling=Sampling()))


def tally(rule: Rule) -> Tally:
    """One sku in another spelling, one wrong tool, one silence, one case without an answer, the rest right."""
    loose = answer(ChosenCall(name="stock_get", arguments={"sku": "abc1000"}))
    order = answer(ChosenCall(name="order_create", arguments={"sku": "ABC-1001", "pieces": 1, "approved": True}))
    given = [loose, order, Choice(text="Sure."), Choice(failure="timeout"), *map(right, CASES[4:])]
    answers = [recorded(each, choice) for each, choice in zip(CASES, given, strict=True)]
    return Tally(CASES, score(CASES, answers, tools=TOOLS, rule=rule))


def result(at: str = "2026-11-30T10:00:00Z") -> Result:
    """The result of it."""
    return Result(name="r.jsonl", at=at, rule="exact", facts=FACTS, models=("m-1",), tally=tally("exact"))


def test_a_tool_is_kept_with_its_version_and_what_went_wrong() -> None:
    """A14, B11: cases for an interval, samples by both rules, misses, calls against policy, reasons."""
    by_rule: dict[Rule, Tally] = {rule: tally(rule) for rule in RULES_OF_ARGUMENTS}

    found = kept(result(), Beside(suite="s.jsonl", versions={"stock_get": "1.1"}, by_rule=by_rule))

    none, order, stock = found.tools
    assert (found.suite, found.cases, found.cases_right) == ("s.jsonl", 12, 9)
    assert (stock.tool, stock.version, order.version) == ("stock_get", "1.1", "")
    assert (stock.cases, stock.cases_right, stock.samples, stock.right) == (5, 2, 5, 2)
    assert (stock.exact, stock.lenient, stock.wrong_tool, stock.no_call) == (2, 3, 1, 1)
    assert stock.reasons == {"value": 1, "wrong_tool": 1, "no_call": 1, "infra_error": 1}
    assert (order.calls, order.forbidden, order.authority) == (7, 0, 1)
    assert (none.tool, none.samples, none.right) == ("(none)", 1, 1)


def test_a_file_tells_of_its_own_rule_alone() -> None:
    """A8: what was not scored is not made up."""
    found = kept(result(), Beside())

    assert {(each.exact is None, each.lenient) for each in found.tools} == {(False, None)}


def test_a_result_is_known_by_what_it_says() -> None:
    """B14: under another name it is the same; at another time it is another look."""
    one = kept(result(), Beside()).result_id

    assert kept(replace(result(), name="x"), Beside(suite="y")).result_id == one
    assert kept(result(at="2026-12-01T10:00:00Z"), Beside()).result_id != one


def test_suites_that_take_turns_are_watched_each_by_itself() -> None:
    """B14: else each would begin anew at every look."""
    days = [result(at=f"2026-11-0{day}T10:00:00Z") for day in range(1, 6)]
    turns = [
        kept(replace(each, facts=replace(FACTS, suite="ab"[at % 2]), rule="tools" if at == 4 else "exact"), Beside())
        for at, each in enumerate(days)
    ]

    assert [[each.at[8:10] for each in group] for group in by_suite(turns)] == [["01", "03"], ["02", "04"], ["05"]]
