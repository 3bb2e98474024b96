"""The recorder between an agent and a provider: what passes, what is heard, and who may come in."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from io import StringIO

import anyio
import httpx2
import pytest

from fourfold.contracts.case_file import read_cases
from fourfold.edge.asgi import serve_asgi
from fourfold.edge.recorder import recorder
from fourfold.edge.settings import HttpSettings
from fourfold.errors import ConfigError
from fourfold.model.case import Case, Expectation, ExpectedCall, Matcher
from fourfold.selection.recording import CaseWriter
from tests.selection.providers import (
    Provider,
    Reply,
    anthropic_body,
    anthropic_stream,
    openai_body,
    openai_stream,
    provider,
)

pytestmark = pytest.mark.anyio

KEY = "sk-0123456789abcdef0123"
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}
MAIL = {"type": "function", "function": {"name": "mail", "description": "Sends.", "parameters": SCHEMA}}
ASKED = {"model": "m", "tools": [MAIL], "messages": [{"role": "user", "content": "mail ann@acme.org"}]}
TURNS = {
    "model": "c",
    "max_tokens": 9,
    "system": "Be brief.",
    "tools": [{"name": "mail", "description": "Sends.", "input_schema": SCHEMA}],
    "messages": ASKED["messages"],
}
CALL = {"id": "c1", "type": "function", "function": {"name": "mail", "arguments": '{"to": "ann@acme.org"}'}}
USED = {"type": "tool_use", "id": "t1", "name": "mail", "input": {"to": "ann@acme.org"}}
CALLED = Expectation(
    decisions=("call",),
    calls=(ExpectedCall(name="mail", args={"to": Matcher(kind="eq", value="person1@example.com")}),),
)


@dataclass(slots=True)
class Recording:
    """An agent's client, pointed at a recorder before a provider."""

    agent: httpx2.AsyncClient
    provider: Provider
    out: StringIO
    writer: CaseWriter

    @property
    def cases(self) -> list[Case]:
        """What was written."""
        return [*read_cases(self.out.getvalue().encode().splitlines(), name="out")]


@asynccontextmanager
async def recording(*replies: Reply) -> AsyncGenerator[Recording]:
    """A recorder that writes to memory."""
    out = StringIO()
    writer = CaseWriter(out=out)
    async with provider(*replies) as served, recorder(served.url, writer.keep, settings=HttpSettings()) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8788") as agent:
            yield Recording(agent, served, out, writer)


async def test_a_request_and_its_answer_pass_as_they_are_and_the_decision_is_a_case() -> None:
    """A8: the key reaches the provider and stands nowhere else; addresses agree in what was said and called."""
    reply = openai_body({"tool_calls": [CALL]}, ended="tool_calls")
    async with recording(reply) as recorded:
        answer = await recorded.agent.post(
            "/v1/chat/completions?x=1", json=ASKED, headers={"authorization": f"Bearer {KEY}"}
        )

    (post,) = recorded.provider.posts
    assert (post.path, post.body) == ("/v1/chat/completions?x=1", ASKED)
    assert (post.headers["authorization"], post.headers["host"]) == (
        f"Bearer {KEY}", f"127.0.0.1:{recorded.provider.port}"
    )  # fmt: skip
    assert answer.content == reply.body
    (case,) = recorded.cases
    assert (case.expect, case.reviewed) == (CALLED, False)
    assert [dict(each) for each in case.messages] == [{"role": "user", "content": "mail person1@example.com"}]
    assert KEY not in recorded.out.getvalue()


PIECES = [
    {"tool_calls": [{**CALL, "index": 0, "function": {"name": "mail", "arguments": '{"to": '}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '"ann@acme.org"}'}}]},
]
BLOCKS = [
    {"type": "content_block_start", "index": 0, "content_block": {**USED, "input": {}}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": '{"to": "ann@acme.org"}'},
    },
]


@pytest.mark.parametrize(
    ("path", "asked", "reply"),
    [
        ("/v1/chat/completions", ASKED, openai_stream(*PIECES)),
        ("/v1/messages", TURNS, anthropic_stream(*BLOCKS)),
        ("/v1/messages", TURNS, anthropic_body(USED)),
    ],
    ids=["openai stream", "anthropic stream", "anthropic body"],
)
async def test_either_format_is_heard_whole_or_streamed(*, path: str, asked: object, reply: Reply) -> None:
    """A8: byte for byte what the provider said, and one case."""
    async with recording(reply) as recorded:
        answer = await recorded.agent.post(path, json=asked)

    assert (answer.content, answer.headers["content-type"]) == (reply.body, reply.kind)
    assert [case.expect for case in recorded.cases] == [CALLED]


async def test_an_answer_without_a_call_is_a_case_to_be_looked_at() -> None:
    """A8: whether it asks or does without, a person says."""
    async with recording(openai_body({"content": "Which Ann?"})) as recorded:
        await recorded.agent.post("/v1/chat/completions", json=ASKED)

    assert [case.expect.decisions for case in recorded.cases] == [("ask", "abstain")]


async def test_the_same_decision_is_one_case() -> None:
    """A8: an agent that is run twice doesn't fill the suite."""
    async with recording(openai_body({"tool_calls": [CALL]})) as recorded:
        for _ in range(2):
            await recorded.agent.post("/v1/chat/completions", json=ASKED)

    assert (len(recorded.cases), recorded.writer.again) == (1, 1)


BROKEN = {**CALL, "function": {"name": "mail", "arguments": "{"}}


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=429, headers={"retry-after": "7"}),
        Reply(status=500),
        Reply(body=b"<html>"),
        openai_stream(*PIECES, ended=None),
        openai_body({"tool_calls": [BROKEN]}),
        openai_body({"content": "I wo"}, ended="length"),
        replace(openai_body({"tool_calls": [CALL]}), headers={"content-encoding": "br"}),
    ],
    ids=["limited", "failed", "no json", "cut", "bad arguments", "too long", "packed"],
)
async def test_what_is_no_decision_passes_and_is_no_case(reply: Reply) -> None:
    """Status, headers and body are the provider's."""
    async with recording(reply) as recorded:
        sent = recorded.agent.build_request("POST", "/v1/chat/completions", json=ASKED)
        answer = await recorded.agent.send(sent, stream=True)
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
        await answer.aclose()

    assert (answer.status_code, raw, answer.headers.get("retry-after")) == (
        reply.status, reply.body, reply.headers.get("retry-after")
    )  # fmt: skip
    assert recorded.cases == []


async def test_every_other_path_passes() -> None:
    """A list of models, say."""
    async with recording(Reply(body=b'{"data": []}')) as recorded:
        answer = await recorded.agent.get("/v1/models")

    assert (answer.json(), recorded.provider.posts[0].path, recorded.cases) == ({"data": []}, "/v1/models", [])


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example"}, {"origin": "https://evil.example"}], ids=["host", "origin"]
)
async def test_a_web_page_does_not_come_in(headers: dict[str, str]) -> None:
    """Neither through a name that points here nor from its own origin."""
    async with recording(Reply()) as recorded:
        answer = await recorded.agent.post("/v1/messages", json=TURNS, headers=headers)

    assert (answer.status_code, recorded.provider.posts) == (403, [])


async def test_a_provider_that_is_not_there_is_a_502_without_details() -> None:
    """In the shape in which clients read errors."""
    async with provider(Reply()) as gone:
        url = gone.url
    async with recorder(url, CaseWriter(out=StringIO()).keep, settings=HttpSettings()) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8788") as agent:
            answer = await agent.post("/v1/messages", json=TURNS)

    assert (answer.status_code, json.loads(answer.content)["error"]["message"]) == (502, "the upstream did not answer")


@pytest.mark.parametrize("upstream", ["http://api.example.com", "ftp://x", "https://u:p@x", "https://x/?k=1", "x"])
async def test_keys_travel_to_no_address_in_the_clear(upstream: str) -> None:
    """Https, or this machine."""
    with pytest.raises(ConfigError):
        async with recorder(upstream, CaseWriter(out=StringIO()).keep, settings=HttpSettings()):
            pass


async def test_an_agent_that_goes_away_leaves_no_case_and_the_recorder_goes_on() -> None:
    """A8: over real connections; the answer hangs after its first part, and the next one is heard."""
    hanging = replace(openai_stream(*PIECES[:1], ended=None), hangs=True)
    writer, at, listening = CaseWriter(out=StringIO()), list[str](), anyio.Event()

    def announce(url: str) -> None:
        at.append(url)
        listening.set()

    async with (
        provider(hanging, openai_stream(*PIECES)) as served,
        recorder(served.url, writer.keep, settings=HttpSettings()) as app,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(lambda: serve_asgi(app, host="127.0.0.1", port=0, announce=announce))
        await listening.wait()
        for _ in range(2):
            async with (
                httpx2.AsyncClient(base_url=at[0]) as agent,
                agent.stream("POST", "/v1/chat/completions", json=ASKED) as answer,
            ):
                async for _chunk in answer.aiter_raw():
                    if len(served.posts) == 1:
                        break
        tasks.cancel_scope.cancel()

    assert (len(served.posts), writer.written, writer.hindered) == (2, 1, {})
