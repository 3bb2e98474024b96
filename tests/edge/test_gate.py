"""The perimeter: what is refused before the SDK, and what happens when a client leaves."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest

from fourfold.edge.asgi import build_app
from fourfold.edge.gate import Gate
from fourfold.edge.settings import HttpSettings
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from tests.edge.conftest import Connect
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller
from tests.edge.wire import ACCEPT, headers_of, initialize, modern, post, request

pytestmark = pytest.mark.anyio

LIST = modern("tools/list")


class Exchange:
    """One ASGI exchange whose client may leave whenever the test says so."""

    def __init__(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        self.left = anyio.Event()
        self.sent: list[dict[str, Any]] = []
        self.scope: dict[str, Any] = {
            "type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "http_version": "1.1",
            "headers": [(b"host", b"localhost"), *((k.encode(), v.encode()) for k, v in headers.items())],
        }  # fmt: skip
        self._events = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]

    async def receive(self) -> dict[str, Any]:
        """The body, then the end of the connection."""
        if self._events:
            return self._events.pop()
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        """Keep what would be written."""
        self.sent.append(dict(event))


@asynccontextmanager
async def in_flight(service: EdgeService, exchange: Exchange, settings: HttpSettings) -> AsyncGenerator[anyio.Event]:
    """`exchange` going on, until its tool runs; yields an event that is set when the application has returned."""
    app = build_app(service, SoleCaller(ANNA), settings=settings)
    returned = anyio.Event()

    async def serve() -> None:
        await app(exchange.scope, exchange.receive, exchange.send)
        returned.set()

    with anyio.fail_after(5):
        async with app.running(), anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            while not service.running:
                await anyio.lowlevel.checkpoint()
            yield returned
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize("json_response", [True, False])
async def test_a_read_is_cancelled_when_its_client_leaves(service: EdgeService, json_response: bool) -> None:
    """MP-091: closing the connection is the cancellation at 2026-07-28, with one JSON answer and with a stream."""
    body = modern("tools/call", {"name": "slow_report"})
    exchange = Exchange(body, headers_of(body))
    async with in_flight(service, exchange, HttpSettings(json_response=json_response)) as returned:
        exchange.left.set()
        await returned.wait()
    assert (service.cancelled, service.running, exchange.sent) == (["slow_report"], set(), [])


async def test_a_claimed_write_ends_although_its_client_has_left(service: EdgeService) -> None:
    """B19, D1: the write is finished and counted once, and nothing is written to the connection."""
    body = modern("tools/call", {"name": "quote_create"})
    exchange = Exchange(body, headers_of(body))
    async with in_flight(service, exchange, HttpSettings()) as returned:
        exchange.left.set()
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert (service.writes, returned.is_set()) == (0, False)
        service.commit_may_end.set()
        await returned.wait()
    assert (service.writes, exchange.sent) == (1, [])


@pytest.mark.parametrize("json_response", [True, False])
async def test_a_legacy_client_that_leaves_cancels_nothing(service: EdgeService, json_response: bool) -> None:
    """B9: until 2025-11-25 a lost connection is not a cancellation."""
    exchange = Exchange(request("tools/call", {"name": "slow_report"}), ACCEPT)
    async with in_flight(service, exchange, HttpSettings(json_response=json_response)) as returned:
        exchange.left.set()
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        assert (service.cancelled, service.running, returned.is_set()) == ([], {"slow_report"}, False)


async def test_a_body_over_the_cap_is_refused_also_in_pieces(connect: Connect) -> None:
    """B19: a declared and an undeclared length are counted alike."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(11):
            yield b" " * 10

    async with connect(HttpSettings(max_body_bytes=100)) as client:
        whole = await post(client, b" " * 101)
        chunked = await client.post("/mcp", content=pieces(), headers=ACCEPT)
        fits = await post(client, b" " * 100)
    assert [answer.status_code for answer in (whole, chunked, fits)] == [413, 413, 400]
    assert whole.headers["connection"] == "close"


async def test_a_client_that_sends_too_slowly_is_not_waited_for(connect: Connect) -> None:
    """B19: half a body holds a connection for no longer than the limit."""

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await anyio.sleep_forever()

    async with connect(HttpSettings(read_timeout_s=0.01)) as client:
        assert (await client.post("/mcp", content=endless(), headers=ACCEPT)).status_code == 408


async def test_a_client_that_leaves_while_sending_is_forgotten(service: EdgeService) -> None:
    """B19: nothing is answered and nothing runs."""
    exchange = Exchange(LIST, headers_of(LIST))
    await exchange.receive()
    exchange.left.set()
    app = build_app(service, SoleCaller(ANNA))
    await app(exchange.scope, exchange.receive, exchange.send)
    assert exchange.sent == []


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
async def test_only_post_is_there(connect: Connect, method: str) -> None:
    """B9: no session to stream from or to delete."""
    async with connect() as client:
        answer = await client.request(method, "/mcp", headers=ACCEPT)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_another_path_is_not_found(connect: Connect) -> None:
    """B9: the endpoint is one path."""
    async with connect() as client:
        assert (await client.post("/other", json=LIST, headers=headers_of(LIST))).status_code == 404


async def test_a_missing_scope_is_challenged_with_all_scopes_of_the_operation(connect: Connect) -> None:
    """B18: a 403 that tells a client what to ask for, only for tools that want that."""
    settings = HttpSettings(resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp")
    async with connect(settings) as client:
        answer = await post(client, modern("tools/call", {"name": "scoped"}))
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == (
        'Bearer error="insufficient_scope", scope="quotes:read quotes:write", '
        'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"'
    )


@pytest.mark.parametrize("headers", [ACCEPT, {**ACCEPT, "mcp-protocol-version": "2025-11-25"}])
async def test_a_modern_body_without_its_header_is_a_header_mismatch(connect: Connect, headers: dict[str, str]) -> None:
    """B9: the body says which era it is from; a header that says otherwise is an error, not another era."""
    async with connect() as client:
        answer = await post(client, LIST, headers)
    assert (answer.status_code, answer.json()["id"], answer.json()["error"]["code"]) == (400, 1, -32020)


async def test_a_version_header_that_is_there_twice_is_refused(connect: Connect) -> None:
    """B9: the gate and the SDK would read different ones."""
    pairs = [*headers_of(LIST).items(), ("mcp-protocol-version", "2025-11-25")]
    async with connect() as client:
        answer = await client.post("/mcp", json=LIST, headers=pairs)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize(
    ("region", "header", "status"),
    [
        ("eu", "eu", 200),
        ("eu", " eu ", 200),
        (None, None, 200),
        ("eu", None, 400),
        ("eu", "us", 400),
        (None, "eu", 400),
    ],
)
async def test_a_parameter_header_agrees_with_its_argument(
    connect: Connect, region: str | None, header: str | None, status: int
) -> None:
    """B9: an intermediary that routes by the header must not be told something else than the tool."""
    arguments = {} if region is None else {"region": region}
    body = modern("tools/call", {"name": "region_report", "arguments": arguments})
    headers = headers_of(body) if header is None else {**headers_of(body), "mcp-param-region": header}
    async with connect() as client:
        answer = await post(client, body, headers)
    assert answer.status_code == status


async def test_a_parameter_header_tells_nothing_about_a_hidden_tool(connect: Connect) -> None:
    """B18: a tool that the caller cannot see answers like one that does not exist, whatever its headers."""
    answers: list[bytes] = []
    async with connect() as client:
        for name in ("admin_only", "made_up"):
            body = modern("tools/call", {"name": name, "arguments": {"x": 1}})
            answers.append((await post(client, body, {**headers_of(body), "mcp-param-x": "2"})).content)
    assert answers[0] == answers[1]


async def test_a_posted_notification_is_accepted_and_does_nothing(connect: Connect, service: EdgeService) -> None:
    """MP-092: over HTTP an id belongs to whoever chose it, so a posted cancellation cancels nobody's call."""
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    async with connect() as client:
        for version in ("2026-07-28", "2025-11-25"):
            answer = await post(client, cancelled, {**ACCEPT, "mcp-protocol-version": version})
            assert (answer.status_code, answer.content) == (202, b"")
        unknown = await post(client, cancelled, {**ACCEPT, "mcp-protocol-version": "v999"})
    assert (unknown.status_code, unknown.json()["error"]["code"], "id" in unknown.json()) == (400, -32022, False)


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        (initialize(), ACCEPT, -32022),
        (request("tools/list"), {**ACCEPT, "mcp-protocol-version": "2025-11-25"}, -32022),
        (request("tools/list"), ACCEPT, -32602),
    ],
)
async def test_modern_only_refuses_the_handshake_era(
    connect: Connect, body: dict[str, Any], headers: dict[str, str], code: int
) -> None:
    """B9: the refusal names the versions that are spoken, or what a request of those must carry."""
    async with connect(HttpSettings(modern_only=True)) as client:
        answer = await post(client, body, headers)
        assert (await post(client, LIST)).status_code == 200
    error = answer.json()["error"]
    assert (answer.status_code, answer.json()["id"], error["code"]) == (400, 1, code)
    assert code != -32022 or error["data"] == {"supported": ["2026-07-28"], "requested": "2025-11-25"}


@pytest.mark.parametrize("headers", [{"accept": "text/html"}, {"content-type": "text/plain"}])
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
async def test_no_error_of_the_sdk_carries_a_null_id(connect: Connect, headers: dict[str, str], version: str) -> None:
    """B9: where the SDK does not look at the id, the answer has none."""
    body = LIST if version == "2026-07-28" else request("tools/list")
    async with connect() as client:
        answer = await post(client, body, {**headers_of(body), "mcp-protocol-version": version, **headers})
    assert answer.status_code in {400, 406, 415}
    assert b"null" not in answer.content


class BrokenTools(EdgeService):
    """A service whose policy falls over."""

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """Never answers."""
        raise RuntimeError("password=hunter2")


async def test_a_failure_in_the_gate_says_only_that_there_was_one(caplog: pytest.LogCaptureFixture) -> None:
    """A5: neither the client nor the log at its default level gets the text of an exception."""
    app = build_app(BrokenTools(), SoleCaller(ANNA))
    transport = httpx2.ASGITransport(app)
    with caplog.at_level(logging.INFO):
        async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await post(client, modern("tools/call", {"name": "list_hosts"}))
    assert (answer.status_code, answer.json()["error"]["message"]) == (500, "Internal error")
    assert answer.json()["error"]["data"]["reference"] in caplog.text
    assert "hunter2" not in caplog.text + answer.text


async def test_the_lifespan_protocol_starts_and_stops_the_server(service: EdgeService) -> None:
    """B9: an ASGI host enters what the SDK needs once."""
    app: Gate = build_app(service, SoleCaller(ANNA))
    events = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    sent: list[str] = []

    async def receive() -> Any:
        return next(events)

    async def send(event: Any) -> None:
        sent.append(event["type"])

    await app({"type": "lifespan"}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.parametrize("wrong", [{"path": "mcp"}, {"path": "/healthz"}, {"max_body_bytes": 0}, {"read_timeout_s": 0}])
async def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    """B19: a bound of nothing is a mistake."""
    with pytest.raises(ConfigError):
        HttpSettings(**wrong)
