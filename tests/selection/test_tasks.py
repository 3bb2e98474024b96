"""Tasks: the end state that a case names, and where it and the verdict on the call say different things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from fourfold.model.case import Case, EndState, Matcher
from fourfold.model.chosen import Choice, ChosenCall
from fourfold.model.scored import Task
from fourfold.selection.scoring import score
from fourfold.selection.tally import Tally
from fourfold.selection.tasks import enacted, made_before, state_holds, tasks
from tests.selection.suites import TOOLS, answer, case, eq, recorded, right, wrong

STATE = EndState(read="stock_get", args={"sku": "ABC-1000"}, holds={"/pieces": eq(3)})


@dataclass(slots=True)
class Shelf:
    """An `Enactor` over a shelf of pieces: an order takes some, a report takes two, a delivery is outside."""

    made: list[str] = field(default_factory=list[str])

    async def enact(self, case: Case, calls: Sequence[ChosenCall]) -> Task:
        """What is left decides."""
        self.made.append(case.id)
        if any(call.name == "deliver" for call in calls):
            return "outside"
        taken = sum(2 if call.name == "report_make" else (call.arguments or {}).get("pieces", 0) for call in calls)
        return "done" if all(state_holds(each, {"pieces": 5 - taken}) for each in case.expect.state) else "not_done"


def ordered(name: str, *, state: bool = True, **more: Any) -> Case:
    """A case that wants an order of two, and three left."""
    found = case(name, "Two, please", tool="order_create", args={"sku": eq("ABC-1000"), "pieces": eq(2)}, **more)
    return replace(found, expect=replace(found.expect, state=(STATE,))) if state else found


@pytest.mark.parametrize(
    ("place", "matcher", "holds"),
    [
        ("/items/0/sku", eq("A"), True),
        ("/items/1/sku", eq("A"), False),
        ("/items/x/sku", eq("A"), False),
        ("/a~1b/~0c", eq(1), True),
        ("/gone", Matcher(kind="absent_or", value=()), True),
        ("/gone", Matcher(kind="any"), False),
        ("/gone/deeper", Matcher(kind="absent_or", value=()), True),
        ("", eq({"items": [{"sku": "A"}], "a/b": {"~c": 1}}), True),
    ],
)
def test_an_end_state_is_looked_up_by_pointer(place: str, matcher: Matcher, *, holds: bool) -> None:
    """B11: RFC 6901; what is not there is absent."""
    state = EndState(read="r", args={}, holds={place: matcher})

    assert state_holds(state, {"items": [{"sku": "A"}], "a/b": {"~c": 1}}) is holds


def test_the_calls_of_a_conversation_are_found_in_their_order() -> None:
    """B11: they bring the world to where the decision is; what is no JSON object has no arguments."""
    calls = [{"function": {"name": name, "arguments": raw}} for name, raw in (("a", '{"x": 1}'), ("b", "[1]"))]
    messages = ({"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}, {"role": "tool"})

    found = [*made_before(replace(ordered("o"), messages=messages))]

    assert [(each.name, each.arguments) for each in found] == [("a", {"x": 1}), ("b", None)]


@pytest.mark.anyio
async def test_a_task_may_be_done_by_another_call_and_left_undone_by_the_right_one() -> None:
    """B11: both are named; equal calls are made once, cases without an end state and failures not at all."""
    more = replace(STATE, holds={"/pieces": eq(9)})
    odd = replace(ordered("odd"), expect=replace(ordered("odd").expect, state=(more,)))
    given: list[tuple[Case, Choice]] = [
        (ordered("right"), right(ordered("right"))),
        (ordered("right"), right(ordered("right"))),
        (ordered("other"), wrong(ordered("other"))),
        (ordered("silent"), Choice(text="Sure.")),
        (ordered("late"), Choice(failure="timeout")),
        (ordered("plain", state=False), right(ordered("plain"))),
        (ordered("away"), answer(ChosenCall(name="deliver", arguments={}))),
        (odd, right(odd)),
    ]
    cases = list({each.id: each for each, _ in given}.values())
    answers = [recorded(each, choice, sample=at) for at, (each, choice) in enumerate(given)]
    shelf = Shelf()

    scored = score(cases, answers, tools=TOOLS, rule="exact")
    verdicts = await enacted(cases, answers, verdicts=scored, enactor=shelf)
    found = tasks(Tally(cases, verdicts))

    assert shelf.made == ["right", "other", "silent", "away", "odd"]
    assert [each.task for each in verdicts] == ["done", "done", "done", "not_done", "", "", "outside", "not_done"]
    assert found is not None
    assert (found.done.passed, found.done.counted, found.done.interval) == (3, 5, None)
    assert (found.right_undone, found.wrong_done, found.outside) == (("odd",), ("other",), ("away",))
    assert tasks(Tally(cases, score(cases, answers, tools=TOOLS, rule="exact"))) is None
