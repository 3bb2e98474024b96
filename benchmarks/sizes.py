"""What a large catalog costs: 157 tools built, listed and called, beside five of the same kinds."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server
from starlette.types import ASGIApp

from benchmarks.many_tools import SCOPES, TOOLS, make
from benchmarks.posting import posting
from benchmarks.report import Part
from benchmarks.rounds import Plan
from benchmarks.serve import HAS_UVLOOP
from benchmarks.stopwatch import Stopwatch, Work
from benchmarks.wire import TOKEN, mcp_request
from fourfold.bootstrap.service import open_service
from fourfold.edge.asgi import build_app
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.model.caller import Caller

__all__ = ["measure_sizes"]

_FEW = 5
"""One tool of each template."""

_CALLER = Caller(principal="clerk@acme", tenant="acme", scopes=SCOPES, name="clerk")
_CALLS = 50
"""Calls of each in a round: few enough for the rate that a caller has."""

_IDENTITY = TokenIdentity([KnownToken(caller=_CALLER, token_sha256=sha256(TOKEN.encode()).hexdigest())])
_LIST = mcp_request("tools/list")
_CALL = mcp_request("tools/call", name="invoice_list", arguments={})


def measure_sizes(folder: Path, plan: Plan) -> list[Part]:
    """Pairs of parts: few tools or the bare SDK first, then all tools with Fourfold. The note has their ratio."""
    watch = Stopwatch(rounds=plan.rounds, seconds=plan.part_seconds)
    return anyio.run(_sizes, watch, folder, backend_options={"use_uvloop": HAS_UVLOOP})


async def _sizes(watch: Stopwatch, folder: Path) -> list[Part]:
    async with AsyncExitStack() as until_measured:
        few = await until_measured.enter_async_context(_served(folder, _FEW))
        many = await until_measured.enter_async_context(_served(folder, TOOLS))
        bare = await until_measured.enter_async_context(_bare(await posting(many, _LIST)()))
        parts = await watch.in_turns(
            [
                Work(name=f"declare and build one tool of {_FEW}", do=_building(_FEW), times=20, pieces=_FEW),
                Work(name=f"declare and build one tool of {TOOLS}", do=_building(TOOLS), times=1, pieces=TOOLS),
                Work(name=f"ASGI: tools/list of {TOOLS}, bare SDK", do=posting(bare, _LIST), times=10),
                Work(name=f"ASGI: tools/list of {TOOLS}, whole", do=posting(many, _LIST), times=10),
                Work(name=f"ASGI: invoice_list among {_FEW} tools", do=posting(few, _CALL), times=_CALLS),
                Work(name=f"ASGI: invoice_list among {TOOLS} tools", do=posting(many, _CALL), times=_CALLS),
            ]
        )
    return [
        part for base, other in zip(parts[::2], parts[1::2], strict=True) for part in (base, _compared(other, base))
    ]


def _compared(part: Part, base: Part) -> Part:
    ratio = median(mine / theirs for mine, theirs in zip(part.cpu_us, base.cpu_us, strict=True))
    return replace(part, note=f"x{ratio:.2f} of the line above")


def _building(count: int) -> Callable[[], Awaitable[object]]:
    async def build() -> object:
        return make(count).build()

    return build


@asynccontextmanager
async def _served(folder: Path, count: int) -> AsyncGenerator[ASGIApp]:
    async with open_service(make(count).build(), f"sqlite:///{folder / f'{count}.db'}") as service:
        app = build_app(service, _IDENTITY)
        async with app.running():
            yield app


@asynccontextmanager
async def _bare(answer: bytes) -> AsyncGenerator[ASGIApp]:
    """The SDK with the tools of another server's answer and nothing else to do."""
    listed = types.ListToolsResult.model_validate(json.loads(answer)["result"])
    assert len(listed.tools) == TOOLS + 1  # operation_status comes with them

    async def list_tools(_context: Any, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listed

    app = Server("bench", version="1", on_list_tools=list_tools).streamable_http_app(
        json_response=True, stateless_http=True
    )
    async with app.router.lifespan_context(app):
        yield app
