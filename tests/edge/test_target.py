"""The client for live servers: any server, and what it says when one does not work."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from fourfold.edge.target import connect
from fourfold.errors import TargetError

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
PYTHON = sys.executable
COMMAND = [PYTHON, "-m", "tests.edge.edge_server", "stdio"]


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """The URL of the small service as a process."""
    with subprocess.Popen([*COMMAND[:-1], "http"], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        process.communicate()


@pytest.mark.parametrize("how", ["url", "command"])
async def test_a_live_server_is_listed_and_called(url: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B9: a URL and a command are the same to whoever asks."""
    monkeypatch.chdir(ROOT)
    async with connect(url if how == "url" else COMMAND) as target:
        tools = await target.tools()
        good = await target.call("echo", {"text": "hi"})
        rejected = await target.call("rejected", {})
    assert (target.revision, len(tools), tools[0]["name"]) == ("2026-07-28", 16, "ask")
    assert tools[0]["inputSchema"]["additionalProperties"] is False
    assert (good.structured, good.is_error) == ({"arguments": {"text": "hi"}}, False)
    assert rejected.is_error
    assert rejected.text.startswith("stale_version: ")


async def test_a_protocol_error_of_a_live_server_is_explained(url: str) -> None:
    """B6: it is no answer of the tool."""
    async with connect(url) as target:
        with pytest.raises(TargetError, match=r"answered with an error: Unknown tool \(-32602\)"):
            await target.call("made_up", {})


async def test_an_error_of_the_user_passes_through_unwrapped(url: str) -> None:
    """A3: what goes wrong between connecting and leaving is not the server's."""
    with pytest.raises(KeyError, match="mine"):
        async with connect(url):
            raise KeyError("mine")


async def test_a_command_that_does_not_exist_is_explained() -> None:
    """B9: what to check is in the message."""
    with pytest.raises(TargetError, match="could not be started: No such file or directory; check the command"):
        async with connect(["./no-such-command"]):
            pass


@pytest.mark.parametrize("program", ["", "import sys; sys.exit(3)"])
async def test_a_command_that_ends_at_once_is_explained(program: str) -> None:
    """B9: its own output is on stderr, and the message points there."""
    with pytest.raises(TargetError, match="ended the connection before it answered"):
        async with connect([PYTHON, "-c", program]):
            pass


async def test_a_server_that_never_answers_is_not_waited_for() -> None:
    """B19: a listener that only listens."""
    why = r"did not answer in time|could not be reached"
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(TargetError, match=why):
        async with connect(f"http://127.0.0.1:{silent.getsockname()[1]}/mcp", timeout_s=0.2):
            pass


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:9/mcp", "could not be reached"),
        ("ftp://localhost/", "is not a URL"),
        ("no url", "is not a URL"),
    ],
)
async def test_a_url_that_leads_nowhere_is_explained(url: str, why: str) -> None:
    """B9: what to check is in the message."""
    with pytest.raises(TargetError, match=why):
        async with connect(url, timeout_s=5):
            pass


@pytest.mark.parametrize(
    ("status", "why"), [(401, "FOURFOLD_TOKEN"), (403, "scopes"), (404, "path"), (421, "public hosts")]
)
async def test_a_refusal_by_status_is_explained(status: int, why: str) -> None:
    """B9: the SDK's client knows only that there was an error."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TargetError, match=rf"\(HTTP {status}\).*{why}"):
            async with connect(f"http://127.0.0.1:{port}/mcp", timeout_s=5):
                pass
