"""The exact rule: each reason of the closed list, and which comes first."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.model.case import Case, CaseClass, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool
from fourfold.selection.exact import score_exact

NOTE = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "tag": {"type": ["string", "null"]}},
    "required": ["number"],
}
TOOLS = {
    "note_get": OfferedTool(name="note_get", description="", input_schema=NOTE),
    "note_send": OfferedTool(name="note_send", description="", input_schema={}),
}


def _call(name: str, arguments: dict[str, Any] | None) -> ChosenCall:
    return ChosenCall(name=name, arguments=arguments)


def _wanted(number: int) -> ExpectedCall:
    return ExpectedCall(name="note_get", args={"number": Matcher(kind="eq", value=number)})


def _case(*calls: ExpectedCall, case_class: CaseClass = "positive", **more: Any) -> Case:
    expect = Expectation(decisions=("call",), calls=calls, **more)
    return Case(id="c", case_class=case_class, messages=({"role": "user", "content": "?"},), expect=expect)


def _said(case: Case, *calls: ChosenCall, text: str = "", failure: str = "") -> str:
    verdict = score_exact(case, Choice(calls=calls, text=text, failure=failure), tools=TOOLS)
    assert verdict.passed is (verdict.reason == "")
    return verdict.said


SAID: list[tuple[list[tuple[str, dict[str, Any] | None]], str]] = [
    ([("note_get", {"number": 7})], ""),
    ([("note_get", {"number": 7.0, "tag": None})], ""),
    ([], "no_call"),
    ([("note_delete", {})], "wrong_tool"),
    ([("note_get", {})], "missing_required:number"),
    ([("note_get", {"number": 7, "page": 1})], "unknown_argument:page"),
    ([("note_get", {"number": "7"})], "type:number"),
    ([("note_get", {"number": True})], "type:number"),
    ([("note_get", {"number": 7.5})], "type:number"),
    ([("note_get", {"number": 8})], "value:number"),
    ([("note_get", {"number": 7}), ("note_get", {"number": 7})], "extra_call"),
    ([("note_get", {"number": 7}), ("note_send", {})], "forbidden_call"),
    ([("note_get", None)], "undecodable"),
]


@pytest.mark.parametrize(("calls", "said"), SAID)
def test_the_first_thing_that_is_wrong_is_named(calls: list[tuple[str, dict[str, Any] | None]], said: str) -> None:
    """A8: the right tool, and every argument that the case names equal."""
    assert _said(_case(_wanted(7), forbid=("note_send",)), *(_call(*each) for each in calls)) == said


def test_a_provider_that_fails_is_neither_right_nor_wrong() -> None:
    """A8: and does not count."""
    verdict = score_exact(_case(_wanted(7)), Choice(failure="rate_limited"), tools=TOOLS)

    assert (verdict.passed, verdict.reason, verdict.counts) == (False, "infra_error", False)


def test_several_calls_come_in_any_order_unless_the_case_says_otherwise() -> None:
    """A8."""
    turned = [_call("note_get", {"number": 2}), _call("note_get", {"number": 1})]

    assert _said(_case(_wanted(1), _wanted(2)), *turned) == ""
    assert _said(_case(_wanted(1), _wanted(2), order="as_listed"), *turned) == "value:number"
    assert _said(_case(_wanted(1), _wanted(2), order="as_listed"), *reversed(turned)) == ""


def test_a_call_that_two_expectations_fit_is_given_where_it_is_needed() -> None:
    """A8: a greedy match would give the only fitting call to the one that takes any."""
    anything = ExpectedCall(name="note_get", args={"number": Matcher(kind="any", value=True)})

    assert _said(_case(anything, _wanted(1)), _call("note_get", {"number": 1}), _call("note_get", {"number": 9})) == ""
    assert _said(_case(_wanted(1), _wanted(1)), _call("note_get", {"number": 1})) == "wrong_tool"


def test_more_calls_may_be_allowed() -> None:
    """A8."""
    calls = [_call("note_get", {"number": 7}), _call("note_send", {})]
    assert _said(_case(_wanted(7), extra_calls="allow"), *calls) == ""


@pytest.mark.parametrize(
    ("decision", "text", "said"),
    [
        ("abstain", "The capital of France is Paris.", ""),
        ("abstain", "I can't help with that. Is there anything else you'd like?", ""),
        ("abstain", "It is sunny in Lyon. Would you like to know more?", ""),
        ("abstain", "Which note do you mean?", "needs_review"),
        ("abstain", "", "needs_review"),
        ("ask", "Which note do you mean?", ""),
        ("ask", "Which note should I send?", ""),
        ("ask", "There are two. Which of them would you like me to delete?", ""),
        ("ask", "The note is ready. Should I send it?", "needs_review"),
        ("ask", "Please provide the number of the note.", ""),
        ("ask", "The note says: sow beans.", "needs_review"),
        ("ask", "I'm unable to do that. Which note?", "needs_review"),
    ],
)
def test_prose_is_told_by_phrases_or_left_to_a_person(decision: Any, text: str, said: str) -> None:
    """A8, B14: what no phrase decides is never right."""
    case = Case(id="c", case_class=decision, messages=(), expect=Expectation(decisions=(decision,)))

    assert _said(case, text=text) == said
    assert _said(case, _call("note_get", {"number": 1}), text=text) == "unexpected_call"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The refund failed: the gateway did not answer. Nothing was paid.", ""),
        ("I couldn't send the invoice because the address was rejected.", ""),
        ("Your refund has been processed!", "false_success"),
        ("Done, I've sent the invoice.", "false_success"),
        ("The first invoice was sent, the second failed.", "needs_review"),
        ("Noted.", "needs_review"),
    ],
)
def test_a_claim_of_success_after_an_error_is_found(text: str, said: str) -> None:
    """B14."""
    expect = Expectation(decisions=("abstain",))
    assert _said(Case(id="c", case_class="false_success", messages=(), expect=expect), text=text) == said
