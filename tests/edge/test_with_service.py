"""The edge over the real stages: declared tools, called by clients on both transports."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

import anyio
import httpx2
import pytest
from pydantic import Field

from fourfold import Catalog, Input, Output, Read
from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import open_store, service_of
from fourfold.edge.asgi import build_app
from fourfold.model.run import RunFilter
from fourfold.stages.service import Service
from tests.edge.edge_service import ANNA, SoleCaller
from tests.edge.pipe_client import pipes
from tests.edge.test_gate import Exchange
from tests.edge.wire import call, headers_of, modern, post

pytestmark = pytest.mark.anyio


class Room(Input):
    """Which room to read."""

    room: Annotated[str, Field(max_length=40, description="Name of the room")]


class Said(Output):
    """What was said last."""

    text: Annotated[str, Field(max_length=200, description="The last thing said")]


@dataclass
class Waiting:
    """Handlers that wait until they are cancelled."""

    now: int = 0
    started: anyio.Event = field(default_factory=anyio.Event)


def _catalog(waiting: Waiting, size: int = 1) -> Catalog:
    catalog = Catalog("rooms", version="1.0")

    @catalog.tool(
        name="room_read", version="1.0", does="Read the last thing that was said in a room",
        use_when="the user asks what is going on there", not_for="waiting for news (room_watch)", effect=Read(),
    )  # fmt: skip
    def room_read(request: Room) -> Said:  # pyright: ignore[reportUnusedFunction]  # the decorator keeps it
        return Said(text=f"Hello from {request.room}")

    @catalog.tool(
        name="room_watch", version="1.0", does="Wait for the next thing that is said in a room",
        use_when="the user wants to hear news", not_for="what was said before (room_read)", effect=Read(),
    )  # fmt: skip
    async def room_watch(request: Room) -> Said:  # pyright: ignore[reportUnusedFunction]  # the decorator keeps it
        waiting.now += 1
        waiting.started.set()
        try:
            await anyio.sleep_forever()
        finally:
            waiting.now -= 1
        return Said(text=request.room)

    for number in range(3, size + 1):
        catalog.tool(
            name=f"thing{number}_read", version="1.0", does=f"Read the thing of shelf {number} and row {number * 7}",
            use_when=f"the user asks about shelf {number}", not_for=f"other shelves than {number}", effect=Read(),
        )(room_read)  # fmt: skip
    return catalog


@asynccontextmanager
async def _service(waiting: Waiting, size: int = 2) -> AsyncGenerator[Service]:
    clock = SystemClock()
    opened = open_store("memory:", clock=clock)
    try:
        yield service_of(_catalog(waiting, size).build(), opened, clock=clock)
    finally:
        await opened.store.aclose()


@asynccontextmanager
async def _client(service: Service) -> AsyncGenerator[httpx2.AsyncClient]:
    app = build_app(service, SoleCaller(ANNA))
    transport = httpx2.ASGITransport(app)
    async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def _outcomes(service: Service) -> list[str]:
    await service.ports.runs.flush()
    return [record.run.outcome for record in await service.ports.runs.list(RunFilter(tool="room_watch"), limit=10)]


async def test_a_declared_tool_answers_on_both_transports() -> None:
    """A1, A3, B9: one line of registration, and the same answer everywhere."""
    async with _service(Waiting()) as service:
        async with _client(service) as client:
            over_http = (await call(client, "room_read", {"room": "lobby"}))["result"]
        async with pipes(service) as client:
            body = modern("tools/call", {"name": "room_read", "arguments": {"room": "lobby"}})
            over_stdio = (await client.ask(body))["result"]
    assert over_http["structuredContent"] == over_stdio["structuredContent"] == {"text": "Hello from lobby"}
    assert over_http["_meta"].pop("fourfold/run") != over_stdio["_meta"].pop("fourfold/run")
    assert over_http == over_stdio


async def test_an_argument_with_half_a_character_in_its_name_is_an_invalid_argument() -> None:
    """MP-128: the call is answered as a tool error, and the next one is served."""
    raw = json.dumps(modern("tools/call", {"name": "room_read", "arguments": {"room": "lobby", "\ud800": 1}})).encode()
    async with _service(Waiting()) as service, pipes(service) as client:
        refused = (await client.ask(raw))["result"]
        alive = await client.ask(modern("tools/list", number=2))
    problems = refused["_meta"]["fourfold/fault"]["problems"]
    assert (refused["isError"], alive["id"]) == (True, 2)
    assert {problem["pointer"] for problem in problems} == {"/\ufffd"}
    assert {problem["code"] for problem in problems} <= {"lone_surrogate", "unknown_argument"}


async def test_a_call_that_is_cancelled_ends_in_its_run_record() -> None:
    """MP-091, MP-092: by a notice and by a closed connection; one end state each, and no handler left."""
    waiting = Waiting()
    body = modern("tools/call", {"name": "room_watch", "arguments": {"room": "lobby"}})
    async with _service(waiting) as service:
        async with pipes(service) as client:
            client.send(body)
            await waiting.started.wait()
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
            assert (await client.ask(modern("tools/list", number=2)))["id"] == 2
        assert await _outcomes(service) == ["cancelled"]
        await _leave_during(service, waiting, body)
        assert (waiting.now, await _outcomes(service)) == (0, ["cancelled", "cancelled"])


async def test_157_tools_are_listed_and_called_on_both_transports() -> None:
    """C10: in one order, none missing, none twice."""
    async with _service(Waiting(), size=157) as service:
        async with _client(service) as client:
            over_http = (await post(client, modern("tools/list"))).json()["result"]["tools"]
            called = (await call(client, "thing157_read", {"room": "x"}))["result"]
        async with pipes(service) as client:
            over_stdio = (await client.ask(modern("tools/list")))["result"]["tools"]
    assert (len(over_http), len({tool["name"] for tool in over_http})) == (157, 157)
    assert over_http == over_stdio
    assert called["isError"] is False


async def _leave_during(service: Service, waiting: Waiting, body: dict[str, Any]) -> None:
    """Call over HTTP, and close the connection once the handler runs."""
    waiting.started = anyio.Event()
    exchange = Exchange(body, headers_of(body))
    app = build_app(service, SoleCaller(ANNA))
    with anyio.fail_after(5):
        async with app.running(), anyio.create_task_group() as tasks:
            tasks.start_soon(app, exchange.scope, exchange.receive, exchange.send)
            await waiting.started.wait()
            exchange.left.set()
