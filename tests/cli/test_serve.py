"""`fourfold serve`, with a client at the other end: HTTP, stdio, and how both end."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import FOURFOLD, TOKEN, Result, Server, fourfold, serving

pytestmark = pytest.mark.usefixtures("workspace")

_ORDER = '{"customer": "C001", "sku": "ABC-1234", "pieces": 3}'
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


def test_a_served_catalog_is_listed_called_and_recorded() -> None:
    """A9, B9, B18, D6: the whole way, each step by the command that a user would take; its log has the head."""
    with serving("--http", "127.0.0.1:0") as server:
        assert "serving shop at http://127.0.0.1:" in server.announcement
        listed = fourfold("tools", server.url, token=TOKEN)
        ordered = fourfold("call", server.url, "order_create", _ORDER, "--key", "order-of-monday-1", token=TOKEN)
        refused = fourfold("call", server.url, "order_create", '{"customer": "C002", "sku": "ab-1"}', token=TOKEN)
        code, log = server.end(signal.SIGINT)

    Path("server.log").write_text(log, "utf-8")
    assert (code, log.count("\n")) == (0, 1)
    assert log.startswith("sealed 2 more, up to seq 2: fourfold-head/v1 1 ")
    assert fourfold("runs", "verify", "--head", "server.log").code == 0
    assert [line.split()[:2] for line in listed.out.splitlines()[1:]] == [
        ["operation_status", "reads"],
        ["order_create", "writes"],
        ["report_make", "reads"],
        ["stock_get", "reads"],
    ]
    assert ordered.out.startswith("order A00001 saved\n{\n")
    assert (refused.code, refused.out) == (1, "")
    assert "- sku: pattern_mismatch; expected text of 3 capital letters, '-', 4 digits\n" in refused.err
    runs = _runs()
    assert [(run["tool"], run["code"], run["subject"], run["transport"]) for run in runs] == [
        ("order_create", "invalid_arguments", "C002", "http"),
        ("order_create", "", "C001", "http"),
    ]
    assert fourfold("runs", "failures").out.splitlines()[1].split()[:4] == [
        "1",
        "C002",
        "order_create",
        "invalid_arguments",
    ]
    assert fourfold("runs", "counts").out.splitlines()[1].split()[:4] == ["1", "order_create", "delivery", "today"]
    assert f"delivered{' ' * 20}True\n" in fourfold("runs", "show", runs[1]["run_id"]).out


@pytest.mark.parametrize("token", [None, "tok-somebody-else"])
def test_a_wrong_token_says_what_to_check(token: str | None) -> None:
    """B18: exit code 2, the variable's name, and never the token."""
    with serving("--http", "127.0.0.1:0") as server:
        result = fourfold("tools", server.url, token=token)

    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(
        "asks for a bearer token, or does not know the one it got (HTTP 401); check FOURFOLD_TOKEN\n"
    )
    assert "tok-somebody-else" not in result.err


def test_a_live_server_that_refuses_is_told_apart_from_a_wrong_address() -> None:
    """B6, B9: a tool that is not there, a path that is not there, a port where nobody listens."""
    with serving("--http", "127.0.0.1:0") as server:
        unknown = fourfold("call", server.url, "nothing", token=TOKEN)
        elsewhere = fourfold("tools", f"{server.url}s", token=TOKEN)
    nowhere = fourfold("tools", server.url, token=TOKEN)

    assert unknown == Result(2, "", f"fourfold: {server.url} answered with an error: Unknown tool (-32602)\n")
    assert elsewhere.err.endswith("has no MCP endpoint at this path (HTTP 404); check the path, which is often /mcp\n")
    assert nowhere.err.endswith("could not be reached; check the address and that the server runs\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("transport", [[], ["--http", "127.0.0.1:0"]], ids=["stdio", "http"])
def test_a_signal_ends_a_server_cleanly(transport: list[str], number: int, workspace: Path) -> None:
    """B9, D1: exit code 0, nothing on either stream, and a store that is whole."""
    with serving(*transport) as server:
        code, printed = server.end(number)
        assert server.process.stdout is not None
        assert (code, printed, server.process.stdout.read()) == (0, "", "")

    with closing(sqlite3.connect(workspace / ".fourfold/shop.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert fourfold("call", "shop:catalog", "order_create", _ORDER).code == 0


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_write_that_has_begun_is_finished_after_the_signal(transport: str, workspace: Path) -> None:
    """B9, D1: Ctrl-C in the middle of a transaction: it is committed, recorded, and over HTTP answered."""
    os.mkfifo("begun")
    os.mkfifo("let-go")
    with serving(*(["--http", "127.0.0.1:0"] if transport == "http" else []), target="slow:catalog") as server:
        call = _call_over_http(server) if transport == "http" else _call_over_stdio(server)
        assert Path("begun").read_text("utf-8") == "yes"
        server.process.send_signal(signal.SIGINT)
        Path("let-go").write_text("now", "utf-8")
        assert server.process.wait(timeout=60) == 0

    if call is not None:
        assert call.communicate(timeout=60)[0].startswith("thing_create: done\n")
    assert [(run["tool"], run["outcome"]) for run in _runs()] == [("thing_create", "done")]
    with closing(sqlite3.connect(workspace / ".fourfold/slow.db")) as database:
        assert database.execute("SELECT count(*) FROM thing").fetchall() == [(1,)]


def test_a_stdio_server_ends_with_its_input() -> None:
    """B9: this is how clients end a server, and the last call is recorded."""
    listed, called = _ask("shop:catalog", ("tools/list", {}), ("tools/call", {"name": "stock_get", "arguments": {}}))

    assert len(listed["result"]["tools"]) == 4
    assert called["result"]["isError"]
    assert [(run["code"], run["transport"]) for run in _runs()] == [("invalid_arguments", "stdio")]


def test_nothing_but_the_protocol_is_on_standard_output() -> None:
    """MP-130, B9: what the module, the log, the handler and a child process write is on standard error."""
    out, err = _pipe("noisy:catalog", ("tools/list", {}), ("tools/call", {"name": "noise_make", "arguments": {}}))

    answers = [json.loads(line) for line in out.splitlines()]
    assert [(answer["jsonrpc"], answer["id"]) for answer in answers] == [("2.0", 0), ("2.0", 1)]
    assert answers[1]["result"]["structuredContent"] == {"done": True}
    texts = ["[db] Connected to ./x.db", "ready", "hi from the handler", "hi from the log", "hi from the child"]
    assert [text for text in texts if text not in err] == []


def test_a_server_on_stdio_says_who_calls_and_where_it_keeps_things() -> None:
    """B18: on standard error, where clients show it."""
    with serving("--caller", "reader", "--store", "sqlite:///kept.db") as server:
        assert server.announcement == "serving shop over stdio as reader (store sqlite:///kept.db)\n"


def test_the_command_of_a_server_is_a_target() -> None:
    """B9: `--` and a command; the server's own words are shown, and its exit is explained."""
    good = fourfold("call", "stock_get", '{"sku": "LOW-0002"}', "--", FOURFOLD, "serve", "shop:catalog")
    bad = fourfold("tools", "--", sys.executable, "-c", "raise SystemExit('no licence')")

    assert good.out.splitlines()[0] == "2 pieces of LOW-0002"
    assert good.err.splitlines()[0] == "serving shop over stdio as clerk (store sqlite:///.fourfold/shop.db)"
    assert bad.code == 2
    assert bad.err.startswith("no licence\n")
    assert bad.err.endswith("ended the connection before it answered; check its own output above\n")


def test_only_the_tools_of_a_toolset_are_served() -> None:
    """B11: named toolsets, and a name that is none."""
    served = fourfold("tools", "--", FOURFOLD, "serve", "shop:catalog", "--toolset", "stock")
    wrong = fourfold("serve", "shop:catalog", "--toolset", "stocks")

    assert [line.split()[0] for line in served.out.splitlines()] == ["tool", "stock_get"]
    assert wrong == Result(2, "", "fourfold: no toolset is named stocks; known: stock\n")


def test_a_port_for_other_machines_needs_their_name_for_it() -> None:
    """B18: bound beyond loopback, the Host header is checked against something."""
    result = fourfold("serve", "shop:catalog", "--http", "0.0.0.0:0")

    assert (result.code, result.out) == (2, "")
    assert "set public_hosts to the names that clients reach this server by" in result.err


def test_http_without_any_token_does_not_start(workspace: Path) -> None:
    """B18: nobody could call; the message says how a digest is made."""
    path = workspace / "fourfold.toml"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "token" not in line), "utf-8")

    result = fourfold("serve", "shop:catalog", "--http", "127.0.0.1:0")

    assert result.code == 2
    assert "the hex SHA-256 of that caller's token, as `printf %s TOKEN | sha256sum` prints it" in result.err
    assert not (workspace / ".fourfold").exists()


def test_an_ipv6_address_is_written_as_in_a_url() -> None:
    """B9: with brackets, as given and as announced."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with serving("--http", "[::1]:0") as server:
        assert server.url.startswith("http://[::1]:")
        assert fourfold("tools", server.url, token=TOKEN).code == 0


def test_a_taken_port_is_named() -> None:
    """B9: the second server on a port says which port it is."""
    with serving("--http", "127.0.0.1:0") as server:
        port = server.url.rpartition(":")[2].partition("/")[0]
        result = fourfold("serve", "shop:catalog", "--http", f"127.0.0.1:{port}")

    assert result.code == 2
    assert f"cannot listen on 127.0.0.1 port {port}: " in result.err


def test_modern_only_turns_the_handshake_off() -> None:
    """B9: without the flag, both eras are served."""
    hello: dict[str, Any] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "old", "version": "1"},
    }
    both, _ = _pipe("shop:catalog", ("initialize", hello), modern=False)
    modern, _ = _pipe("shop:catalog", ("initialize", hello), modern=False, options=["--modern-only"])

    assert json.loads(both)["result"]["protocolVersion"] == "2025-11-25"
    assert json.loads(modern)["error"]["code"] == -32022


def _call_over_http(server: Server) -> subprocess.Popen[str]:
    environment = {**os.environ, "FOURFOLD_TOKEN": TOKEN}
    command = [FOURFOLD, "call", server.url, "thing_create"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def _call_over_stdio(server: Server) -> None:
    params = {"name": "thing_create", "arguments": {}, "_meta": _META}
    assert server.process.stdin is not None
    server.process.stdin.write(f"{json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': params})}\n")
    server.process.stdin.flush()


def _ask(target: str, *messages: tuple[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in _pipe(target, *messages)[0].splitlines())


def _pipe(
    target: str, *messages: tuple[str, dict[str, Any]], modern: bool = True, options: list[str] | None = None
) -> tuple[str, str]:
    """Send messages to a stdio server, then end its input: what it printed on both streams."""
    more = {"_meta": _META} if modern else {}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, **more}})
        for number, (method, params) in enumerate(messages)
    ]
    command = [FOURFOLD, "serve", target, *(options or [])]
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout, done.stderr


def _runs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(fourfold("runs", "list", "--json").out)["runs"]
    return found
