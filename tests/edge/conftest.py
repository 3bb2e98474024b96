"""An HTTP client in front of the gate, in one process, with real HTTP framing but no socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import httpx2
import pytest

from fourfold.edge.asgi import build_app
from fourfold.edge.identity import Identity
from fourfold.edge.settings import HttpSettings
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller

Connect = Callable[..., AbstractAsyncContextManager[httpx2.AsyncClient]]


@pytest.fixture
def anyio_backend() -> str:
    """The loop that the edge runs on."""
    return "asyncio"


@pytest.fixture
def service() -> EdgeService:
    """The service behind the edge."""
    return EdgeService()


@pytest.fixture
def connect(service: EdgeService) -> Connect:
    """A client of `service` with given settings and identity."""

    @asynccontextmanager
    async def connected(
        settings: HttpSettings | None = None, identity: Identity | None = None
    ) -> AsyncGenerator[httpx2.AsyncClient]:
        app = build_app(service, identity or SoleCaller(ANNA), settings=settings)
        transport = httpx2.ASGITransport(app)
        async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
            yield client

    return connected
