"""Calls that ask a person, over the wire: the official client on both transports, and what its messages look like."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

from fourfold.bootstrap.service import open_service
from fourfold.edge.asgi import build_app
from tests.edge.edge_service import ANNA, SoleCaller
from tests.edge.wire import ACCEPT, modern, post, request
from tests.stages.shop import order, shop
from tests.stages.test_consent import ask_card_number, ask_elsewhere, count_only

ROOT = Path(__file__).parents[2]
COMMAND = StdioServerParameters(command=sys.executable, args=["-m", "tests.edge.round_server", "stdio"], cwd=ROOT)
FORMS: dict[str, Any] = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """The URL of a shop as a process."""
    command = [sys.executable, "-m", "tests.edge.round_server", "http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        process.communicate()


class Person:
    """Answers every form in turn, and remembers what was asked."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        """The next answer; `None` is a no."""
        self.asked.append(params.message)
        answer = self.answers.pop(0)
        return (
            types.ElicitResult(action="decline")
            if answer is None
            else types.ElicitResult(action="accept", content=answer)
        )


@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_the_python_client_answers_round_after_round(url: str, transport: str) -> None:
    """B8: two rounds of the person, one call of the program."""
    person = Person({"pieces": 1}, {"motif": "sea"})
    async with Client(
        url if transport == "http" else COMMAND, mode="2026-07-28", elicitation_callback=person, read_timeout_seconds=30
    ) as client:
        result = await client.call_tool("order_place", order())
    assert result.structured_content == {"pieces": 1, "motif": "sea"}
    assert (len(person.asked), person.asked[1]) == (2, "Is it a present?")


@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_a_no_of_the_person_reaches_the_program(url: str, transport: str) -> None:
    """B8: a tool error, which a model reads."""
    async with Client(
        url if transport == "http" else COMMAND,
        mode="2026-07-28",
        elicitation_callback=Person(None),
        read_timeout_seconds=30,
    ) as client:
        result = await client.call_tool("order_place", order(9))
    assert result.is_error
    assert (result.meta or {})["fourfold/fault"]["code"] == "input_declined"


async def test_a_client_without_a_person_is_refused(url: str) -> None:
    """B8: -32021, with what it would have to declare."""
    async with Client(url, mode="2026-07-28", read_timeout_seconds=30) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("order_place", order())
    assert (refused.value.code, refused.value.data) == (-32021, {"requiredCapabilities": {"elicitation": {}}})


async def test_a_client_of_an_older_revision_learns_that_a_person_is_needed(url: str) -> None:
    """B9: it never gets a result that its revision does not have, whatever it says that it can."""
    async with Client(
        url, mode="legacy", elicitation_callback=Person({"pieces": 1}), read_timeout_seconds=30
    ) as client:
        result = await client.call_tool("order_place", order())
    assert result.is_error
    assert (result.meta or {})["fourfold/fault"]["code"] == "approval_required"


@asynccontextmanager
async def connected(**declared: Any) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client of a shop of its own, in this process."""
    async with open_service(shop(**declared).build(), "memory:") as service:
        app = build_app(service, SoleCaller(ANNA))
        transport = httpx2.ASGITransport(app)
        async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
            yield client


async def place(client: httpx2.AsyncClient, **params: Any) -> httpx2.Response:
    """One `tools/call` of `order_place` by a client with forms."""
    params = {"name": "order_place", "arguments": order(), **params}
    return await post(client, modern("tools/call", params, meta=FORMS))


async def test_a_question_on_the_wire_is_no_result_that_anybody_keeps() -> None:
    """B6, B8: input_required with its map and its state, and without caching hints."""
    async with connected() as client:
        result = (await place(client)).json()["result"]
    state = result.pop("requestState")
    result.pop("_meta")
    assert (len(state) <= 1_024, result) == (
        True,
        {
            "resultType": "input_required",
            "inputRequests": {
                "fewer": {
                    "method": "elicitation/create",
                    "params": {
                        "mode": "form",
                        "message": "Only 5 are left. How many do you want?",
                        "requestedSchema": {
                            "type": "object",
                            "properties": {
                                "pieces": {
                                    "type": "integer",
                                    "description": "How many pieces then?",
                                    "minimum": 1,
                                    "maximum": 100,
                                }
                            },
                            "required": ["pieces"],
                        },
                    },
                }
            },
        },
    )


async def test_the_retry_is_matched_by_state_and_key() -> None:
    """B8: with other answers beside it; and it replays byte for byte."""
    responses = {"fewer": {"action": "accept", "content": {"pieces": 5}}, "more": {"action": "decline"}}
    async with connected() as client:
        state = (await place(client)).json()["result"]["requestState"]
        first = (await place(client, requestState=state, inputResponses=responses)).json()["result"]
        again = (await place(client, requestState=state, inputResponses=responses)).json()["result"]
    assert first["structuredContent"] == {"pieces": 5}
    assert (again["content"], again["_meta"]["fourfold/replayed"]) == (first["content"], True)


@pytest.mark.parametrize(
    "responses", [{"fewer": 12345}, {"fewer": None}, {"fewer": {"content": {}}}, {"fewer": {"action": "yes"}}, [], "x"]
)
async def test_what_is_no_response_at_all_is_malformed(responses: Any) -> None:
    """B8: -32602, and the state is as good as before."""
    async with connected() as client:
        state = (await place(client)).json()["result"]["requestState"]
        answer = await place(client, requestState=state, inputResponses=responses)
        good = await place(
            client, requestState=state, inputResponses={"fewer": {"action": "accept", "content": {"pieces": 5}}}
        )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
    assert good.json()["result"]["structuredContent"] == {"pieces": 5}


async def test_an_answer_of_another_kind_is_none() -> None:
    """B8: no form is answered by a list of roots, so the person is asked again."""
    async with connected() as client:
        state = (await place(client)).json()["result"]["requestState"]
        again = await place(client, requestState=state, inputResponses={"fewer": {"roots": []}})
    assert again.json()["result"]["resultType"] == "input_required"


async def test_an_answer_that_breaks_its_form_is_a_tool_error_with_a_path() -> None:
    """B8, A2: as wrong arguments are."""
    async with connected() as client:
        state = (await place(client)).json()["result"]["requestState"]
        content = {"pieces": 5, "price": 0}
        answer = await place(
            client, requestState=state, inputResponses={"fewer": {"action": "accept", "content": content}}
        )
    result = answer.json()["result"]
    assert result["isError"]
    assert "- inputResponses.fewer.price: unknown_argument" in result["content"][0]["text"]


@pytest.mark.parametrize("tool", ["order_place", "order_count"])
async def test_a_forged_state_is_a_protocol_error(tool: str) -> None:
    """B8: 400 and one reason, for a tool that asks and for one that never does."""
    async with connected() as client:
        arguments = order() if tool == "order_place" else {}
        answer = await place(client, name=tool, arguments=arguments, requestState="v1.forged")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["data"]) == (400, -32602, {"reason": "invalid_request_state"})


async def test_a_page_alone_is_no_form_on_the_wire() -> None:
    """B8: a client that only opens pages is not shown a form."""
    meta: dict[str, Any] = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}}}
    async with connected() as client:
        answer = await post(client, modern("tools/call", {"name": "order_place", "arguments": order()}, meta=meta))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32021)


@pytest.mark.parametrize("revision", ["2025-11-25", "2025-06-18"])
async def test_an_older_revision_is_never_asked(revision: str) -> None:
    """B9: approval_required, which names the way."""
    body = request("tools/call", {"name": "order_place", "arguments": order()})
    async with connected() as client:
        answer = (await post(client, body, {**ACCEPT, "mcp-protocol-version": revision})).json()["result"]
    assert (answer["isError"], answer["_meta"]["fourfold/fault"]["code"]) == (True, "approval_required")
    assert "2026-07-28" in answer["_meta"]["fourfold/fault"]["next_step"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2025-06-18"])
async def test_an_older_revision_has_no_state_that_opens(revision: str) -> None:
    """B9, B8: the same refusal, as that revision carries it."""
    body = request("tools/call", {"name": "order_place", "arguments": order(), "requestState": "v1.forged"})
    async with connected() as client:
        answer = await post(client, body, {**ACCEPT, "mcp-protocol-version": revision})
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32602)


async def test_a_page_to_open_is_asked_of_who_can_open_one() -> None:
    """B8, B9: URL mode for what must not pass through the client."""
    pages: dict[str, Any] = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}}}
    params = {"name": "order_place", "arguments": order()}
    async with connected(handler=count_only, ask=ask_card_number) as client:
        asked = (await post(client, modern("tools/call", params, meta=pages))).json()["result"]
        refused = await post(client, modern("tools/call", params, meta=FORMS))
        legacy = await post(client, request("tools/call", params), {**ACCEPT, "mcp-protocol-version": "2025-11-25"})
    assert asked["inputRequests"]["visit_1"] == {
        "method": "elicitation/create",
        "params": {"mode": "url", "message": "Enter your card on our page", "url": "https://pay.example/card"},
    }
    assert refused.json()["error"]["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}}}
    assert legacy.json()["result"]["_meta"]["fourfold/fault"]["code"] == "approval_required"


async def test_a_tool_may_name_its_own_way_for_those_who_cannot_be_asked() -> None:
    """B8, B9: a tool error with the next step, in every revision."""
    params = {"name": "order_place", "arguments": order()}
    step = "Ask the user to order in the shop"
    async with connected(ask=ask_elsewhere) as client:
        modern_one = (await post(client, modern("tools/call", params))).json()["result"]
        answer = await post(client, request("tools/call", params), {**ACCEPT, "mcp-protocol-version": "2025-11-25"})
    legacy = answer.json()["result"]
    assert [each["_meta"]["fourfold/fault"]["next_step"] for each in (modern_one, legacy)] == [step, step]
