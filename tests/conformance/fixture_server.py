"""The server that the official suite and the TypeScript clients run against: our edge, the suite's fixtures.

With the argument `http` it prints the endpoint's URL on a line; with `stdio` it serves on its pipes.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import ListenHandler

from fourfold.edge.asgi import mount, serve_http
from fourfold.edge.settings import HttpSettings
from fourfold.edge.stdio import serve_pipes, take_stdin, take_stdout
from fourfold.model.caller import Caller
from tests.conformance.fixture_content import (
    complete,
    empty,
    get_prompt,
    list_prompts,
    list_resources,
    list_templates,
    read_resource,
)
from tests.conformance.fixture_tools import BUS, SCHEMAS, call_tool, list_tools
from tests.edge.edge_service import SoleCaller

CALLER = Caller(principal="suite", tenant="conformance")


class NoContracts:
    """The fixture's tools have no contracts, so the gate has nothing to ask about them."""

    def find(self, caller: Caller, name: str) -> None:
        """No contract for any name."""

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """No step-up for any name."""
        return frozenset()


def fixture_server() -> Server[Any]:
    """A low-level server with everything that the suite looks for."""
    server: Server[Any] = Server(
        "fourfold-fixture",
        version="1.0",
        cache_hints={"server/discover": CacheHint(ttl_ms=60_000, scope="public")},
        get_tool_input_schema=lambda name: SCHEMAS.get(name) if name == "header_tool" else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=empty,
        on_unsubscribe_resource=empty,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
        on_subscriptions_listen=ListenHandler(BUS),
    )
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, empty)
    server.middleware.append(RequestStateBoundary(RequestStateSecurity(keys=[b"k" * 32]), default_audience=server.name))
    return server


async def _http() -> None:
    settings = HttpSettings(json_response=False)
    app = mount(fixture_server(), tools=NoContracts(), identity=SoleCaller(CALLER), settings=settings)
    await serve_http(app, port=0, announce=_say)


def _say(url: str) -> None:
    sys.stdout.write(url + "\n")
    sys.stdout.flush()


async def _stdio(wire: int) -> None:
    await serve_pipes(fixture_server(), CALLER, reading=take_stdin(), writing=wire)


if __name__ == "__main__":
    if sys.argv[1] == "http":
        anyio.run(_http)
    else:
        anyio.run(_stdio, take_stdout())
