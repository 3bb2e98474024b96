"""What a `requestState` is good for, and everything that it is not."""

from __future__ import annotations

import base64
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold import Caller, Limits, Preview, Read
from fourfold.asking import Form
from fourfold.model.outcome import Refused
from fourfold.testing import Answer, Kit, caller, open_kit
from tests.stages.serving import over, serving
from tests.stages.shop import Day, Order, OrderPlaced, order, place, shop
from tests.stages.test_consent import agree, ask_agreement, read_only, sql, when

MANY = Limits(calls_per_minute=100_000)
ANSWERS: dict[str, Any] = {"fewer": {"pieces": 3}}


@pytest.fixture(scope="module")
def kit() -> Generator[Kit]:
    """The shop; what is refused changes nothing, so that one serves every example."""
    with open_kit(shop(limits=MANY)) as opened:
        yield opened


def redeemed(kit: Kit, state: str, arguments: dict[str, Any] | None = None, **more: Any) -> Answer:
    """The answer to a good answer with that state."""
    return kit.call("order_place", arguments or order(), state=state, answers=ANSWERS, **more)


def assert_refused(answer: Answer) -> None:
    """A protocol error with one reason, and nothing happened."""
    assert isinstance(answer.outcome, Refused)
    assert (answer.outcome.reason, answer.writes) == ("invalid_request_state", 0)


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_state_of_somebody_else_is_refused(kit: Kit, by: Caller) -> None:
    """B8, B18, D1: principal and tenant are bound."""
    assert_refused(redeemed(kit, kit.call("order_place", order()).state, by=by))


@pytest.mark.parametrize("arguments", [order(7), order(delivered=True), order(idempotency_key="order-key-0000000001")])
def test_a_state_is_of_its_arguments(kit: Kit, arguments: dict[str, Any]) -> None:
    """B8: what a person agreed to is what was asked about, the key included."""
    assert_refused(redeemed(kit, kit.call("order_place", order()).state, arguments))


def test_the_same_arguments_in_other_words_are_the_same(kit: Kit) -> None:
    """B8: defaults and order do not matter."""
    state = kit.call("order_place", order()).state
    assert redeemed(kit, state, {"delivered": False, "pieces": 8, "sku": "MUG-1"}).ok


def test_a_state_of_a_read_is_of_its_arguments_too() -> None:
    """B8: though it has no key."""
    with open_kit(shop(read_only, Preview(), ask=when)) as kit:
        state = kit.call("order_place", order()).state
        other = kit.call("order_place", order(7), state=state, answers={"day": {"day": "2026-12-24"}})
    assert_refused(other)


def test_a_tool_that_never_asks_knows_no_state(kit: Kit) -> None:
    """B8: not even one that another tool has handed out."""
    state = kit.call("order_place", order()).state
    for invented in (state, "v1.", "", "x" * 5_000):
        assert_refused(kit.call("order_count", state=invented))


def test_a_state_expires_with_its_time() -> None:
    """B8: 30 minutes, to the millisecond."""
    with open_kit(shop()) as kit:
        asked = kit.call("order_place", order())
        kit.clock.ms += 30 * 60_000 - 1
        assert redeemed(kit, asked.state).ok
        kit.clock.ms += 1
        assert_refused(redeemed(kit, asked.state))


class Another(Form):
    """A form that the first contract did not have."""


def place_or_not(request: Order, another: Another | None, day: Day | None) -> OrderPlaced:
    """Another contract of the same arguments."""
    return OrderPlaced(pieces=request.pieces)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "changed",
    [shop(place_or_not), shop(catalog="shop2"), shop(effect=Read(), handler=place)],
    ids=["forms", "catalog", "effect"],
)
async def test_a_state_of_another_contract_or_catalog_is_refused(changed: Any) -> None:
    """B8: the person was asked under another one."""
    async with serving(shop()) as first, serving(changed) as second:
        state = (await first.call("order_place", order())).state
        here = over(first, catalog=second.service.ports.catalog)
        answer = await here.call("order_place", order(), state=state, answers=ANSWERS)
    assert answer.code == "invalid_request_state"


def test_a_contract_that_only_reads_better_takes_the_state() -> None:
    """B8: a typo fix kills nothing in flight; `ask=` and its forms are the same."""
    one, other = shop(), shop(does="Places one order", version="1.1")
    digests = {catalog.build().tools["order_place"].contract.wire_digest for catalog in (one, other)}
    assert len(digests) == 1


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_state_with_any_bit_changed_is_refused(kit: Kit, data: st.DataObject) -> None:
    """B8: it is sealed as a whole."""
    state = kit.call("order_place", order()).state
    raw = bytearray(base64.urlsafe_b64decode(state[3:] + "=" * (-len(state[3:]) % 4)))
    bit = data.draw(st.integers(0, len(raw) * 8 - 1))
    raw[bit // 8] ^= 1 << bit % 8
    assert_refused(redeemed(kit, "v1." + base64.urlsafe_b64encode(raw).rstrip(b"=").decode()))


@given(st.text(max_size=300) | st.text("abcdefghijklmnopqrstuvwxyz0123456789-_.", max_size=300).map("v1.".__add__))
@settings(max_examples=150, deadline=None)
def test_what_was_never_sealed_is_refused(kit: Kit, state: str) -> None:
    """B8: whatever it is."""
    assert_refused(redeemed(kit, state))


def test_a_token_of_another_kind_is_no_state(kit: Kit) -> None:
    """B8, B10: each purpose has its own key."""
    sealer = kit.service.ports.sealer
    assert_refused(redeemed(kit, sealer.seal("cursor", b'{"operation":"op_1","asked":{},"answers":{}}', bind=())))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-200, 200) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["pieces", "price", "Pieces", ""]), JSON, max_size=3))
@settings(max_examples=200, deadline=None)
def test_an_answer_is_taken_exactly_if_its_form_takes_it(kit: Kit, content: dict[str, Any]) -> None:
    """B8, A2: nothing else reaches the handler, and nothing that is refused says what was sent."""
    kit.arrange(sql("UPDATE stock SET left_over = 5"))
    state = kit.call("order_place", order()).state
    answer = kit.call("order_place", order(), state=state, answers={"fewer": content})
    good = content.keys() == {"pieces"} and type(content["pieces"]) is int and 1 <= content["pieces"] <= 100
    if not good:
        assert (answer.kind, answer.code, answer.writes) == ("invalid", "invalid_arguments", 0)
        assert all(path.startswith("inputResponses.fewer") for path in answer.paths)
    elif content["pieces"] == 1:
        assert [question.key for question in answer.questions] == ["card"]
    else:
        assert answer.ok or answer.code == "sold_out"


def test_a_long_state_stays_on_the_server() -> None:
    """B8: what travels is at most 1 KiB, and it is as good on any other process of the store."""
    floor: dict[str, Any] = {"day": "2026-12-24", "floor": "up" * 900}
    with open_kit(shop()) as kit:
        first = kit.call("order_place", order(delivered=True))
        second = kit.call("order_place", order(delivered=True), state=first.state, answers={"day": floor})
        done = kit.call("order_place", order(delivered=True), state=second.state, answers={"fewer": {"pieces": 2}})
        again = kit.call("order_place", order(delivered=True), state=second.state, answers={"fewer": {"pieces": 2}})
        foreign = kit.call("order_place", order(delivered=True), state=second.state, by=caller(tenant="globex"))
    assert (len(first.state) <= 1_024, len(second.state) <= 1_024) == (True, True)
    assert (done.structured, again.replayed) == ({"pieces": 2, "day": "2026-12-24"}, True)
    assert_refused(foreign)


@pytest.mark.anyio
async def test_a_stored_state_that_is_gone_is_refused() -> None:
    """B8: as one that has expired."""
    floor: dict[str, Any] = {"day": "2026-12-24", "floor": "up" * 900}
    async with serving(shop()) as served:
        ports = served.service.ports
        first = await served.call("order_place", order(delivered=True))
        second = await served.call("order_place", order(delivered=True), state=first.state, answers={"day": floor})
        purged = await ports.units.write(
            lambda transaction: ports.handles.purge(transaction.unit, before_ms=2**53, limit=10),
            deadline=ports.clock.ticks() + 10,
        )
        gone = await served.call("order_place", order(delivered=True), state=second.state, answers=ANSWERS)
    assert (purged, gone.code) == (1, "invalid_request_state")


def test_a_state_tells_nothing(kit: Kit) -> None:
    """B8: neither the operation nor an answer can be read out of it."""
    first = kit.call("order_place", order(delivered=True))
    second = kit.call("order_place", order(delivered=True), state=first.state, answers={"day": {"day": "2026-12-24"}})
    raw = base64.urlsafe_b64decode(second.state[3:] + "===")
    assert b"2026-12-24" not in raw
    assert b"op_" not in raw


def test_what_the_policy_denies_is_denied_before_the_state_is_looked_at() -> None:
    """B18: each round is authorized by itself."""
    with open_kit(shop(agree, ask=ask_agreement, needs=["orders:write"], step_up=True)) as kit:
        state = kit.call("order_place", order()).state
        refused = kit.call("order_place", order(), state=state, answers={"agreed": {}}, by=caller(scopes=()))
    assert refused.code == "missing_scope"
