"""The official Python client, in both eras, over both transports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

ROOT = Path(__file__).parents[2]
COMMAND = StdioServerParameters(command=sys.executable, args=["-m", "tests.edge.edge_server", "stdio"], cwd=ROOT)
ERAS = {"2026-07-28": "2026-07-28", "auto": "2026-07-28", "legacy": "2025-11-25"}


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """The URL of the small service as a process."""
    command = [sys.executable, "-m", "tests.edge.edge_server", "http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        process.communicate()


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("mode", ERAS)
async def test_the_python_client_lists_and_calls(url: str, transport: str, mode: str) -> None:
    """B9, B6: listing, a success with its object, a tool error and a protocol error."""
    async with Client(url if transport == "http" else COMMAND, mode=mode, read_timeout_seconds=30) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        good = await client.call_tool("echo", {"text": "hi"})
        rejected = await client.call_tool("rejected", {})
        with pytest.raises(MCPError) as refused:
            await client.call_tool("made_up", {})
        revision = client.protocol_version
    assert (revision, len(names), refused.value.code) == (ERAS[mode], 16, -32602)
    assert (good.structured_content, good.is_error) == ({"arguments": {"text": "hi"}}, False)
    assert (rejected.is_error, _code(rejected.meta)) == (True, "stale_version")


def _code(meta: dict[str, Any] | None) -> Any:
    return (meta or {})["fourfold/fault"]["code"]
