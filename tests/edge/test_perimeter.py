"""Which Host and Origin come in."""

from __future__ import annotations

from hashlib import sha256

import pytest

from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.edge.perimeter import is_loopback
from fourfold.edge.settings import HttpSettings
from fourfold.errors import ConfigError
from tests.edge.conftest import Connect
from tests.edge.edge_service import ANNA
from tests.edge.wire import headers_of, modern

TOKEN = "t0ken"
IDENTITY = TokenIdentity([KnownToken(caller=ANNA, token_sha256=sha256(TOKEN.encode()).hexdigest())])
DISCOVER = modern("server/discover")


def _headers(**more: str) -> dict[str, str]:
    return {**headers_of(DISCOVER), "authorization": f"Bearer {TOKEN}", **more}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("mcp.example.com", 200),
        ("MCP.example.com:443", 200),
        ("evil.example", 421),
        ("localhost:8000", 421),
        ("mcp.example.com.evil.example", 421),
        ("mcp.example.com@evil.example", 421),
        ("mcp.example.com/", 421),
        ("", 421),
    ],
)
async def test_beyond_loopback_only_the_public_hosts_come_in(connect: Connect, host: str, status: int) -> None:
    """MP-133: bound to every address, the server answers to its public name and to no other, localhost included."""
    settings = HttpSettings(beyond_loopback=True, public_hosts=("mcp.example.com",))
    async with connect(settings, IDENTITY) as client:
        assert (await client.post("/mcp", json=DISCOVER, headers=_headers(host=host))).status_code == status


@pytest.mark.anyio
async def test_health_is_asked_by_address_and_counts_refused_hosts(connect: Connect) -> None:
    """MP-133: an orchestrator has no name for a container, so /healthz takes any Host and tells the count."""
    settings = HttpSettings(beyond_loopback=True, public_hosts=("mcp.example.com",))
    async with connect(settings, IDENTITY) as client:
        await client.post("/mcp", json=DISCOVER, headers=_headers(host="evil.example"))
        health = await client.get("/healthz", headers={"host": "10.244.0.5:8000"})
        posted = await client.post("/healthz")
    assert (health.status_code, health.json()) == (200, {"status": "ok", "host_rejections_total": 1})
    assert (posted.status_code, posted.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("127.0.0.1:8765", 200), ("[::1]:8765", 200), ("proxy.example", 200), ("evil.example", 421),
     ("localhost:99999", 421)],
)  # fmt: skip
async def test_on_loopback_its_names_and_a_proxy_come_in(connect: Connect, host: str, status: int) -> None:
    """B9: the loopback names are there by default, a proxy's name when it is configured."""
    async with connect(HttpSettings(public_hosts=("proxy.example",))) as client:
        assert (await client.post("/mcp", json=DISCOVER, headers=_headers(host=host))).status_code == status


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("https://app.example.com", 200),
        ("https://app.example.com.evil.example", 403),
        ("http://evil.example", 403),
        ("http://localhost@evil.example", 403),
        ("null", 403),
    ],
)
async def test_a_web_page_calls_only_from_an_allowed_origin(connect: Connect, origin: str, status: int) -> None:
    """B9: a page of another site is refused before its body is read."""
    async with connect(HttpSettings(allowed_origins=("https://app.example.com",))) as client:
        assert (await client.post("/mcp", json=DISCOVER, headers=_headers(origin=origin))).status_code == status


@pytest.mark.anyio
async def test_two_hosts_or_origins_are_refused(connect: Connect) -> None:
    """B9: two readers would pick different ones."""
    async with connect() as client:
        hosts = await client.post("/mcp", json=DISCOVER, headers=[("host", "localhost"), ("host", "localhost")])
        origins = await client.post("/mcp", json=DISCOVER, headers=[("origin", "http://localhost")] * 2)
    assert (hosts.status_code, origins.status_code) == (421, 403)


def test_beyond_loopback_needs_public_hosts() -> None:
    """MP-133: a server that does not know its own name does not start there."""
    with pytest.raises(ConfigError, match="public_hosts"):
        HttpSettings(beyond_loopback=True)


def test_loopback_addresses_are_recognised() -> None:
    """B9: an unspecified address is not one of them."""
    assert [is_loopback(host) for host in ("127.0.0.1", "LOCALHOST", "[::1]", "10.0.0.1", "example.com")] == [
        True, True, True, False, False,
    ]  # fmt: skip
