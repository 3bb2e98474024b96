"""The providers' own clients, pointed at the recorder: they notice nothing, and each decision is a case."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import anyio
import pytest

from fourfold.contracts.case_file import read_cases
from fourfold.edge.asgi import serve_asgi
from fourfold.edge.recorder import recorder
from fourfold.edge.settings import HttpSettings
from fourfold.model.case import ExpectedCall, Matcher
from fourfold.selection.recording import CaseWriter
from tests.interaction.serving import ROOT
from tests.selection.providers import (
    Reply,
    anthropic_body,
    anthropic_stream,
    openai_body,
    openai_stream,
    provider,
)

pytestmark = pytest.mark.anyio

KEY = "sk-0123456789abcdef0123"
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}
ASKED = [{"role": "user", "content": "refund INV-7"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}
USED: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "refund", "input": {"id": "INV-7"}}
BLOCKS: list[dict[str, Any]] = [
    {"type": "content_block_start", "index": 0, "content_block": {**USED, "input": {}}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": '{"id": "INV-7"}'},
    },
    {"type": "content_block_stop", "index": 0},
]
CLIENTS = {
    "openai": (
        ".venv-client-openai-agents/bin/python",
        {"type": "function", "function": {"name": "refund", "description": "Pays back.", "parameters": SCHEMA}},
        (
            openai_body({"tool_calls": [CALL]}, ended="tool_calls"),
            openai_stream({"role": "assistant", "tool_calls": [{**CALL, "index": 0}]}),
        ),
    ),
    "anthropic": (
        ".venv-client-anthropic/bin/python",
        {"name": "refund", "description": "Pays back.", "input_schema": SCHEMA},
        (anthropic_body(USED), anthropic_stream(*BLOCKS)),
    ),
}


@pytest.mark.parametrize(("client", "python", "tool", "replies"), [(name, *each) for name, each in CLIENTS.items()])
async def test_a_client_asks_through_the_recorder_and_each_decision_is_a_case(
    *, client: str, python: str, tool: dict[str, Any], replies: tuple[Reply, ...]
) -> None:
    """A8: whole and streamed are the same decision; the key reaches the provider and stands in no case."""
    assert (ROOT / python).exists(), f"{client} is not installed; scripts/test does that"
    writer = CaseWriter(out=(out := StringIO()))
    async with provider(*replies) as served:
        order = {"key": KEY, "messages": ASKED, "tools": [tool]}
        printed = await _asked(client, python, order, upstream=served.url, writer=writer)

    assert printed == [[["refund", {"id": "INV-7"}]]] * 2
    assert [KEY in f"{post.headers}" for post in served.posts] == [True, True]
    (case,) = read_cases(out.getvalue().encode().splitlines(), name="out")
    assert case.expect.calls == (ExpectedCall(name="refund", args={"id": Matcher(kind="eq", value="INV-7")}),)
    assert (writer.written, writer.again, KEY in str(case)) == (1, 1, False)


async def _asked(client: str, python: str, order: dict[str, Any], *, upstream: str, writer: CaseWriter) -> Any:
    """What the client's driver prints, run against a recorder on a port of its own."""
    listening = anyio.Event()
    at: list[str] = []

    def announce(url: str) -> None:
        at.append(url)
        listening.set()

    async with (
        recorder(upstream, writer.keep, settings=HttpSettings()) as app,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(lambda: serve_asgi(app, host="127.0.0.1", port=0, announce=announce))
        await listening.wait()
        script = ROOT / f"tests/clients/drivers/with_{client}.py"
        done = await anyio.run_process([str(ROOT / python), str(script), json.dumps({**order, "url": at[0]})])
        tasks.cancel_scope.cancel()
        return json.loads(done.stdout)
