"""The console beside the MCP endpoint, in one application: neither's credentials mean anything to the other."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import httpx2
import pytest

from fourfold.console.app import beside
from fourfold.console.viewer import Viewer
from fourfold.edge.asgi import build_app
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.testing import caller
from tests.console.desk import ORIGIN, Desk, open_desk
from tests.edge.wire import headers_of, modern
from tests.stages.vault import vault

TOKEN = "tok-0123456789abcdef"
COOKIE = "fourfold_console"
CALL = modern("tools/call", {"name": "document_plan_delete", "arguments": {"document_id": "doc-9"}})

Send = Callable[..., httpx2.Response]


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault."""
    with open_desk(vault()) as opened:
        yield opened


@pytest.fixture
def send(desk: Desk) -> Send:
    """Sends one request to both, as they are served together."""

    def sent(method: str, path: str, **facts: Any) -> httpx2.Response:
        return desk.kit._portal.call(partial(_answers, desk, [httpx2.Request(method, ORIGIN + path, **facts)]))[0]

    return sent


async def _answers(desk: Desk, requests: Sequence[httpx2.Request]) -> list[httpx2.Response]:
    known = KnownToken(caller=caller(scopes=["documents:delete"]), token_sha256=sha256(TOKEN.encode()).hexdigest())
    gate = build_app(desk.kit.service, TokenIdentity([known]))
    transport = httpx2.ASGITransport(beside(gate, desk.console, beyond_loopback=False))
    async with gate.running(), httpx2.AsyncClient(transport=transport) as client:
        return [await client.send(request) for request in requests]


def called(send: Send, headers: Mapping[str, str]) -> httpx2.Response:
    """The answer to one call of a tool."""
    return send("POST", "/mcp", headers={**headers_of(CALL), **headers}, content=json.dumps(CALL).encode())


def signed_in(desk: Desk, send: Send) -> str:
    """Sign in with a link, under /console; the cookie."""
    link = desk.console.links.new(Viewer.of_store())
    headers = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
    answer = send("POST", "/console/sign-in", headers=headers, content=f"link={link}".encode())
    assert (answer.status_code, answer.headers["location"]) == (303, "/console/")
    return answer.cookies[COOKIE]


def test_both_are_served_and_the_console_shows_what_was_called(desk: Desk, send: Send) -> None:
    """D5, A9: one process, one store."""
    answer = called(send, {"authorization": f"Bearer {TOKEN}"})
    assert answer.json()["result"]["isError"] is True
    desk.settle()

    page = send("GET", "/console/runs", headers={"cookie": f"{COOKIE}={signed_in(desk, send)}"})

    assert page.status_code == 200
    assert "document_plan_delete" in page.text
    assert 'href="/console/runs"' in page.text
    assert 'src="/console/static/console.js"' in page.text


def test_the_cookie_of_the_console_calls_no_tool(desk: Desk, send: Send) -> None:
    """D5, B18: identity comes from the bearer token alone, also where a browser sends both."""
    cookie = f"{COOKIE}={signed_in(desk, send)}"

    alone = called(send, {"cookie": cookie})
    both = called(send, {"cookie": f"{COOKIE}=nonsense", "authorization": f"Bearer {TOKEN}"})

    assert (alone.status_code, both.status_code) == (401, 200)
    assert [run.principal for run in desk.kit.runs()] == ["tester"]


def test_the_token_of_a_caller_opens_no_page(send: Send) -> None:
    """D5: it signs in through the form, and is no session."""
    page = send("GET", "/console/runs", headers={"authorization": f"Bearer {TOKEN}"})

    assert (page.status_code, page.headers["location"]) == (303, "/console/sign-in?next=/runs")


def test_the_cookie_is_for_the_console_alone(desk: Desk, send: Send) -> None:
    """D5: no browser sends it to the endpoint, and no script reads it."""
    link = desk.console.links.new(Viewer.of_store())
    headers = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}

    answer = send("POST", "/console/sign-in", headers=headers, content=f"link={link}".encode())

    assert answer.headers["set-cookie"].split("; ")[1:] == ["HttpOnly", "Path=/console", "SameSite=strict"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/console", 303),
        ("/console/", 303),
        ("/console/static/console.css", 200),
        ("/console/nothing", 404),
        ("/console/static/../../app.py", 404),
        ("/healthz", 200),
        ("/consoles", 404),
        ("/runs", 404),
        ("/sign-in", 404),
    ],
)
def test_each_has_its_own_paths(send: Send, path: str, status: int) -> None:
    """D5: what is not under /console is the server's, as it was."""
    assert send("GET", path).status_code == status


def test_the_pages_are_guarded_and_the_endpoint_is_as_it_was(send: Send) -> None:
    """D5, B17: the browser's rules are for pages; another host reaches neither."""
    page, call = send("GET", "/console/sign-in"), called(send, {"authorization": f"Bearer {TOKEN}"})

    assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert "content-security-policy" not in call.headers
    elsewhere = {"host": "evil.example", "authorization": f"Bearer {TOKEN}"}
    assert send("GET", "/console/sign-in", headers=elsewhere).status_code == 421
    assert called(send, elsewhere).status_code == 421
