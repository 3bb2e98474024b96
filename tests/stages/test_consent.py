"""Stage consent: what a person is asked, what their answers do, and what happens where nobody can be asked."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, Literal

import pytest

from fourfold import Decision, Fault, PolicyQuestion, Preview, Read, Resource, Retry, Unit, Update
from fourfold.asking import Ask, Form, Visit
from fourfold.model.asking import InputResponse, QuestionMode
from fourfold.model.call import Call
from fourfold.model.outcome import Refused
from fourfold.testing import Answer, Kit, caller, open_kit
from tests.stages.serving import serving
from tests.stages.shop import Day, Fewer, Order, OrderPlaced, Stock, order, shop

KEY = "order-key-0000000001"


@pytest.fixture
def kit() -> Generator[Kit]:
    """The shop."""
    with open_kit(shop()) as kit:
        yield kit


def sql(statement: str) -> Callable[[Unit], None]:
    """What runs one statement."""

    def work(unit: Unit) -> None:
        unit.execute(statement)

    return work


def orders(kit: Kit) -> int:
    """How many orders there are."""
    return kit.call("order_count").structured["orders"]


def test_nothing_is_asked_where_nothing_needs_asking(kit: Kit) -> None:
    """B8: one round, as for a tool that never asks."""
    assert kit.call("order_place", order(2)).structured == {"pieces": 2}


def test_a_question_has_its_form_and_nothing_happens_before_the_answer(kit: Kit) -> None:
    """B8, B6: an outcome of its own; rounds before the last change nothing."""
    asked = kit.call("order_place", order())
    (question,) = asked.questions
    assert (asked.kind, asked.writes, orders(kit)) == ("needs_input", 0, 0)
    assert (question.key, question.message) == ("fewer", "Only 5 are left. How many do you want?")
    assert question.schema == {
        "type": "object",
        "properties": {
            "pieces": {"type": "integer", "description": "How many pieces then?", "minimum": 1, "maximum": 100}
        },
        "required": ["pieces"],
    }


def test_the_handler_gets_the_answer_by_its_type(kit: Kit) -> None:
    """B8: typed, and `None` for the form that was not asked."""
    asked = kit.call("order_place", order())
    done = kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}})
    assert (done.structured, orders(kit)) == ({"pieces": 5}, 1)


def test_an_answer_may_lead_to_another_question(kit: Kit) -> None:
    """B8: as many rounds as it takes, under one operation."""
    first = kit.call("order_place", order())
    second = kit.call("order_place", order(), state=first.state, answers={"fewer": {"pieces": 1}})
    done = kit.call("order_place", order(), state=second.state, answers={"card": {"motif": "sea"}})
    assert [question.key for question in second.questions] == ["card"]
    assert (done.structured, orders(kit)) == ({"pieces": 1, "motif": "sea"}, 1)


def test_what_is_missing_is_asked_again_and_what_came_is_kept(kit: Kit) -> None:
    """B8: a partial answer is no error."""
    first = kit.call("order_place", order(delivered=True))
    second = kit.call("order_place", order(delivered=True), state=first.state, answers={"fewer": {"pieces": 3}})
    done = kit.call("order_place", order(delivered=True), state=second.state, answers={"day": {"day": "2026-12-24"}})
    assert [question.key for question in first.questions] == ["fewer", "day"]
    assert [question.key for question in second.questions] == ["day"]
    assert done.structured == {"pieces": 3, "day": "2026-12-24"}


def test_answers_that_nobody_asked_for_are_ignored(kit: Kit) -> None:
    """B8: neither a foreign key, nor a form that this round did not ask, nor anything without a state."""
    unasked = {"fewer": {"pieces": 2}, "card": {"motif": "sea"}, "made_up": {"x": 1}}
    assert kit.call("order_place", order(), answers=unasked).kind == "needs_input"
    asked = kit.call("order_place", order())
    assert kit.call("order_place", order(), state=asked.state, answers=unasked).structured == {"pieces": 2}


@pytest.mark.parametrize(
    ("content", "paths"),
    [
        ({"pieces": "5"}, ["inputResponses.fewer.pieces"]),
        ({"pieces": 0}, ["inputResponses.fewer.pieces"]),
        ({"pieces": 101}, ["inputResponses.fewer.pieces"]),
        ({}, ["inputResponses.fewer.pieces"]),
        ({"pieces": 5, "price": 0}, ["inputResponses.fewer.price"]),
    ],
)
def test_an_answer_that_breaks_its_form_is_refused_with_its_place(
    kit: Kit, content: dict[str, Any], paths: list[str]
) -> None:
    """B8, A2: invalid_arguments names where; the same state still takes a good answer."""
    asked = kit.call("order_place", order())
    refused = kit.call("order_place", order(), state=asked.state, answers={"fewer": content})
    assert (refused.code, refused.paths, orders(kit)) == ("invalid_arguments", paths, 0)
    assert kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}}).ok


@pytest.mark.anyio
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_person_who_says_no_ends_the_call(action: Literal["decline", "cancel"]) -> None:
    """B8: input_declined, and no loop of questions."""
    async with serving(shop()) as served:
        asked = await served.call("order_place", order())
        made = Call(tool="order_place", arguments=order(), caller=caller(), state=asked.state)
        made = replace(made, responses={"fewer": InputResponse(action=action)})
        declined = Answer(await served.service.call(made))
        counted = await served.call("order_count")
        again = await served.call("order_place", order())
    assert (declined.code, counted.structured["orders"], again.kind) == ("input_declined", 0, "needs_input")


def test_an_answer_counts_only_for_the_question_that_was_seen(kit: Kit) -> None:
    """B8: the stock has changed since, so the person is asked anew and nothing is ordered."""
    first = kit.call("order_place", order())
    kit.call("order_place", order(2))
    second = kit.call("order_place", order(), state=first.state, answers={"fewer": {"pieces": 3}})
    assert [question.message for question in second.questions] == ["Only 3 are left. How many do you want?"]
    assert kit.call("order_place", order(), state=second.state, answers={"fewer": {"pieces": 3}}).ok


def test_an_answer_to_an_old_question_leads_to_no_other_question(kit: Kit) -> None:
    """B8: the card follows from `fewer`, which has to be answered anew."""
    first = kit.call("order_place", order())
    second = kit.call("order_place", order(), state=first.state, answers={"fewer": {"pieces": 1}})
    kit.call("order_place", order(2))
    third = kit.call("order_place", order(), state=second.state, answers={"card": {"motif": "sea"}})
    assert [question.key for question in third.questions] == ["fewer"]


def test_a_question_that_is_needed_no_more_is_not_asked_again(kit: Kit) -> None:
    """B8: somebody filled the stock up in between, so the order goes through as it was."""
    first = kit.call("order_place", order())
    kit.arrange(sql("UPDATE stock SET left_over = 50"))
    assert kit.call("order_place", order(), state=first.state).structured == {"pieces": 8}


def test_the_same_state_and_answers_replay_though_the_stock_has_changed(kit: Kit) -> None:
    """B4, B8: a lost answer costs nothing, and what is asked by now does not matter."""
    asked = kit.call("order_place", order())
    done = kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}})
    again = kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}})
    assert (again.structured, again.replayed, orders(kit)) == (done.structured, True, 1)
    assert again.operation_id == done.operation_id


@pytest.mark.parametrize("answers", [{"fewer": {"pieces": 4}}, {}, {"fewer": None}])
def test_other_answers_to_a_state_that_was_used_conflict(kit: Kit, answers: dict[str, Any]) -> None:
    """B4, B8: one state stands for one intent; without the answer, it isn't the same."""
    asked = kit.call("order_place", order())
    kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 2}})
    conflict = kit.call("order_place", order(), state=asked.state, answers=answers)
    assert (conflict.code, conflict.writes, orders(kit)) == ("idempotency_conflict", 0, 1)


def test_two_states_are_two_operations(kit: Kit) -> None:
    """B4: a person who answers twice means it twice, and is told that it looks like a repeat."""
    first, second = kit.call("order_place", order()), kit.call("order_place", order())
    one = kit.call("order_place", order(), state=first.state, answers={"fewer": {"pieces": 2}})
    again = kit.call("order_place", order(), state=second.state, answers={"fewer": {"pieces": 2}})
    assert (one.ok, again.kind) == (True, "needs_input")


def test_a_key_outlives_a_lost_state(kit: Kit) -> None:
    """B4: the client starts over with the same key, and nobody is asked again."""
    asked = kit.call("order_place", order(), key=KEY)
    done = kit.call("order_place", order(), key=KEY, state=asked.state, answers={"fewer": {"pieces": 5}})
    again = kit.call("order_place", order(), key=KEY)
    assert (again.replayed, again.structured, orders(kit)) == (True, done.structured, 1)
    assert kit.call("order_place", order(9), key=KEY).code == "idempotency_conflict"


def test_one_key_with_two_states_has_one_effect(kit: Kit) -> None:
    """B4: whichever is redeemed first."""
    first, second = kit.call("order_place", order(), key=KEY), kit.call("order_place", order(), key=KEY)
    kit.call("order_place", order(), key=KEY, state=first.state, answers={"fewer": {"pieces": 2}})
    same = kit.call("order_place", order(), key=KEY, state=second.state, answers={"fewer": {"pieces": 2}})
    other = kit.call("order_place", order(), key=KEY, state=second.state, answers={"fewer": {"pieces": 1}})
    assert (same.replayed, other.code, orders(kit)) == (True, "idempotency_conflict", 1)


def test_a_call_that_failed_for_now_may_redeem_its_state_again(kit: Kit) -> None:
    """B4: a fault of the moment keeps nothing, so the person need not answer twice."""
    asked = kit.call("order_place", order())
    kit.arrange(sql("ALTER TABLE placed RENAME TO elsewhere"))
    failed = kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}})
    kit.arrange(sql("ALTER TABLE elsewhere RENAME TO placed"))
    done = kit.call("order_place", order(), state=asked.state, answers={"fewer": {"pieces": 5}})
    assert (failed.code, done.ok, orders(kit)) == ("internal", True, 1)


def test_a_fault_of_ask_is_a_fault_of_the_call(kit: Kit) -> None:
    """B7: and it keeps nothing."""
    kit.call("order_place", order(5))
    assert kit.call("order_place", order()).code == "sold_out"


def read_only(request: Order, stock: Stock, day: Day) -> OrderPlaced:
    """Say when it would come."""
    return OrderPlaced(pieces=request.pieces, day=day.day.isoformat())


def when(request: Order) -> Ask[Day]:
    """Ask for a day, each time."""
    return Ask(Day, "When?")


def test_a_read_may_ask_too() -> None:
    """B8: it claims nothing, so its state may be used again with other answers."""
    with open_kit(shop(read_only, Preview(), ask=when)) as kit:
        asked = kit.call("order_place", order())
        one = kit.call("order_place", order(), state=asked.state, answers={"day": {"day": "2026-12-24"}})
        other = kit.call("order_place", order(), state=asked.state, answers={"day": {"day": "2026-12-31"}})
    assert (one.structured["day"], other.structured["day"]) == ("2026-12-24", "2026-12-31")


class Agreed(Form):
    """A yes."""


def agree(request: Order, agreed: Agreed) -> OrderPlaced:
    """Order what was agreed to."""
    return OrderPlaced(pieces=request.pieces)


def ask_agreement(request: Order) -> Ask[Agreed]:
    """Ask for a yes."""
    return Ask(Agreed, f"Order {request.pieces} mugs?")


def test_a_form_without_fields_asks_for_a_yes() -> None:
    """C7, B8: the person accepts or declines, and there is no boolean that somebody else could send."""
    with open_kit(shop(agree, ask=ask_agreement)) as kit:
        asked = kit.call("order_place", order())
        no = kit.call("order_place", order(), state=asked.state, answers={"agreed": None})
        yes = kit.call("order_place", order(), state=asked.state, answers={"agreed": {}})
    assert asked.questions[0].schema == {"type": "object", "properties": {}}
    assert (no.code, yes.ok) == ("input_declined", True)


def ask_card_number(request: Order, stock: Stock) -> Visit | None:
    """Ask for the page where a card is entered, until there is one."""
    return None if stock.orders() else Visit("https://pay.example/card", "Enter your card on our page")


def count_only(request: Order) -> OrderPlaced:
    """Say how many."""
    return OrderPlaced(pieces=request.pieces)


def test_a_page_is_asked_for_until_it_had_its_effect() -> None:
    """B8: opening it says nothing; what counts is what `ask=` finds."""
    with open_kit(shop(count_only, ask=ask_card_number)) as kit:
        first = kit.call("order_place", order())
        second = kit.call("order_place", order(), state=first.state, answers={"visit_1": {}})
        kit.arrange(sql("INSERT INTO placed VALUES ('acme', 'MUG-1', 1)"))
        done = kit.call("order_place", order(), state=second.state, answers={"visit_1": {}})
        declined = kit.call("order_place", order(), state=second.state, answers={"visit_1": None})
    assert [(question.url, question.mode) for question in first.questions] == [("https://pay.example/card", "url")]
    assert (second.kind, done.ok, declined.code) == ("needs_input", True, "idempotency_conflict")


async def asked_with(capabilities: frozenset[QuestionMode] | None, **declared: Any) -> Answer:
    """The answer to an order of a client that can do this much."""
    async with serving(shop(**declared)) as served:
        made = Call(tool="order_place", arguments=order(), caller=caller(), capabilities=capabilities)
        return Answer(await served.service.call(made))


@pytest.mark.anyio
async def test_a_client_that_cannot_be_asked_is_told_what_it_lacks() -> None:
    """B8: a protocol error with the capability, and never a question that nobody can answer."""
    for capabilities in (frozenset[QuestionMode](), frozenset[QuestionMode]({"url"})):
        refused = (await asked_with(capabilities)).outcome
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.lacks) == ("missing_capability", {"form"})


@pytest.mark.anyio
async def test_a_page_needs_a_client_that_opens_pages() -> None:
    """B8: a form is no way around it."""
    refused = (await asked_with(frozenset({"form"}), handler=count_only, ask=ask_card_number)).outcome
    assert isinstance(refused, Refused)
    assert refused.lacks == {"url"}


@pytest.mark.anyio
@pytest.mark.parametrize("capabilities", [frozenset[QuestionMode](), None])
async def test_a_tool_may_say_where_it_is_answered_instead(capabilities: frozenset[QuestionMode] | None) -> None:
    """B8, B9: the fallback of a tool, for every client that cannot be asked."""
    answer = await asked_with(capabilities, ask=ask_elsewhere)
    assert answer.fault is not None
    assert (answer.code, answer.fault.next_step) == ("approval_required", "Ask the user to order in the shop")


def ask_elsewhere(request: Order) -> list[Ask[Any]]:
    """Ask what may be answered elsewhere."""
    return [Ask(Day, "When?"), Ask(Fewer, "How many?", out_of_band="Ask the user to order in the shop")]


@pytest.mark.anyio
async def test_a_revision_that_cannot_ask_gets_a_fault_that_names_the_way() -> None:
    """B9: approval_required, which such a client can show."""
    answer = await asked_with(None)
    assert answer.fault is not None
    assert answer.code == "approval_required"
    assert "a client that speaks MCP 2026-07-28" in answer.fault.next_step


def find_order(request: Order) -> Resource:
    """Every order is about one thing."""
    return Resource(id=request.sku, version="2")


class NoSuchThing(Fault):
    """No such thing is visible to you."""

    code, retry, next_step = "no_such_thing", Retry.NEVER, "Ask the user"


def test_nobody_is_asked_about_what_they_may_not_see() -> None:
    """B7, D1: the question would tell that it is there, and how much of it."""
    declared: dict[str, Any] = {"resource": find_order, "missing": NoSuchThing, "policy": DeniesObjects()}
    with open_kit(shop(**declared)) as kit:
        denied = kit.call("order_place", order())
    assert (denied.code, denied.questions) == ("no_such_thing", ())


def test_nobody_is_asked_about_what_has_changed_meanwhile() -> None:
    """B4: stale_version comes before the question."""
    declared: dict[str, Any] = {"resource": find_order, "missing": NoSuchThing}
    with open_kit(shop(effect=Update(), **declared)) as kit:
        stale = kit.call("order_place", order(expected_version="1"))
        asked = kit.call("order_place", order(expected_version="2"))
    assert (stale.code, asked.kind) == ("stale_version", "needs_input")


class DeniesObjects:
    """Allows everything but each single object."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """One decision."""
        return Decision(verdict="allow" if question.resource is None else "deny")


def wrong_type(request: Order) -> str:
    """Return no question."""
    return "Do you want it?"


def unknown_form(request: Order) -> Ask[Agreed]:
    """Ask what nobody takes."""
    return Ask(Agreed, "Yes?")


def twice(request: Order, stock: Stock) -> tuple[Ask[Fewer], Ask[Fewer]]:
    """Ask one form twice."""
    return Ask(Fewer, "How many?"), Ask(Fewer, "Really?")


def writes(request: Order, unit: Unit) -> None:
    """Write, where only reading is meant."""
    unit.execute("INSERT INTO placed VALUES ('acme', 'MUG-1', 1)")


def no_message(request: Order) -> Ask[Fewer]:
    """Ask nothing."""
    return Ask(Fewer, " ")


@pytest.mark.parametrize(
    ("ask", "note"),
    [
        (wrong_type, "ask= returned str; return Ask, Visit, a list of them, or None"),
        (unknown_form, "ask= asked Agreed, which neither the handler nor ask= takes"),
        (twice, "ask= returned the same question twice"),
        (writes, "StoreError"),
        (no_message, "a message to a person has 1 to 2,000 characters"),
    ],
)
def test_an_ask_that_does_what_it_must_not_is_our_fault(ask: Any, note: str) -> None:
    """B7, A9: internal on the wire, and its reason in the run."""
    with open_kit(shop(ask=ask)) as kit:
        answer = kit.call("order_place", order())
        told = next(run.note for run in kit.runs() if run.tool == "order_place")
        assert (answer.code, orders(kit)) == ("internal", 0)
    assert note in told


def test_a_handler_that_cannot_be_without_an_answer_says_so() -> None:
    """B8: `X` without `| None` means that ask= asks it each time."""
    with open_kit(shop(read_only, Read(), ask=nothing_asked, faults=())) as kit:
        answer = kit.call("order_place", order())
        assert "ask= did not ask Day, which is taken without `| None`" in kit.runs()[0].note
    assert answer.code == "internal"


def nothing_asked(request: Order) -> None:
    """Ask nothing."""
