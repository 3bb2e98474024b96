"""`HttpUpstream`: one service over HTTP, asked again where that is safe, while there are time and requests for it.

The loop, the pauses and their jitter are tenacity's. What is decided here: what may be sent again, when to give up,
and what a request costs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import anyio
import httpx2
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

from fourfold.adapters.upstream.retry_after import retry_after_s
from fourfold.model.fault import UpstreamUnavailable
from fourfold.ports.clock import Clock
from fourfold.ports.upstream import RequestBudget

__all__ = ["HttpUpstream", "UpstreamTerms"]

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1), so that they may be sent again without a key."""

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Answers that another attempt may change. 409 is what a service says while a request with the same key is running."""

_NOT_DONE = frozenset({425, 429})
"""Those of them that say themselves that nothing was done."""

_OF_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers about the body on its way, which are not true of one that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamTerms:
    """What a service may be asked, and for how long.

    Attributes:
        name: of the service, and of the budget that all replicas share.
        most: requests that all replicas together may make in each window.
        window_s: seconds of a window.
        attempts: requests for one `send` at most.
        request_s: seconds for one request, its answer included.
        first_pause_s: bound of the first pause; each pause is drawn from 0 to a bound that doubles (full jitter).
        longest_pause_s: the largest that the bound becomes.
        response_bytes: of an answer's body at most, unpacked. A larger one is not read to its end.
    """

    name: str
    most: int = 100
    window_s: int = 60
    attempts: int = 5
    request_s: float = 5.0
    first_pause_s: float = 0.2
    longest_pause_s: float = 5.0
    response_bytes: int = 1 << 20


class _Unreadable(Exception):
    """There is an answer, and nobody can read it: it is too large, or not packed as it says."""


class _Again(Exception):
    """Another attempt may succeed, after `after_s` seconds at the earliest."""

    def __init__(self, why: str, *, after_s: float = 0.0) -> None:
        self.after_s = after_s
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class HttpUpstream:
    """Sends requests to one service.

    Args:
        http: the connections, with base URL and credentials; whoever made it closes it.
        terms: what the service may be asked.
        requests: the budget and the time of the call.
        clock: tells a date in `Retry-After` from now.
        pause: waits for so many seconds.
    """

    http: httpx2.AsyncClient
    terms: UpstreamTerms
    requests: RequestBudget = field(kw_only=True)
    clock: Clock = field(kw_only=True)
    pause: Callable[[float], Awaitable[None]] = field(default=anyio.sleep, kw_only=True)

    async def send(
        self, method: str, url: str, *, body: Mapping[str, object] | None = None, key: str | None = None
    ) -> httpx2.Response:
        """The answer, whatever it says, once it is one that another attempt would not change.

        Args:
            method: upper case.
            url: joined with the base URL of `http`.
            body: sent as JSON.
            key: sent as `Idempotency-Key`, the same in every attempt. Without one, a request that may change
                something is sent again only if the one before cannot have.

        Raises:
            UpstreamUnavailable: there was no such answer within the attempts, the time and the budget; or it is larger
                than `response_bytes`. It is never a refusal then: the request may have been carried out.
            StoreError: the budget cannot be read.
        """
        once = _Request(self, method, url, body=body, key=key)
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_Again),
            wait=self._wait,
            stop=self._is_over,
            sleep=self.pause,
            reraise=True,
        )
        try:
            return await retrying(once.answer)
        except _Again as last:
            after_s = max(last.after_s, self.terms.longest_pause_s)
            raise UpstreamUnavailable(retry_after_ms=round(after_s * 1000)) from last

    def _wait(self, state: RetryCallState) -> float:
        """Seconds until the next attempt: what the service asks for, with jitter, so that not all come at once."""
        terms = self.terms
        jitter = wait_random_exponential(multiplier=terms.first_pause_s, max=terms.longest_pause_s)
        return _asked_for(state) + jitter(state)

    def _is_over(self, state: RetryCallState) -> bool:
        """Whether there is no next attempt: enough of them were made, or the call ends before it."""
        return state.attempt_number >= self.terms.attempts or state.upcoming_sleep >= self.requests.seconds_left()


def _asked_for(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome is not None else None
    return error.after_s if isinstance(error, _Again) else 0.0


@dataclass(frozen=True, slots=True)
class _Request:
    """One request, as often as it is made."""

    upstream: HttpUpstream
    method: str
    url: str
    body: Mapping[str, object] | None = field(kw_only=True)
    key: str | None = field(kw_only=True)

    async def answer(self) -> httpx2.Response:
        """The answer to one attempt.

        Raises:
            _Again: it may be made again.
            UpstreamUnavailable: it may not, and nobody knows what became of it.
        """
        await self._spend()
        try:
            response = await self._made()
        except _Unreadable as error:
            # Sent again it would be answered alike. Who claimed a write asks again with the same key, or is unsure.
            raise UpstreamUnavailable(f"{error}, and the request may have been carried out") from error
        except httpx2.ConnectError as error:
            raise _Again("it was not reached") from error
        except (httpx2.TransportError, TimeoutError) as error:
            raise self._again_if_safe(f"{type(error).__name__}: no answer") from error
        if response.status_code not in _AGAIN:
            return response
        after_s = retry_after_s(
            response.headers.get("retry-after"),
            date=response.headers.get("date"),
            now_ms=self.upstream.clock.now_ms(),
        )
        why = f"HTTP {response.status_code}"
        if response.status_code in _NOT_DONE:
            raise _Again(why, after_s=after_s)
        raise self._again_if_safe(why, after_s=after_s)

    async def _spend(self) -> None:
        terms = self.upstream.terms
        wait_s = await self.upstream.requests.take(terms.name, most=terms.most, window_s=terms.window_s)
        if wait_s > 0:
            raise _Again(f"the budget of {terms.name} is used up", after_s=wait_s)

    async def _made(self) -> httpx2.Response:
        """The request on its way, and one limit for all of it: those of httpx2 hold for each read."""
        upstream = self.upstream
        headers = {"Idempotency-Key": self.key} if self.key is not None else {}
        limit_s = min(upstream.terms.request_s, upstream.requests.seconds_left())
        with anyio.fail_after(limit_s):
            sending = upstream.http.stream(self.method, self.url, json=self.body, headers=headers, timeout=None)
            async with sending as answer:
                return await _read(answer, most=upstream.terms.response_bytes)

    def _again_if_safe(self, why: str, *, after_s: float = 0.0) -> _Again | UpstreamUnavailable:
        if self.key is not None or self.method in _SAFE:
            return _Again(why, after_s=after_s)
        return UpstreamUnavailable("It did not answer, and the request may have been carried out")


async def _read(answer: httpx2.Response, *, most: int) -> httpx2.Response:
    """`answer` with its body, of which no more than `most` bytes are kept while it comes.

    Raises:
        _Unreadable: it is larger, or not packed as it says.
        TransportError: the connection broke before its end.
    """
    body = bytearray()
    # What comes with these is not read by anybody, however large it is.
    if answer.status_code not in _AGAIN:
        try:
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > most:
                    raise _Unreadable(f"Its answer has more than {most:,} bytes")
        except httpx2.DecodingError as error:
            raise _Unreadable("Its answer cannot be unpacked") from error
    headers = [item for item in answer.headers.multi_items() if item[0].lower() not in _OF_THE_BODY]
    return httpx2.Response(answer.status_code, headers=headers, content=bytes(body), request=answer.request)
