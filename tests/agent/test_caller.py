"""A loop without a model against real servers of ours: billing over HTTP, and a shop that asks a person."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Generator
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from fourfold.agent import (
    Correction,
    Done,
    InputResponse,
    Invalid,
    Refused,
    Rejected,
    Rules,
    Stopped,
    ToolCaller,
    connect,
    over,
)
from fourfold.bootstrap.load import load_catalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.contracts.lock import lock_of
from fourfold.model.contract import JsonObject
from tests.agent.odd import Deaf, Pauses, Person, caller_of, corrected
from tests.interaction.serving import ROOT, Served, serving
from tests.stores.breaking import outside

pytestmark = pytest.mark.anyio

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
SCOPES = "accounts:read quotes:read quotes:write invoices:read invoices:write"
LOCK = lock_of(of_catalog(load_catalog("billing:catalog"), target="billing:catalog"))
SHOP = [sys.executable, "-m", "tests.edge.round_server", "stdio"]


@pytest.fixture(scope="module")
def billing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The billing server, with a clerk."""
    with serving("billing:catalog", tmp_path_factory.mktemp("billing"), ("clerk", "acme", SCOPES)) as served:
        yield served


def order(sku: str = "ABC-1234", **changes: Any) -> dict[str, Any]:
    """Arguments of quote_create."""
    line = {"sku": sku, "quantity": 3, "unit_price_minor": 2_500}
    return {"account_id": ACCOUNT, "currency": "EUR", "lines": [line], **changes}


def quotes(billing: Served) -> int:
    """Quotes in the store."""
    return outside(billing.folder / "store.db", "SELECT count(*) FROM quote")[0][0]


def mended(arguments: JsonObject) -> JsonObject:
    """The order with an article that exists."""
    return order()


def gave_up(arguments: JsonObject) -> None:
    """A model that does not know better."""


def left_as_it_was(arguments: JsonObject) -> JsonObject:
    """A model that sends the same again."""
    return dict(arguments)


def still_wrong(arguments: JsonObject) -> JsonObject:
    """A model that gets it wrong again."""
    return order("ab-2")


async def test_a_malformed_article_is_corrected_once_and_the_quote_is_made(billing: Served) -> None:
    """A4, A18: the model is told the path, gives other arguments, and consent is asked for again for those."""
    person, told, before = Person(), list[Correction](), quotes(billing)
    async with connect(billing.url, token="token-clerk") as session:
        consent = {"create": person.consent}
        caller = caller_of(session, "quote_*", lock=LOCK, consent=consent, correct=corrected(mended, told))
        outcome = await caller.call("quote_create", order("ab-1"))

    assert isinstance(outcome, Done)
    assert quotes(billing) - before == 1
    assert [(each.fault.code, [problem.path for problem in each.fault.problems]) for each in told] == [
        ("invalid_arguments", ["lines.0.sku"])
    ]
    assert [each.arguments for each in person.intents] == [order("ab-1"), order()]
    assert {(each.effect, each.reach) for each in person.intents} == {("create", "store")}


@pytest.mark.parametrize("change", [gave_up, left_as_it_was, still_wrong])
async def test_arguments_that_stay_wrong_end_the_call(billing: Served, change: Any) -> None:
    """A4, A18: one correction, not two; and the same arguments are not sent again."""
    told, before = list[Correction](), quotes(billing)
    async with connect(billing.url, token="token-clerk") as session:
        consent = {"create": Person().consent}
        caller = caller_of(session, "quote_*", lock=LOCK, consent=consent, correct=corrected(change, told))
        outcome = await caller.call("quote_create", order("ab-1"))

    assert isinstance(outcome, Invalid)
    assert outcome.text.startswith("invalid_arguments: ")
    assert (len(told), quotes(billing) - before) == (1, 0)


async def test_a_domain_rejection_is_reported_and_never_sent_again(billing: Served) -> None:
    """A4, A18: the model isn't asked to correct what no other spelling would change."""
    told, pauses = list[Correction](), Pauses()
    async with connect(billing.url, token="token-clerk") as session:
        hooks = {"correct": corrected(mended, told), "pause": pauses}
        caller = caller_of(session, "quote_*", lock=LOCK, consent={"create": Person().consent}, **hooks)
        outcome = await caller.call("quote_create", order(account_id=str(uuid.uuid4())))

    assert isinstance(outcome, Rejected)
    assert outcome.fault.code == "unknown_account"
    assert outcome.fault.next_step != ""
    assert (told, pauses.seconds) == ([], [])


async def test_a_call_that_is_gone_on_with_is_the_same_operation(billing: Served) -> None:
    """D1: another process that has the key gets the first answer; without it, there are two quotes."""
    before, key = quotes(billing), uuid.uuid4().hex
    async with connect(billing.url, token="token-clerk") as session:
        caller = caller_of(session, "quote_*", lock=LOCK, consent={"create": Person().consent})
        first = await caller.call("quote_create", order(), key=key)
        again = await caller.call("quote_create", order(), key=key)
        other = await caller.call("quote_create", order())

    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert isinstance(other, Done)
    assert (first.key, again.structured) == (key, first.structured)
    assert quotes(billing) - before == 2


async def test_a_quote_whose_answer_is_lost_is_made_once(billing: Served) -> None:
    """D1: the second request brings the same key, and gets the answer of the first."""
    before, pauses = quotes(billing), Pauses()
    async with connect(billing.url, token="token-clerk") as session:
        deaf = Deaf(session)
        caller = caller_of(deaf, "quote_*", lock=LOCK, consent={"create": Person().consent}, pause=pauses)
        outcome = await caller.call("quote_create", order())

    assert isinstance(outcome, Done)
    assert deaf.lost is not None
    assert outcome.structured == deaf.lost.result["structuredContent"]
    assert quotes(billing) - before == 1
    assert pauses.seconds == [1.0]


async def test_reads_run_by_themselves_and_a_destructive_call_stops(billing: Served) -> None:
    """The lock knows the effect: a plan is a preview, executing it destroys."""
    async with connect(billing.url, token="token-clerk") as session:
        caller = caller_of(session, "account_find", "invoice_*", lock=LOCK)
        found = await caller.call("account_find", {"query": "Acme"})
        plan = await caller.call("invoice_plan_delete_draft", {"invoice_reference": "no-such", "expected_version": "1"})
        executed = await caller.call("invoice_execute_delete_draft", {"plan_id": "p", "digest": "d"})
        effects = {tool.name: tool.effect for tool in await caller.tools()}

    assert isinstance(found, Done)
    assert isinstance(plan, (Rejected, Invalid))
    assert isinstance(executed, Stopped)
    assert executed.reason == "consent_missing"
    assert effects["invoice_get"] == "read"
    assert effects["invoice_execute_delete_draft"] == "destroy"


def test_nobody_talks_a_locked_effect_down() -> None:
    """The lock says that it destroys; a pattern that is too wide does not change that."""
    rules = Rules(allow=["*"], effects={"invoice_*": "read"}, lock=LOCK)

    assert rules.effect_of("invoice_get") == "read"
    assert rules.effect_of("invoice_execute_delete_draft") == "destroy"
    assert (rules.reach_of("payment_execute_refund"), rules.reach_of("no_such")) == ("outside", "")


async def test_the_key_is_the_callers_and_not_the_models(billing: Served) -> None:
    """D1: a model that sees no key cannot mint a new one for a retry."""
    async with connect(billing.url, token="token-clerk") as session:
        shown = {tool.name: tool for tool in await caller_of(session, "quote_*", lock=LOCK).tools()}

    assert [*shown] == ["quote_create", "quote_preview"]
    assert sorted(shown["quote_create"].input_schema["properties"]) == ["account_id", "currency", "lines"]
    assert shown["quote_create"].description.startswith("Save a priced quote for an account")


async def test_a_client_that_is_connected_already_can_be_used(billing: Served) -> None:
    """The official SDK's client, which whoever opened it closes."""
    headers = {"authorization": "Bearer token-clerk"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(billing.url, http_client=http)) as client,
    ):
        caller = ToolCaller(over(client), Rules(allow=["quote_preview"], lock=LOCK))
        outcome = await caller.call("quote_preview", order())
        tools = await client.list_tools()

    assert isinstance(outcome, Done)
    assert len(tools.tools) > 1


async def test_a_person_answers_what_the_server_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """B8: each round takes the state back, and one order is placed."""
    monkeypatch.chdir(ROOT)
    answers: list[JsonObject] = [{"pieces": 1}, {"motif": "sea"}]
    person = Person(says=[InputResponse(action="accept", content=each) for each in answers])
    async with connect(SHOP) as session:
        rules = {"effects": {"order_place": "create", "order_count": "read"}, "consent": {"create": person.consent}}
        caller = caller_of(session, "order_*", answer=person.answer, **rules)
        placed = await caller.call("order_place", {"sku": "MUG-1", "pieces": 8})
        counted = await caller.call("order_count", {})

    assert isinstance(placed, Done)
    assert isinstance(counted, Done)
    assert placed.structured == {"pieces": 1, "motif": "sea"}
    assert counted.structured == {"orders": 1}
    assert person.questions == ["Only 5 are left. How many do you want?", "Is it a present?"]
    assert len(person.intents) == 1


async def test_a_person_who_declines_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """B8: it is the server that says so, and nothing is ordered."""
    monkeypatch.chdir(ROOT)
    person = Person(says=[InputResponse(action="decline")])
    async with connect(SHOP) as session:
        rules = {"effects": {"order_place": "create"}, "consent": {"create": person.consent}}
        outcome = await caller_of(session, "order_*", answer=person.answer, **rules).call(
            "order_place", {"sku": "MUG-1", "pieces": 8}
        )

    assert isinstance(outcome, Rejected)
    assert outcome.fault.code == "input_declined"


async def test_a_loop_without_a_person_says_so_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """B8: the server then refuses, by naming the capability that the client lacks."""
    monkeypatch.chdir(ROOT)
    async with connect(SHOP) as session:
        rules = {"effects": {"order_place": "create"}, "consent": {"create": Person().consent}}
        outcome = await caller_of(session, "order_*", **rules).call("order_place", {"sku": "MUG-1", "pieces": 8})

    assert isinstance(outcome, Refused)
    assert outcome.code == -32021


async def test_a_token_that_is_not_known_stops_before_anything_is_sent(billing: Served) -> None:
    """The tools are not listed, so none is called."""
    async with (
        httpx2.AsyncClient(headers={"authorization": "Bearer token-clerk"}, timeout=60) as http,
        Client(streamable_http_client(billing.url, http_client=http)) as client,
    ):
        http.headers["authorization"] = "Bearer forged"
        outcome = await caller_of(over(client), "*", effects={"*": "read"}).call("account_find", {"query": "Acme"})

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "unreachable"
