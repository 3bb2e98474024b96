"""A state machine over callers, states, answers and time: one state has one effect, and no other answer changes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from fourfold import Caller, Create, Limits
from fourfold.asking import Ask
from fourfold.testing import FixedClock, caller, open_kit
from tests.stages.shop import Card, Fewer, Order, OrderPlaced, Stock, order, shop

LIFE_MS = 30 * 60_000
CALLERS = [caller("ann"), caller("bob"), caller("ann", tenant="globex")]
PIECES = st.sampled_from([1, 2, 3])
MOTIFS = st.sampled_from(["sea", "flowers"])


@dataclass(slots=True)
class Rounds:
    """One operation, as the model knows it: who began it, and what it was settled with."""

    by: Caller
    answers: dict[str, Any] | None = None


@dataclass(slots=True)
class State:
    """A state that was handed out."""

    token: str
    rounds: Rounds
    expires_ms: int
    earlier: dict[str, Any] = field(default_factory=dict[str, Any])
    asks: str = "fewer"


def ask(request: Order, fewer: Fewer | None) -> list[Ask[Any]]:
    """Ask how many; and for a motif, if it is one."""
    asked: list[Ask[Any]] = [Ask(Fewer, "How many?")]
    return [*asked, Ask(Card, "Is it a present?")] if fewer is not None and fewer.pieces == 1 else asked


def place(request: Order, stock: Stock, *, fewer: Fewer, card: Card | None) -> OrderPlaced:
    """Order, whatever is left."""
    stock.order(request.sku, fewer.pieces)
    return OrderPlaced(pieces=fewer.pieces, motif=card.motif if card else None)


class Shops(RuleBasedStateMachine):
    """Every answer is what the model says, and the store holds what the model holds."""

    states = Bundle("states")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FixedClock()
        catalog = shop(place, Create(duplicates="flag"), ask=ask, limits=Limits(calls_per_minute=1_000_000))
        self.opened = open_kit(catalog, clock=self.clock)
        self.kit = self.opened.__enter__()
        self.effects = 0

    def teardown(self) -> None:
        """Close the store."""
        self.opened.__exit__(None, None, None)

    @rule(target=states, by=st.sampled_from(CALLERS))
    def begin(self, by: Caller) -> State:
        """A first round."""
        answer = self.kit.call("order_place", order(), by=by)
        assert [question.key for question in answer.questions] == ["fewer"]
        return State(answer.state, Rounds(by), self.clock.ms + LIFE_MS)

    @rule(target=states, state=states, motif=MOTIFS)
    def answer_one(self, state: State, motif: str) -> State:
        """Answer with one piece: a second round asks for the card, unless the operation was settled."""
        if state.asks != "fewer" or self.clock.ms >= state.expires_ms or state.rounds.answers is not None:
            return state
        given = {"fewer": {"pieces": 1}}
        answer = self.kit.call("order_place", order(), by=state.rounds.by, state=state.token, answers=given)
        assert [question.key for question in answer.questions] == ["card"]
        return State(answer.state, state.rounds, self.clock.ms + LIFE_MS, earlier=given, asks="card")

    @rule(state=states, by=st.sampled_from(CALLERS), pieces=st.sampled_from([2, 3]), motif=MOTIFS)
    def redeem(self, state: State, by: Caller, pieces: int, motif: str) -> None:
        """Answer what it asks, as anybody: an effect, a replay, a conflict, or a refusal."""
        given: dict[str, Any] = {"fewer": {"pieces": pieces}} if state.asks == "fewer" else {"card": {"motif": motif}}
        answer = self.kit.call("order_place", order(), by=by, state=state.token, answers=given)
        rounds, answers = state.rounds, {**state.earlier, **given}
        if by != rounds.by or self.clock.ms >= state.expires_ms:
            assert answer.code == "invalid_request_state"
        elif rounds.answers is None:
            assert (answer.ok, answer.replayed) == (True, False)
            rounds.answers = answers
            self.effects += 1
        elif rounds.answers == answers:
            assert (answer.ok, answer.replayed) == (True, True)
        else:
            assert answer.code == "idempotency_conflict"

    @rule(state=states, by=st.sampled_from(CALLERS))
    def change_arguments(self, state: State, by: Caller) -> None:
        """A state is of its arguments."""
        answer = self.kit.call("order_place", order(9), by=by, state=state.token, answers={"fewer": {"pieces": 2}})
        assert answer.code == "invalid_request_state"

    @rule(state=states)
    def decline(self, state: State) -> None:
        """No, and nothing happens."""
        answers = {state.asks: None}
        answer = self.kit.call("order_place", order(), by=state.rounds.by, state=state.token, answers=answers)
        if self.clock.ms >= state.expires_ms:
            assert answer.code == "invalid_request_state"
        else:
            assert answer.code == ("input_declined" if state.rounds.answers is None else "idempotency_conflict")

    @rule(seconds=st.sampled_from([1, 60, 1_799]))
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.clock.advance(seconds)

    @invariant()
    def the_store_holds_what_was_settled(self) -> None:
        """Every settled operation once, and nothing else."""
        assert self.kit.call("order_count").structured["orders"] == self.effects


TestShops = Shops.TestCase
TestShops.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
