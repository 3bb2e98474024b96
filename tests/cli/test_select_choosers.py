"""`fourfold select run` with a model behind an API, and its answers replayed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.cli.commands import Result, fourfold
from tests.cli.terminal import at_terminal
from tests.selection.providers import Reply, anthropic_body, openai_body, openai_stream, provider

pytestmark = pytest.mark.anyio

KEY = "sk-0123456789abcdef0123"
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = {"tools": [{"name": "pay.refund", "description": "Pays back.", "inputSchema": SCHEMA}]}
CALL = {"id": "c1", "type": "function", "function": {"name": "pay_refund", "arguments": '{"id": "INV-7"}'}}
USED = {"type": "tool_use", "id": "t1", "name": "pay_refund", "input": {"id": "INV-7"}}
CASE: dict[str, Any] = {
    "id": "refund-7",
    "class": "positive",
    "reviewed": True,
    "messages": [{"role": "user", "content": "refund INV-7"}],
    "expect": {"decision": "call", "calls": [{"name": "pay.refund", "args": {"id": {"eq": "INV-7"}}}]},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a suite of one case and a saved list of tools."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.jsonl").write_text(json.dumps(CASE) + "\n", "utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), "utf-8")
    return tmp_path


async def run(chooser: str, *options: str, key: str = "") -> Result:
    """Run the suite, beside the provider that lives in this loop."""
    words = ["select", "run", "suite.jsonl", "tools.json", "--chooser", chooser, *options]
    return await anyio.to_thread.run_sync(lambda: fourfold(*words, MY_KEY=key))


@pytest.mark.parametrize(
    ("chooser", "reply"),
    [
        ("openai:m", openai_body({"tool_calls": [CALL]}, ended="tool_calls")),
        ("openai:m", openai_stream({"tool_calls": [{**CALL, "index": 0}]})),
        ("anthropic:c", anthropic_body(USED)),
        ("other:deepseek/d", openai_body({"tool_calls": [CALL]}, ended="tool_calls")),
    ],
    ids=["openai", "openai stream", "anthropic", "another provider"],
)
async def test_a_model_is_asked_and_its_answers_are_replayed(*, folder: Path, chooser: str, reply: Reply) -> None:
    """A8: the key comes out of the variable that is named; the second run asks nobody and finds the same."""
    async with provider(reply) as served:
        where = ["--base-url", f"{served.url}/v1", "--api-key-env", "MY_KEY", "--out", "run.jsonl"]
        first = await run(chooser, *where, key=KEY)
        again = await run("replay:run.jsonl")

    assert (first.code, again.code, len(served.posts)) == (0, 0, 1), first.err
    assert KEY in str(served.posts[0].headers)
    written = (folder / "run.jsonl").read_text("utf-8")
    assert KEY not in first.out + first.err + written
    line = json.loads(written.splitlines()[1])
    assert [(call["name"], call["arguments"]) for call in line["choice"]["calls"]] == [("pay.refund", {"id": "INV-7"})]


@pytest.mark.usefixtures("folder")
async def test_a_refused_key_is_said_and_the_run_is_not_whole() -> None:
    """Exit 3: nothing was found out about the model."""
    refused = Reply(status=401, body=b'{"error": {"message": "Incorrect API key provided: sk-0123456789abcdef0123"}}')
    async with provider(refused) as served:
        result = await run("openai:m", "--base-url", served.url, "--api-key-env", "MY_KEY", "--out", "r", key=KEY)

    assert result.code == 3
    assert "http_401" in result.out + result.err
    assert "Incorrect API key provided" in result.out + result.err
    assert KEY not in result.out + result.err


@pytest.mark.usefixtures("folder")
async def test_a_key_variable_that_is_not_set_is_named() -> None:
    """Exit 2, before anybody is asked."""
    result = await run("openai:m", "--api-key-env", "MY_KEY", "--out", "r")

    assert (result.code, result.err) == (
        2, "fourfold: the environment variable MY_KEY is not set; put the provider's key there\n"
    )  # fmt: skip


async def test_a_person_at_a_terminal_sees_how_far_it_is_and_how_long_it_takes(folder: Path) -> None:
    """A8: a line that is written over, once it has taken two seconds; the report begins where a line begins."""
    cases = [
        {**CASE, "id": f"refund-{at}", "messages": [{"role": "user", "content": f"refund INV-7, {at}"}]}
        for at in range(2)
    ]
    (folder / "suite.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases), "utf-8")
    slow = Reply(status=429, body=b"{}", headers={"retry-after": "3"})
    called = openai_body({"tool_calls": [CALL]}, ended="tool_calls")
    async with provider(slow, called) as served:
        options = ["--base-url", f"{served.url}/v1", "--out", "run.jsonl", "--concurrency", "1"]
        words = ["select", "run", "suite.jsonl", "tools.json", "--chooser", "openai:m", *options]
        shown = await anyio.to_thread.run_sync(lambda: at_terminal(*words))

    lines = shown.split("\r\x1b[K")
    assert re.fullmatch(r"asking 1 of 2: refund-0, about \d+ s left", lines[1])
    assert lines[2].startswith("asking 2 of 2: refund-1, about 0 s left")
    assert lines[3].startswith("suite.jsonl on tools.json, chosen by openai:m\n")
