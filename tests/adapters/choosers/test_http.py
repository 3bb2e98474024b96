"""Models asked over HTTP, in both wire formats, by a provider that answers rightly and in every wrong way."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest

from fourfold.adapters.choosers.anthropic import anthropic_chooser
from fourfold.adapters.choosers.http import HttpChooser, ProviderTerms
from fourfold.adapters.choosers.key import ApiKey
from fourfold.adapters.choosers.openai import openai_chooser
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling, Usage
from fourfold.model.contract import JsonObject
from tests.selection.providers import (
    Provider,
    Reply,
    anthropic_body,
    anthropic_stream,
    openai_body,
    openai_stream,
    provider,
    streamed,
)

pytestmark = pytest.mark.anyio

KEY = "sk-0123456789abcdef0123"
REFUND = OfferedTool(name="pay.refund", description="Pays back.", input_schema={"type": "object", "properties": {}})
TOOLS = [REFUND, replace(REFUND, name="pay_refund", description="Pays back at once.")]
ASKED: list[JsonObject] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "refund INV-7"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "pay_refund_2", "arguments": '{"id": "INV-7"}'}}
USED = {"type": "tool_use", "id": "t1", "name": "pay_refund_2", "input": {"id": "INV-7"}}
CHOSEN = ChosenCall(name="pay.refund", arguments={"id": "INV-7"})


@dataclass(slots=True)
class Asking:
    """A chooser whose pauses are noted instead of waited for."""

    chooser: HttpChooser
    provider: Provider
    pauses: list[float] = field(default_factory=list[float])

    async def choose(self, sampling: Sampling | None = None) -> Choice:
        """Ask once; the seconds are those of this machine and say nothing."""
        choice = await self.chooser.choose(ASKED, TOOLS, sampling=sampling or Sampling())
        return replace(choice, seconds=0.0)


@asynccontextmanager
async def asking(wire: str, *replies: Reply, **terms: Any) -> AsyncGenerator[Asking]:
    """A chooser that asks a provider with these replies."""
    make = {"openai": openai_chooser, "anthropic": anthropic_chooser}[wire]
    async with provider(*replies) as served:
        asked = ProviderTerms(model="m", base_url=f"{served.url}/v1", **terms)
        async with make(asked, ApiKey(KEY)) as chooser:
            found = Asking(chooser, served)

            async def pause(seconds: float) -> None:
                found.pauses.append(seconds)

            found.chooser = replace(chooser, pause=pause)
            yield found


async def test_a_whole_openai_answer_is_a_call_under_the_name_of_the_catalog() -> None:
    """The dot that the API refuses is mapped, past a tool that has the mapped name, and back."""
    async with asking("openai", openai_body({"tool_calls": [CALL]}, ended="tool_calls")) as asked:
        choice = await asked.choose()

    (post,) = asked.provider.posts
    assert choice == Choice(
        calls=(replace(CHOSEN, raw='{"id": "INV-7"}'),),
        model="m-2026-11-30",
        usage=Usage(input_tokens=120, output_tokens=9, cached_tokens=100),
    )
    assert (post.path, post.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert [each["function"]["name"] for each in post.body["tools"]] == ["pay_refund_2", "pay_refund"]
    assert (post.body["tool_choice"], post.body["messages"], "temperature" in post.body) == ("auto", ASKED, False)


async def test_a_streamed_openai_answer_is_put_together_and_its_first_part_is_timed() -> None:
    """Arguments come in pieces, and the usage behind the end."""
    head = {"tool_calls": [{**CALL, "index": 0, "function": {"name": "pay_refund_2", "arguments": ""}}]}
    pieces = [{"tool_calls": [{"index": 0, "function": {"arguments": each}}]} for each in ('{"id": ', '"INV-7"}')]
    async with asking("openai", openai_stream({"role": "assistant", "content": ""}, head, *pieces)) as asked:
        choice = await asked.choose()

    assert choice.calls == (replace(CHOSEN, raw='{"id": "INV-7"}'),)
    assert (choice.model, choice.usage, choice.failure) == (
        "m-2026-11-30", Usage(input_tokens=120, output_tokens=9), ""
    )  # fmt: skip
    assert choice.first_token_s is not None


async def test_a_whole_anthropic_answer_is_a_call_and_a_text() -> None:
    """The key has its own header, and the input counts what was read from the cache."""
    async with asking("anthropic", anthropic_body({"type": "text", "text": "At once."}, USED)) as asked:
        choice = await asked.choose(Sampling(temperature=Decimal("0.5"), max_tokens=9))

    (post,) = asked.provider.posts
    usage = Usage(input_tokens=120, output_tokens=9, cached_tokens=100)
    assert choice == Choice(calls=(CHOSEN,), text="At once.", model="c-2026-11-30", usage=usage)
    assert (post.path, post.headers["x-api-key"]) == ("/v1/messages", KEY)
    assert (post.headers["anthropic-version"], "authorization" in post.headers) == ("2023-06-01", False)
    assert (post.body["system"], post.body["temperature"], post.body["max_tokens"]) == ("Be brief.", 0.5, 9)
    assert post.body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "refund INV-7"}]}]
    assert post.body["tool_choice"] == {"type": "auto"}


async def test_a_streamed_anthropic_answer_is_put_together() -> None:
    """The input comes as pieces of text."""
    begin = {"type": "content_block_start", "index": 0, "content_block": {**USED, "input": {}}}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": each}}
        for each in ("", '{"id"', ': "INV-7"}')
    ]
    async with asking("anthropic", anthropic_stream(begin, *deltas)) as asked:
        choice = await asked.choose()

    assert choice.calls == (replace(CHOSEN, raw='{"id": "INV-7"}'),)
    assert choice.usage == Usage(input_tokens=120, output_tokens=9, cached_tokens=100)
    assert choice.first_token_s is not None


@pytest.mark.parametrize("arguments", ['{"id": "INV-7"', "[1]", '{"id": 1, "id": 2}', '{"id": NaN}', "null"])
async def test_arguments_that_are_no_json_object_are_kept_as_text(arguments: str) -> None:
    """That is the model's fault, not the provider's."""
    call = {**CALL, "function": {"name": "pay_refund", "arguments": arguments}}
    async with asking("openai", openai_body({"tool_calls": [call]})) as asked:
        choice = await asked.choose()

    assert choice.calls == (ChosenCall(name="pay_refund", arguments=None, raw=arguments),)
    assert choice.failure == ""


ERROR = {"error": {"type": "invalid_request_error", "message": f"no such model; key {KEY} of ann@example.com"}}
REFUSED = Reply(status=404, body=json.dumps(ERROR).encode())
LATER = Reply(status=429, headers={"retry-after": "7"})
CUT_CALL = {"tool_calls": [{**CALL, "index": 0, "function": {"name": "pay_refund", "arguments": '{"id'}}]}

FAILING: Mapping[str, tuple[str, Reply, str]] = {
    "no json": ("openai", Reply(body=b"<html>"), "malformed"),
    "another shape": ("openai", Reply(body=b'{"choices": [{"text": "x"}]}'), "malformed"),
    "an array": ("anthropic", Reply(body=b"[]"), "malformed"),
    "no content": ("anthropic", Reply(body=b'{"type": "message"}'), "malformed"),
    "an error within 200": ("openai", Reply(body=json.dumps(ERROR).encode()), "provider_error"),
    "an error in a stream": ("anthropic", streamed({"type": "error", "error": {"message": "x"}}), "provider_error"),
    "too long for max_tokens": ("openai", openai_body({"content": "I wo"}, ended="length"), "truncated"),
    "too long for max_tokens, too": ("anthropic", anthropic_body(ended="max_tokens"), "truncated"),
    "a stream without an end": ("openai", openai_stream(CUT_CALL, ended=None), "truncated"),
    "another stream without an end": ("anthropic", anthropic_stream(ended=None), "truncated"),
    "a filter": ("openai", openai_body({"content": ""}, ended="content_filter"), "refused"),
    "a refusal": ("openai", openai_body({"refusal": "I will not."}), "refused"),
    "another refusal": ("anthropic", anthropic_body(ended="refusal"), "refused"),
    "no such model": ("openai", REFUSED, "http_404"),
    "a redirect": ("openai", Reply(status=307, headers={"location": "http://127.0.0.1:1/"}), "http_307"),
}


@pytest.mark.parametrize(("wire", "reply", "failure"), FAILING.values(), ids=FAILING)
async def test_an_answer_that_is_none_is_a_failure_and_is_not_asked_for_again(
    *, wire: str, reply: Reply, failure: str
) -> None:
    """Another attempt would be answered alike."""
    async with asking(wire, reply) as asked:
        choice = await asked.choose()

    assert (choice.failure, len(asked.provider.posts), asked.pauses) == (failure, 1, [])


async def test_what_a_provider_says_is_kept_without_the_key_and_without_addresses() -> None:
    """Some quote the key that they refuse."""
    async with asking("openai", REFUSED) as asked:
        choice = await asked.choose()

    assert choice.text == "no such model; key [redacted] of [redacted]"
    assert KEY not in repr(asked.chooser)


AGAIN: Mapping[str, tuple[Reply, str]] = {
    "429": (LATER, "rate_limited"),
    "529": (Reply(status=529), "http_529"),
    "500": (Reply(status=500), "http_500"),
    "hangs": (Reply(hangs=True), "timeout"),
    "breaks": (Reply(breaks=True, body=b'{"choices": []}'), "broken"),
}


@pytest.mark.parametrize(("reply", "failure"), AGAIN.values(), ids=AGAIN)
async def test_what_may_pass_is_asked_again_and_fails_only_after_the_last_attempt(
    *, reply: Reply, failure: str
) -> None:
    """C4: an answer to a later attempt counts; else the failure has a code."""
    impatient = {"request_s": 0.2, "attempts": 3}
    fine = openai_body({"content": "Which one?"})
    async with asking("openai", reply, fine, **impatient) as asked:
        assert (await asked.choose()).text == "Which one?"
        assert len(asked.pauses) == 1
    async with asking("openai", reply, **impatient) as asked:
        assert (await asked.choose()).failure == failure
        assert (len(asked.provider.posts), len(asked.pauses)) == (3, 2)


async def test_retry_after_is_waited_for_and_one_that_is_too_long_is_not() -> None:
    """C4: seven seconds and jitter beyond them; an hour is beyond anybody's patience."""
    fine = anthropic_body({"type": "text", "text": "Which one?"}, ended="end_turn")
    async with asking("anthropic", LATER, fine) as asked:
        await asked.choose()
        assert [7.0 <= pause <= 7.5 for pause in asked.pauses] == [True]
    async with asking("anthropic", replace(LATER, headers={"retry-after": "3600"})) as asked:
        assert (await asked.choose()).failure == "rate_limited"
        assert asked.pauses == []


async def test_a_provider_that_is_not_there_is_a_failure() -> None:
    """Nothing is raised."""
    async with provider(Reply()) as gone:
        url = gone.url
    terms = ProviderTerms(model="m", base_url=url, attempts=1)
    async with openai_chooser(terms, ApiKey("")) as chooser:
        assert (await chooser.choose(ASKED, TOOLS, sampling=Sampling())).failure == "unreachable"


async def test_an_answer_beyond_the_bound_is_not_read_to_its_end() -> None:
    """Neither a whole one nor a stream."""
    many = openai_stream(*[{"content": "x" * 100}] * 10)
    async with asking("openai", openai_body({"content": "x" * 1_000}), many, answer_bytes=900) as asked:
        assert (await asked.choose()).failure == "too_large"
        assert (await asked.choose()).failure == "too_large"
