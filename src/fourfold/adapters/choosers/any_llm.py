"""Models of any other provider, through any-llm (ADR 0016): it knows each provider's API, and has its own failures.

Answers come whole: not every provider streams calls, so that no first part is timed. What is refused, cut, overloaded
or malformed is told apart by what the library keeps of it, which is more for some providers than for others.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import anyio
from anthropic import AsyncAnthropic
from any_llm import AnyLLM
from any_llm.exceptions import (
    AnyLLMError,
    AuthenticationError,
    ContentFilterError,
    InvalidRequestError,
    MissingApiKeyError,
    ModelNotFoundError,
    ProviderError,
    RateLimitError,
    UnsupportedParameterError,
    UnsupportedProviderError,
)
from any_llm.types.completion import ChatCompletion
from openai import APIConnectionError, AsyncOpenAI

from fourfold.adapters.choosers.again import OVERLOADED, Again, Patience, patiently
from fourfold.adapters.choosers.key import ApiKey
from fourfold.adapters.clock import SystemClock
from fourfold.adapters.upstream.retry_after import retry_after_s
from fourfold.errors import ConfigError
from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.ports.clock import Clock
from fourfold.selection.wire.names import WireNames
from fourfold.selection.wire.openai_chat import OPENAI_CHAT

__all__ = ["AnyLlmChooser", "any_llm_chooser"]

_OURS = frozenset({"model", "messages", "stream", "stream_options"})
"""Fields of a request that the library has parameters of its own for, or that ask for a stream."""

_NO_KEY = "none"
"""What stands for a key where the user has named none for a server of their own: the library would take another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyLlmChooser:
    """A `Chooser`. Times are those of the request that was answered, without what was waited before it.

    Attributes:
        provider: as any-llm calls it.
        key: taken out of what a provider says about it.
        pause: waits for so many seconds.
    """

    llm: AnyLLM
    provider: str
    model: str
    key: ApiKey
    patience: Patience = field(default_factory=Patience)
    clock: Clock = field(default_factory=SystemClock)
    pause: Callable[[float], Awaitable[None]] = anyio.sleep

    @property
    def name(self) -> str:
        """The provider and the model, as `other:PROVIDER/MODEL`."""
        return f"other:{self.provider}/{self.model}"

    async def choose(
        self,
        messages: Sequence[JsonObject],
        tools: Sequence[OfferedTool],
        *,
        sampling: Sampling,
        sample: int = 0,  # noqa: ARG002  # every sample of a model is asked alike
    ) -> Choice:
        """Ask once, which may take several requests."""
        names = WireNames.of(tools)
        body = OPENAI_CHAT.write(names.messages(messages), names.tools(tools), model=self.model, sampling=sampling)
        return names.restored(await patiently(lambda: self._answer(body), self.patience, pause=self.pause))

    async def _answer(self, body: JsonObject) -> Choice:
        """The answer to one request.

        Raises:
            Again: another one may be answered better.
        """
        begun = self.clock.ticks()
        try:
            with anyio.fail_after(self.patience.request_s):
                choice = await self._completed(body)
        except TimeoutError as error:
            raise Again(Choice(failure="timeout", seconds=self.clock.ticks() - begun)) from error
        except AnyLLMError as error:
            choice = self._refusal(error)
        # An answer that is not of the form that the library expects is left to its own checks (pydantic's).
        except ValueError:
            choice = Choice(failure="malformed")
        # Such as of a provider that takes no tools.
        except NotImplementedError as error:
            choice = Choice(failure="provider_error", text=self.key.hidden_in(str(error)))
        return replace(choice, seconds=self.clock.ticks() - begun)

    async def _completed(self, body: JsonObject) -> Choice:
        given: dict[str, Any] = {name: value for name, value in body.items() if name not in _OURS}
        messages = cast("list[Any]", body["messages"])
        answer = cast("object", await self.llm.acompletion(self.model, messages, stream=False, **given))
        return _read(answer) if isinstance(answer, ChatCompletion) else Choice(failure="malformed")

    def _refusal(self, error: AnyLLMError) -> Choice:
        """What a failure of the library says.

        Raises:
            Again: it may pass.
        """
        text, status = self.key.hidden_in(error.message), error.status_code
        match error:
            case RateLimitError():
                after_s = retry_after_s(error.retry_after, date=None, now_ms=self.clock.now_ms())
                raise Again(Choice(failure="rate_limited", text=text), after_s=after_s)
            case ContentFilterError():
                return Choice(failure="refused", text=text)
            case AuthenticationError() | ModelNotFoundError() | InvalidRequestError() | UnsupportedParameterError():
                return Choice(failure=f"http_{status or _STATUSES[type(error)]}", text=text)
            case _ if status in OVERLOADED or status == 408:
                raise Again(Choice(failure=f"http_{status}", text=text))
            case _ if status is not None and status >= 300:
                return Choice(failure=f"http_{status}", text=text)
            case ProviderError() if isinstance(error.original_exception, APIConnectionError):
                raise Again(Choice(failure="broken", text=text))
            case ProviderError():
                return Choice(failure="malformed", text=text)
            case _:
                return Choice(failure="provider_error", text=text)


def _read(answer: ChatCompletion) -> Choice:
    return OPENAI_CHAT.read(answer.model_dump(exclude_none=True))


_STATUSES: dict[type[AnyLLMError], int] = {
    AuthenticationError: 401,
    ModelNotFoundError: 404,
    InvalidRequestError: 400,
    UnsupportedParameterError: 400,
}
"""What a failure would have been, where the library met it before anything was sent."""


@asynccontextmanager
async def any_llm_chooser(which: str, *, base_url: str | None, key: ApiKey) -> AsyncGenerator[AnyLlmChooser]:
    """A chooser for `PROVIDER/MODEL`, until the block ends. Without a key the library reads the provider's variable.

    Raises:
        ConfigError: there is no such provider, or its key or its own package is missing.
    """
    provider, _, model = which.partition("/")
    if not provider or not model:
        raise ConfigError(f"{which!r} is no PROVIDER/MODEL, such as mistral/mistral-large-latest")
    llm = _opened(provider, base_url=base_url, key=key)
    try:
        yield AnyLlmChooser(llm=llm, provider=provider, model=model, key=key)
    finally:
        # The library has no end of its own; those of its clients that we know are closed.
        client: object = getattr(llm, "client", None)
        if isinstance(client, AsyncOpenAI | AsyncAnthropic):
            await client.close()


def _opened(provider: str, *, base_url: str | None, key: ApiKey) -> AnyLLM:
    given = key.reveal() or (_NO_KEY if base_url else None)
    try:
        try:
            # Repeats are ours, so that each of them is counted and waits as the provider wants it.
            return AnyLLM.create(provider, api_key=given, api_base=base_url, unified_exceptions=True, max_retries=0)
        except UnsupportedParameterError:
            return AnyLLM.create(provider, api_key=given, api_base=base_url, unified_exceptions=True)
    except MissingApiKeyError as error:
        raise ConfigError(f"the key of {provider} is missing: set {error.env_var_name}") from None
    except UnsupportedProviderError:
        known = ", ".join(sorted(AnyLLM.get_supported_providers()))
        raise ConfigError(f"any-llm knows no provider {provider!r}; it knows {known}") from None
    except ImportError:
        raise ConfigError(f"{provider} needs a package of its own: pip install any-llm-sdk[{provider}]") from None
