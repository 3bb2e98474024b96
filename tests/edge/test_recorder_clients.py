"""The recorder in front of a provider, asked by the clients that agents really have: OpenAI's and Anthropic's own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any, cast

import anyio
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from fourfold.contracts.case_file import read_cases
from fourfold.edge.asgi import serve_asgi
from fourfold.edge.recorder import recorder
from fourfold.edge.settings import HttpSettings
from fourfold.selection.recording import CaseWriter
from tests.edge.test_recorder import ASKED, BLOCKS, CALL, CALLED, KEY, PIECES, TURNS, USED
from tests.selection.providers import (
    Provider,
    Reply,
    anthropic_body,
    anthropic_stream,
    openai_body,
    openai_stream,
    provider,
)


@pytest.fixture
def anyio_backend() -> str:
    """The provider's server is one of asyncio."""
    return "asyncio"


pytestmark = pytest.mark.anyio

ARGUMENTS = '{"to": "ann@acme.org"}'


@dataclass(slots=True)
class Between:
    """A recorder on a port of its own, before a provider."""

    url: str
    provider: Provider
    out: StringIO

    @property
    def expectations(self) -> list[object]:
        """What the written cases expect."""
        return [case.expect for case in read_cases(self.out.getvalue().encode().splitlines(), name="out")]


@asynccontextmanager
async def between(reply: Reply) -> AsyncGenerator[Between]:
    """A recorder that writes to memory, until the block ends."""
    out, known, urls = StringIO(), anyio.Event(), list[str]()

    def announce(url: str) -> None:
        urls.append(url)
        known.set()

    async with provider(reply) as served:
        writer = CaseWriter(out=out)
        async with (
            recorder(served.url, writer.keep, settings=HttpSettings()) as app,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(lambda: serve_asgi(app, host="127.0.0.1", port=0, announce=announce))
            await known.wait()
            yield Between(urls[0].rstrip("/"), served, out)
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize("reply", [openai_body({"tool_calls": [CALL]}, ended="tool_calls"), openai_stream(*PIECES)])
async def test_openais_client_sees_its_provider_and_its_decision_is_a_case(reply: Reply) -> None:
    """A8: an agent changes its base URL and nothing else."""
    asked: dict[str, Any] = {**ASKED, "stream": reply.kind.startswith("text/event-stream")}
    async with (
        between(reply) as found,
        AsyncOpenAI(base_url=f"{found.url}/v1", api_key=KEY, max_retries=0) as client,
    ):
        answer = await cast("Any", client.chat.completions).create(**asked)
        if asked["stream"]:
            deltas = [chunk.choices[0].delta async for chunk in answer if chunk.choices]
            said = "".join(delta.tool_calls[0].function.arguments for delta in deltas if delta.tool_calls)
        else:
            said = answer.choices[0].message.tool_calls[0].function.arguments

    assert said == ARGUMENTS
    assert found.provider.posts[0].headers["authorization"] == f"Bearer {KEY}"
    assert found.expectations == [CALLED]
    assert KEY not in found.out.getvalue()


@pytest.mark.parametrize("reply", [anthropic_body(USED), anthropic_stream(*BLOCKS)])
async def test_anthropics_client_sees_its_provider_and_its_decision_is_a_case(reply: Reply) -> None:
    """A8: whole and streamed."""
    asked: dict[str, Any] = {**TURNS, "stream": reply.kind.startswith("text/event-stream")}
    async with (
        between(reply) as found,
        AsyncAnthropic(base_url=found.url, api_key=KEY, max_retries=0) as client,
    ):
        answer = await cast("Any", client.messages).create(**asked)
        if asked["stream"]:
            said = [event.delta.partial_json async for event in answer if event.type == "content_block_delta"]
        else:
            said = [block.input for block in answer.content]

    assert said in ([ARGUMENTS], [{"to": "ann@acme.org"}])
    assert found.provider.posts[0].headers["x-api-key"] == KEY
    assert found.expectations == [CALLED]
    assert KEY not in found.out.getvalue()
