"""The two methods over the SDK: what a listing and a call carry, and what never leaks."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.edge.conftest import Connect
from tests.edge.edge_service import ANNA, EdgeService
from tests.edge.wire import ACCEPT, call, headers_of, initialize, modern, post, request

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
KEY = "fourfold/idempotencyKey"


async def test_discovery_names_the_server_and_only_tools(connect: Connect) -> None:
    """B9: what is not served is not advertised."""
    async with connect() as client:
        result = (await post(client, modern("server/discover"))).json()["result"]
    assert result == {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": "Use list_hosts first.",
        "ttlMs": 300_000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "edge-test", "version": "1.2"}},
    }


async def test_a_listing_that_depends_on_the_caller_is_private(connect: Connect) -> None:
    """MP-097, B11: a shared cache would show one caller's tools to another."""
    async with connect() as client:
        result = (await post(client, modern("tools/list"))).json()["result"]
    assert (result["cacheScope"], result["ttlMs"]) == ("private", 60_000)


async def test_pages_follow_each_other_to_the_end(connect: Connect, service: EdgeService) -> None:
    """B11: no tool twice, none left out, and the last page has no cursor, not even an empty one."""
    service.page = 7
    names: list[str] = []
    cursor: dict[str, Any] = {}
    async with connect() as client:
        for _ in range(3):
            result = (await post(client, modern("tools/list", cursor))).json()["result"]
            names += [tool["name"] for tool in result["tools"]]
            cursor = {"cursor": result["nextCursor"]} if "nextCursor" in result else {}
    assert cursor == {}
    assert len(names) == len(set(names)) == 16


@pytest.mark.parametrize("cursor", ["", "forged", "at-x"])
async def test_a_foreign_cursor_is_invalid(connect: Connect, cursor: str) -> None:
    """B10: -32602 in the same words for every reason; the empty string is a cursor too."""
    async with connect() as client:
        answer = await post(client, modern("tools/list", {"cursor": cursor}))
    assert (answer.status_code, answer.json()["error"]) == (400, {"code": -32602, "message": "Invalid cursor"})


@pytest.mark.parametrize("legacy", [False, True])
async def test_a_hidden_and_a_made_up_tool_answer_with_the_same_bytes(connect: Connect, legacy: bool) -> None:
    """B18: nothing tells that a tool exists which this caller may not see."""
    answers: list[bytes] = []
    async with connect() as client:
        for name in ("admin_only", "made_up"):
            body = request("tools/call", {"name": name}) if legacy else modern("tools/call", {"name": name})
            answers.append((await post(client, body, ACCEPT if legacy else headers_of(body))).content)
    assert answers == [b'{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}'] * 2


@pytest.mark.parametrize("arguments", [{}, {"arguments": {}}, {"arguments": None}])
async def test_arguments_may_be_left_out(connect: Connect, service: EdgeService, arguments: dict[str, Any]) -> None:
    """MP-035: a tool without parameters is called without arguments."""
    async with connect() as client:
        answer = (await post(client, modern("tools/call", {"name": "list_hosts", **arguments}))).json()
    assert answer["result"]["isError"] is False
    assert service.calls[0].arguments == {}


@pytest.mark.parametrize("params", [{"name": "list_hosts", "arguments": []}, {"arguments": {}}, {"name": 5}])
async def test_a_malformed_call_is_a_protocol_error(connect: Connect, params: dict[str, Any]) -> None:
    """B6: not a tool error, because no tool was reached."""
    body = modern("tools/call", params)
    name = params.get("name")
    headers = {**ACCEPT, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": str(name)}
    async with connect() as client:
        answer = await post(client, body, headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020 if name == 5 else -32602)


async def test_a_call_carries_what_the_request_said(connect: Connect, service: EdgeService) -> None:
    """A9, B16: revision, client, key and trace reach the run record; the caller comes from the transport."""
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with connect() as client:
        await call(client, "echo", {"text": "hi"}, **{KEY: "k" * 20, "traceparent": parent})
    made = service.calls[0]
    assert (made.tool, made.arguments, made.caller, made.transport) == ("echo", {"text": "hi"}, ANNA, "http")
    assert (made.revision, made.client, made.meta_key) == ("2026-07-28", "test 1", "k" * 20)
    assert made.trace is not None
    assert (made.trace.trace_id, made.trace.span_id) == ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")


@pytest.mark.parametrize(
    "parent",
    ["", 5, "00-" + "0" * 32 + "-b7ad6b7169203331-01", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
)
async def test_a_malformed_trace_is_ignored(connect: Connect, service: EdgeService, parent: Any) -> None:
    """B16: it is untrusted and never fails a call."""
    async with connect() as client:
        answer = await call(client, "echo", traceparent=parent)
    assert (answer["result"]["isError"], service.calls[0].trace) == (False, None)


async def test_a_key_that_is_no_text_is_a_problem(connect: Connect, service: EdgeService) -> None:
    """D1: the caller believes that the call is protected, so it does not run unprotected."""
    async with connect() as client:
        answer = (await post(client, modern("tools/call", {"name": "echo"}, meta={KEY: 5}))).json()
    problem = answer["result"]["_meta"]["fourfold/fault"]["problems"][0]
    assert (problem["path"], problem["code"]) == ("idempotency_key", "wrong_type")


async def test_a_state_that_nobody_handed_out_is_refused(connect: Connect, service: EdgeService) -> None:
    """B8: the service looks at it, and its refusal is a JSON-RPC error with one message for every cause."""
    async with connect() as client:
        answer = await post(client, modern("tools/call", {"name": "echo", "requestState": "forged"}))
    assert (answer.status_code, answer.json()["error"]["data"]) == (400, {"reason": "invalid_request_state"})
    assert [call.state for call in service.calls] == ["forged"]


@pytest.mark.parametrize(
    ("elicitation", "status"),
    [({}, 200), ({"form": {}}, 200), ({"form": {}, "url": {}}, 200), ({"url": {}}, 400), (None, 400)],
)
async def test_a_question_is_asked_only_of_a_client_that_shows_forms(
    connect: Connect, elicitation: dict[str, Any] | None, status: int
) -> None:
    """B8: the capability comes with each request."""
    capabilities = {} if elicitation is None else {"elicitation": elicitation}
    meta = {"io.modelcontextprotocol/clientCapabilities": capabilities}
    async with connect() as client:
        answer = await post(client, modern("tools/call", {"name": "ask"}, meta=meta))
    assert answer.status_code == status
    assert status == 400 or answer.json()["result"]["resultType"] == "input_required"


@pytest.mark.parametrize("legacy", [False, True])
async def test_no_exception_text_leaves_the_server(
    connect: Connect, caplog: pytest.LogCaptureFixture, legacy: bool
) -> None:
    """A5, B16: a generic error with a reference in both eras; the log has the reference and no text."""
    body = request("tools/call", {"name": "crash"}) if legacy else modern("tools/call", {"name": "crash"})
    with caplog.at_level(logging.INFO):
        async with connect() as client:
            answer = await post(client, body, ACCEPT if legacy else headers_of(body))
    error = answer.json()["error"]
    assert (error["code"], error["message"]) == (-32603, "Internal error")
    assert error["data"]["reference"] in caplog.text
    assert "hunter" not in caplog.text + answer.text


async def test_a_handshake_negotiates_a_legacy_revision(connect: Connect) -> None:
    """B9: the newest of the legacy revisions when the asked one is not among them."""
    async with connect() as client:
        asked = ("2024-11-05", "2025-03-26", "2025-06-18", "2026-07-28", "1999-01-01")
        results = [(await post(client, initialize(version), ACCEPT)).json()["result"] for version in asked]
    assert [result["protocolVersion"] for result in results] == [*asked[:3], "2025-11-25", "2025-11-25"]
    assert results[0]["capabilities"] == {"tools": {"listChanged": False}}


async def test_two_instances_serve_one_client_in_turn(connect: Connect) -> None:
    """MP-131: there is no session, so any instance answers, also after a restart."""
    hosts: list[Any] = []
    for _ in range(3):
        async with connect() as one, connect() as other:
            assert (await post(one, modern("tools/list"))).status_code == 200
            hosts += [await call(other, "list_hosts"), await call(one, "list_hosts")]
            legacy = await post(other, request("tools/call", {"name": "list_hosts"}), ACCEPT)
            hosts.append({"result": legacy.json()["result"]})
    assert [answer["result"]["isError"] for answer in hosts] == [False] * 9


def test_no_span_holds_an_argument_or_the_text_of_an_exception() -> None:
    """B16: a trace names the tool and that it failed; secrets are in neither attributes, statuses nor events."""
    command = [sys.executable, "-m", "tests.edge.spans"]
    recorded = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT).stdout
    assert "span tools/call crash" in recorded
    assert "status StatusCode.ERROR Internal error" in recorded
    assert "span tools/call echo" in recorded
    assert "hunter" not in recorded
    assert "exception" not in recorded
