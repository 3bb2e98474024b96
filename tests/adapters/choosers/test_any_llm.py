"""Models of other providers, asked through the real library: on loopback, in OpenAI's and in Anthropic's words."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest

from fourfold.adapters.choosers.again import Patience
from fourfold.adapters.choosers.any_llm import AnyLlmChooser, any_llm_chooser
from fourfold.adapters.choosers.key import ApiKey
from fourfold.errors import ConfigError
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling, Usage
from fourfold.model.contract import JsonObject
from tests.selection.providers import Provider, Reply, anthropic_body, openai_body, provider


@pytest.fixture
def anyio_backend() -> str:
    """The provider's server is one of asyncio."""
    return "asyncio"


pytestmark = pytest.mark.anyio

KEY = "sk-0123456789abcdef0123"
REFUND = OfferedTool(name="pay.refund", description="Pays back.", input_schema={"type": "object", "properties": {}})
TOOLS = [REFUND, replace(REFUND, name="pay_refund", description="Pays back at once.")]
ASKED: list[JsonObject] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "refund INV-7"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "pay_refund_2", "arguments": '{"id": "INV-7"}'}}
USED = {"type": "tool_use", "id": "t1", "name": "pay_refund_2", "input": {"id": "INV-7"}}
CHOSEN = ChosenCall(name="pay.refund", arguments={"id": "INV-7"}, raw='{"id": "INV-7"}')
USAGE = Usage(input_tokens=120, output_tokens=9, cached_tokens=100)


@dataclass(slots=True)
class Asking:
    """A chooser whose pauses are noted instead of waited for."""

    chooser: AnyLlmChooser
    provider: Provider
    pauses: list[float] = field(default_factory=list[float])

    async def choose(self, sampling: Sampling | None = None) -> Choice:
        """Ask once; the seconds are those of this machine and say nothing."""
        choice = await self.chooser.choose(ASKED, TOOLS, sampling=sampling or Sampling())
        return replace(choice, seconds=0.0)


@asynccontextmanager
async def asking(which: str, *replies: Reply, **patience: Any) -> AsyncGenerator[Asking]:
    """A chooser that asks a provider with these replies."""
    async with provider(*replies) as served:
        base = served.url if which == "anthropic" else f"{served.url}/v1"
        async with any_llm_chooser(f"{which}/m", base_url=base, key=ApiKey(KEY)) as chooser:
            found = Asking(chooser, served)

            async def pause(seconds: float) -> None:
                found.pauses.append(seconds)

            found.chooser = replace(chooser, pause=pause, patience=Patience(**patience))
            yield found


async def test_a_provider_in_openais_words_gives_a_call_under_the_name_of_the_catalog() -> None:
    """B11: the dot is mapped and mapped back; the choice is left to the model."""
    async with asking("deepseek", openai_body({"tool_calls": [CALL]}, ended="tool_calls")) as asked:
        choice = await asked.choose(Sampling(temperature=Decimal("0.5"), max_tokens=9))

    (post,) = asked.provider.posts
    assert asked.chooser.name == "other:deepseek/m"
    assert choice == Choice(calls=(CHOSEN,), model="m-2026-11-30", usage=USAGE)
    assert (post.path, post.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert [each["function"]["name"] for each in post.body["tools"]] == ["pay_refund_2", "pay_refund"]
    assert (post.body["tool_choice"], post.body["temperature"], post.body["max_tokens"]) == ("auto", 0.5, 9)
    assert (post.body["model"], post.body["messages"]) == ("m", ASKED)


async def test_a_provider_with_words_of_its_own_is_asked_in_them() -> None:
    """B11: what the library is there for."""
    async with asking("anthropic", anthropic_body({"type": "text", "text": "At once."}, USED)) as asked:
        choice = await asked.choose()

    (post,) = asked.provider.posts
    assert choice == Choice(calls=(CHOSEN,), text="At once.", model="c-2026-11-30", usage=USAGE)
    assert (post.path, post.headers["x-api-key"], post.body["system"]) == ("/v1/messages", KEY, "Be brief.")
    assert [each["name"] for each in post.body["tools"]] == ["pay_refund_2", "pay_refund"]


@pytest.mark.parametrize(
    ("which", "reply", "failure"),
    [
        ("openai", Reply(body=b"<html>"), "malformed"),
        ("openai", Reply(body=b'{"choices": 3}'), "malformed"),
        ("openai", Reply(body=b'{"id": "x", "choices": []}'), "malformed"),
        ("openai", openai_body({"content": "I"}, ended="length"), "truncated"),
        ("openai", openai_body({"content": None}, ended="content_filter"), "refused"),
        ("openai", openai_body({"refusal": "I can't."}), "refused"),
        ("anthropic", anthropic_body(ended="refusal"), "refused"),
        ("anthropic", anthropic_body({"type": "text", "text": "I"}, ended="max_tokens"), "truncated"),
        ("openai", Reply(body=b'{"error": {"message": "no such key"}}', status=401), "http_401"),
        ("openai", Reply(body=b'{"error": {"message": "no such model"}}', status=404), "http_404"),
        ("openai", Reply(body=b'{"error": {"message": "too many tools"}}', status=400), "http_400"),
        ("openai", Reply(body=b'{"error": {"message": "blocked by our content policy"}}', status=400), "refused"),
    ],
)
async def test_an_answer_that_is_none_has_a_failure_and_is_not_asked_for_again(
    which: str, reply: Reply, failure: str
) -> None:
    """A8: neither right nor wrong."""
    async with asking(which, reply) as asked:
        choice = await asked.choose()

    assert (choice.failure, choice.calls, len(asked.provider.posts)) == (failure, (), 1)


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Reply(body=b'{"error": {"message": "slow down"}}', status=429), "rate_limited"),
        (Reply(body=b"{}", status=503), "http_503"),
        (Reply(body=b"{}", status=529), "http_529"),
        (Reply(body=b"{}", breaks=True), "broken"),
        (Reply(hangs=True), "timeout"),
    ],
)
async def test_what_may_pass_is_asked_again_a_few_times(reply: Reply, failure: str) -> None:
    """A8: by us and not by the library, so that each request is one that was counted."""
    async with asking("openai", reply, attempts=3, request_s=0.5) as asked:
        choice = await asked.choose()

    assert (choice.failure, len(asked.provider.posts), len(asked.pauses)) == (failure, 3, 2)


async def test_a_retry_after_is_honoured_and_the_next_answer_counts() -> None:
    """A8: as long as the provider wants, with jitter; one that is too long ends it."""
    slow = Reply(body=b'{"error": {"message": "slow down"}}', status=429, headers={"retry-after": "7"})
    long = Reply(body=b'{"error": {"message": "slow down"}}', status=429, headers={"retry-after": "900"})
    async with asking("openai", slow, openai_body({"content": "Which one?"})) as asked:
        choice = await asked.choose()
    async with asking("openai", long) as given_up:
        none = await given_up.choose()

    assert (choice.text, choice.failure, len(asked.pauses)) == ("Which one?", "", 1)
    assert 7.0 <= asked.pauses[0] <= 7.5
    assert (none.failure, len(given_up.provider.posts)) == ("rate_limited", 1)


async def test_a_key_that_a_provider_quotes_is_not_kept() -> None:
    """A8: nor printed."""
    quoting = Reply(body=json.dumps({"error": {"message": f"{KEY} is no key"}}).encode(), status=401)
    async with asking("openai", quoting) as asked:
        choice = await asked.choose()

    assert KEY not in choice.text
    assert "[redacted] is no key" in choice.text


async def test_a_server_of_ones_own_is_sent_no_key_that_nobody_has_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A8: the library would take the one in the environment."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
    async with (
        provider(openai_body({"content": "Which one?"})) as served,
        any_llm_chooser("deepseek/m", base_url=f"{served.url}/v1", key=ApiKey("")) as chooser,
    ):
        await chooser.choose(ASKED, TOOLS, sampling=Sampling())

    assert KEY not in served.posts[0].headers["authorization"]


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("nobody/m", "any-llm knows no provider 'nobody'; it knows anthropic, "),
        ("mistral/m", "mistral needs a package of its own: pip install any-llm-sdk[mistral]"),
        ("deepseek/m", "the key of deepseek is missing: set DEEPSEEK_API_KEY"),
        ("deepseek", "'deepseek' is no PROVIDER/MODEL"),
        ("/m", "'/m' is no PROVIDER/MODEL"),
    ],
)
async def test_what_is_missing_is_told_before_anything_is_asked(
    which: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2."""
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    with pytest.raises(ConfigError) as refused:
        async with any_llm_chooser(which, base_url=None, key=ApiKey("")):
            pass

    assert said in str(refused.value)
