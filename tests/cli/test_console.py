"""`fourfold console` and `fourfold serve --console`, as processes of their own with a browser's requests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving
from tests.cli.people import token_of

Run = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("house")

_ORDER = '{"customer": "C002", "sku": "ABC-1234", "pieces": 2}'
_STORE = ("--store", "sqlite:///shop.db")


@dataclass(slots=True)
class Opened:
    """A console that is up, and the link that it printed."""

    process: subprocess.Popen[str]
    printed: str
    link: str

    def end(self) -> int:
        """Send Ctrl-C and wait; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@contextmanager
def console(*words: str, stdin: str = "") -> Generator[Opened]:
    """`fourfold console` on a free port, until the block ends."""
    command = [FOURFOLD, "console", *words, "--http", "127.0.0.1:0"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(stdin)
        process.stdin.close()
        try:
            printed, link = _link_in(process.stderr)
            yield Opened(process, printed, link)
        finally:
            process.kill()


def _link_in(stderr: IO[str]) -> tuple[str, str]:
    """What is printed up to the link, and the link."""
    seen = ""
    for line in stderr:
        seen += line
        found = re.search(r"https?://\S+/sign-in\?link=\S+", line)
        if found is not None:
            return seen, found[0]
    raise AssertionError(f"there is no link: {seen}")


@contextmanager
def browser(link: str) -> Generator[httpx2.Client]:
    """A browser that used the link: signed in, at the first page."""
    parts = urlsplit(link)
    origin = f"{parts.scheme}://{parts.netloc}"
    base = origin + parts.path.removesuffix("/sign-in")
    with httpx2.Client(base_url=base, headers={"origin": origin}) as client:
        answer = client.post("/sign-in", data={"link": parse_qs(parts.query)["link"][0]})
        assert answer.status_code == 303
        yield client


@pytest.fixture
def called(run: Run) -> None:
    """A store with one order and one refused call."""
    assert run("call", "shop:catalog", "order_create", _ORDER, *_STORE).code == 0
    assert run("call", "shop:catalog", "stock_get", '{"sku": "NON-0000"}', *_STORE).code == 1


@pytest.mark.usefixtures("called")
def test_the_link_of_the_console_shows_the_runs_of_a_store() -> None:
    """D5, A9: with the catalog, also what a code of its author means."""
    with console("shop:catalog", *_STORE) as opened, browser(opened.link) as client:
        runs = client.get("/runs?failed=yes").text
        found = re.search(r"/runs/run_\w+", runs)
        assert found is not None
        page = client.get(found[0]).text
        assert opened.end() == 0

    assert re.match(
        r"console at http://127\.0\.0\.1:\d+/ \(store sqlite:///shop\.db\); Ctrl-C ends it\n", opened.printed
    )
    assert "unknown_article" in runs
    assert "order_create" not in runs.split("<tbody")[1]
    assert "There is no article with that number." in page
    assert "Ask the user which article they mean." in page


@pytest.mark.usefixtures("called")
def test_a_console_for_one_tenant_shows_no_other() -> None:
    """D5, B18."""
    with console(*_STORE, "--tenant", "globex") as opened, browser(opened.link) as client:
        page = client.get("/runs").text
        other = client.get("/runs?tenant=acme").status_code

    assert "Tenant <strong>globex</strong>" in page
    assert "No run is like that." in page
    assert other == 404


@pytest.mark.usefixtures("called")
def test_an_operators_token_signs_in_at_the_form() -> None:
    """D5: without the link, as everybody but the one who started it."""
    with console(*_STORE) as opened:
        origin = opened.link.split("/sign-in")[0]
        with httpx2.Client(base_url=origin, headers={"origin": origin}) as client:
            refused = client.post("/sign-in", data={"token": "nobody's"})
            entered = client.post("/sign-in", data={"token": token_of("ana")})
            page = client.get("/approvals").text

    assert (refused.status_code, entered.status_code) == (403, 303)
    assert '<span class="name">ana</span>' in page


def test_the_console_is_served_beside_the_endpoint() -> None:
    """D5, A9: one command; the call of a client stands on the page of whoever is on call."""
    with serving("--http", "127.0.0.1:0", "--console", *_STORE) as server:
        _, link = _link_in(server.stderr)
        made = fourfold("call", server.url, "order_create", _ORDER, "--key", "order-of-monday-1", token=TOKEN)
        with browser(link) as client:
            runs, now = client.get("/runs").text, client.get("/").text
            cookie = f"fourfold_console={client.cookies['fourfold_console']}"
        foreign = httpx2.post(server.url, headers={"cookie": cookie})
        code, printed = server.end(signal.SIGTERM)

    assert (made.code, code, "Traceback" in printed) == (0, 0, False)
    assert link.startswith(server.url.replace("/mcp", "/console/sign-in?link="))
    assert "order_create" in runs
    assert "Waits for a person" in now
    assert foreign.status_code == 401


def test_the_file_may_say_that_the_console_is_served(house: Path) -> None:
    """D5: over HTTP alone, since a client on stdio has no browser."""
    path = house / "fourfold.toml"
    path.write_text(path.read_text("utf-8").replace("[serve]", "[serve]\nconsole = true"), "utf-8")

    with serving("--http", "127.0.0.1:0", *_STORE) as server:
        _, link = _link_in(server.stderr)
        with browser(link) as client:
            assert client.get("/runs").status_code == 200
    with serving(*_STORE) as server:
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert (server.process.wait(timeout=60), server.stderr.read()) == (0, "")


def test_a_console_that_is_reached_by_https_prints_such_a_link() -> None:
    """D5: its cookie never travels without."""
    with serving("--http", "127.0.0.1:0", "--console", "--public-host", "mcp.example", *_STORE) as server:
        printed, link = _link_in(server.stderr)
        address = server.url.removesuffix("/mcp")
        form = {"link": parse_qs(urlsplit(link).query)["link"][0]}
        headers = {"host": "mcp.example", "origin": "https://mcp.example"}
        answer = httpx2.post(f"{address}/console/sign-in", headers=headers, data=form)

    assert printed.startswith("console at https://mcp.example/console/; sign in once")
    assert answer.headers["set-cookie"].endswith("; HttpOnly; Path=/console; SameSite=strict; Secure")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["serve", "shop:catalog", "--console"],
            "a client on stdio has no browser: give --console together with --http",
        ),
        (["console", "--store", "sqlite:///nothing.db"], "there is no store at sqlite:///nothing.db"),
        (["console", "--operator", "--tenant", "acme"], "an operator sees the tenants of their own entry"),
    ],
)
def test_what_cannot_be_shown_is_explained(run: Run, words: list[str], said: str) -> None:
    """B9, D5."""
    result = run(*words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.usefixtures("called")
def test_beyond_loopback_the_console_needs_the_name_that_browsers_use(run: Run) -> None:
    """D5, B17: or any page could reach it through its reader's browser."""
    result = run("console", *_STORE, "--http", "0.0.0.0:0")

    assert result.code == 2
    assert "0.0.0.0 is reachable from other machines: name the host that browsers use, by --public-host" in result.err
