"""`fourfold select record`: started, used by an agent, and ended with Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from fourfold.contracts.case_file import read_cases
from tests.cli.commands import FOURFOLD, fourfold
from tests.selection.providers import Reply, openai_body, provider

KEY = "sk-0123456789abcdef0123"
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "refund", "description": "Pays back.", "parameters": {}},
}
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "refund INV-7"}], "tools": [TOOL]}
CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}


@contextmanager
def started(*options: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it has announced."""
    command = [FOURFOLD, "select", "record", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        try:
            assert line.startswith("recording at http://127.0.0.1:"), line + process.stderr.read()
            yield process, line.split()[2]
        finally:
            process.kill()


@pytest.mark.anyio
async def test_decisions_are_added_to_the_suite_until_ctrl_c(tmp_path: Path) -> None:
    """A8: what was known before stays known, and what gave no case is counted with the reason."""
    out, counts = tmp_path / "suite.jsonl", list[list[str]]()
    replies = (openai_body({"tool_calls": [CALL]}), Reply(body=b"<html>"))
    for _ in range(2):
        async with provider(*replies) as served, httpx2.AsyncClient() as agent:
            with started("--upstream", served.url, "--out", str(out)) as (process, url):
                for _ in replies:
                    await agent.post(
                        f"{url}/v1/chat/completions", json=ASKED, headers={"authorization": f"Bearer {KEY}"}
                    )
                process.send_signal(signal.SIGINT)
                _, err = await anyio.to_thread.run_sync(process.communicate)
                counts.append(err.splitlines())
                assert process.returncode == 0

    (case,) = read_cases(out.read_bytes().splitlines(), name="out")
    assert (case.expect.calls[0].name, KEY in out.read_text("utf-8")) == ("refund", False)
    assert [lines[0] for lines in counts] == [f"1 new case in {out}", f"0 new cases in {out}"]
    assert counts[1][1] == "  1 known already"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upstream", "http://api.example.com"], "would be sent keys in the clear"),
        (["--upstream", "https://api.example.com", "--host", "0.0.0.0"], "set public_hosts"),  # noqa: S104
        (["--upstream", "api.example.com"], "an upstream is http or https"),
    ],
)
def test_a_recorder_that_would_be_unsafe_does_not_start(options: list[str], said: str, tmp_path: Path) -> None:
    """Exit 2, and what to change."""
    result = fourfold("select", "record", "--port", "0", "--out", str(tmp_path / "suite.jsonl"), *options)

    assert (result.code, result.out) == (2, "")
    assert said in result.err
