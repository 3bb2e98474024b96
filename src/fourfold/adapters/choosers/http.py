"""`HttpChooser`: asks a model over HTTP, in either wire format, again where that may help, and never raises for it.

Every failure that may pass is asked again (`again.py`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import anyio
import httpx2

from fourfold.adapters.choosers.again import OVERLOADED, Again, Patience, patiently
from fourfold.adapters.choosers.key import ApiKey
from fourfold.adapters.clock import SystemClock
from fourfold.adapters.upstream.retry_after import retry_after_s
from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.errors import ConfigError
from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.ports.clock import Clock
from fourfold.selection.wire.events import EventReader
from fourfold.selection.wire.format import WireFormat
from fourfold.selection.wire.names import WireNames
from fourfold.selection.wire.values import object_of, text_of

__all__ = ["HttpChooser", "ProviderTerms", "opened"]

_AGAIN = {408: "timeout", 429: "rate_limited"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTerms(Patience):
    """Which model is asked, where, and how long.

    Attributes:
        base_url: what stands before `chat/completions` or `messages`, such as `https://api.openai.com/v1`.
        answer_bytes: of an answer's body at most.
    """

    model: str
    base_url: str
    answer_bytes: int = 8 << 20

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            raise ConfigError("a base URL is http or https, such as https://api.openai.com/v1, without a user in it")
        if not self.model:
            raise ConfigError("no model is named; name the one that the provider shall ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpChooser:
    """A `Chooser`. Times are those of the request that was answered, without what was waited before it.

    Attributes:
        http: the connections, with base URL and credentials; whoever made them closes them.
        key: taken out of what a provider says about it.
        pause: waits for so many seconds.
    """

    http: httpx2.AsyncClient
    wire: WireFormat
    terms: ProviderTerms
    key: ApiKey
    clock: Clock = field(default_factory=SystemClock)
    pause: Callable[[float], Awaitable[None]] = anyio.sleep

    @property
    def name(self) -> str:
        """The format and the model, as `openai:MODEL`."""
        return f"{self.wire.name}:{self.terms.model}"

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
        body = self.wire.write(names.messages(messages), names.tools(tools), model=self.terms.model, sampling=sampling)
        return names.restored(await patiently(lambda: self._answer(body), self.terms, pause=self.pause))

    async def _answer(self, body: JsonObject) -> Choice:
        """The answer to one request.

        Raises:
            Again: another one may be answered better.
        """
        begun = self.clock.ticks()
        try:
            # One limit for all of it: those of httpx2 hold for each read, and a stream may drip for ever.
            with anyio.fail_after(self.terms.request_s):
                async with self.http.stream("POST", self.wire.path, json=body, timeout=None) as answer:
                    choice = await self._read(answer, begun)
        # It is a transport error, too, and the one that says that no request has arrived.
        except httpx2.ConnectError as error:
            raise Again(Choice(failure="unreachable", seconds=self.clock.ticks() - begun)) from error
        except TimeoutError as error:
            raise Again(Choice(failure="timeout", seconds=self.clock.ticks() - begun)) from error
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            raise Again(Choice(failure="broken", seconds=self.clock.ticks() - begun)) from error
        return replace(choice, seconds=self.clock.ticks() - begun)

    async def _read(self, answer: httpx2.Response, begun: float) -> Choice:
        if answer.status_code != 200:
            return await self._refusal(answer)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return await self._streamed(answer, begun)
        # Some servers that copy the format answer at once, though a stream was asked for.
        raw = await self._whole(answer)
        return Choice(failure="too_large") if raw is None else self._understood(raw)

    async def _streamed(self, answer: httpx2.Response, begun: float) -> Choice:
        events, gathering, first, size = EventReader(), self.wire.gather(), None, 0
        async for chunk in answer.aiter_bytes():
            size += len(chunk)
            if size > self.terms.answer_bytes:
                return Choice(failure="too_large")
            for event in events.read(chunk):
                gathering.take(event)
            if first is None and gathering.begun:
                first = self.clock.ticks() - begun
        return replace(self.wire.read(gathering.body()), first_token_s=first)

    async def _whole(self, answer: httpx2.Response) -> bytes | None:
        """The body; `None` if it is too large."""
        raw = bytearray()
        async for chunk in answer.aiter_bytes():
            raw += chunk
            if len(raw) > self.terms.answer_bytes:
                return None
        return bytes(raw)

    def _understood(self, raw: bytes) -> Choice:
        try:
            return self.wire.read(object_of(parse(raw).value))
        except StrictJsonError:
            return Choice(failure="malformed")

    async def _refusal(self, answer: httpx2.Response) -> Choice:
        """What a status other than 200 says.

        Raises:
            Again: it may pass.
        """
        status = answer.status_code
        text = self._said(await self._whole(answer) or b"")
        choice = Choice(failure=_AGAIN.get(status, f"http_{status}"), text=text)
        if status not in _AGAIN and status not in OVERLOADED:
            return choice
        headers = answer.headers
        after_s = retry_after_s(headers.get("retry-after"), date=headers.get("date"), now_ms=self.clock.now_ms())
        raise Again(choice, after_s=after_s)

    def _said(self, raw: bytes) -> str:
        try:
            said = text_of(object_of(object_of(parse(raw).value).get("error")).get("message"))
        except StrictJsonError:
            return ""
        return self.key.hidden_in(said)


@asynccontextmanager
async def opened(
    wire: WireFormat, terms: ProviderTerms, *, key: ApiKey, headers: Mapping[str, str]
) -> AsyncGenerator[HttpChooser]:
    """A chooser over connections of its own, which are closed at the end of the block."""
    base = terms.base_url.rstrip("/") + "/"
    # No redirect is followed: it would carry the key to another place.
    async with httpx2.AsyncClient(base_url=base, headers=dict(headers), follow_redirects=False) as http:
        yield HttpChooser(http=http, wire=wire, terms=terms, key=key)
