"""Asking a provider again where that may help. Asking changes nothing; the loop and the jitter are tenacity's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

from fourfold.model.chosen import Choice

__all__ = ["OVERLOADED", "Again", "Patience", "patiently"]

OVERLOADED = frozenset({409, 425, 500, 502, 503, 504, 529})
"""Statuses that another attempt may change, besides 408 and 429; 529 is Anthropic's word for being overloaded."""


class Again(Exception):
    """Another attempt may succeed, after `after_s` seconds at the earliest; else `choice` is what came of it."""

    def __init__(self, choice: Choice, *, after_s: float = 0.0) -> None:
        self.choice = choice
        self.after_s = after_s
        super().__init__(choice.failure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often and how long.

    Attributes:
        attempts: requests for one answer at most.
        request_s: seconds for one request, its answer included.
        first_pause_s: bound of the first pause; each pause is drawn from 0 to a bound that doubles (full jitter).
        longest_pause_s: the largest that the bound becomes; a `Retry-After` beyond `patience_s` is not waited for.
        patience_s: seconds that are waited at once at most.
    """

    attempts: int = 5
    request_s: float = 120.0
    first_pause_s: float = 0.5
    longest_pause_s: float = 30.0
    patience_s: float = 90.0


async def patiently(
    ask: Callable[[], Awaitable[Choice]],
    patience: Patience,
    *,
    pause: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> Choice:
    """What `ask` gives, again and again while it raises `Again`; the last failure if there is no end of it."""

    def wait(state: RetryCallState) -> float:
        # What the provider asks for, with jitter, so that not all come back at once.
        jitter = wait_random_exponential(multiplier=patience.first_pause_s, max=patience.longest_pause_s)
        error = state.outcome.exception() if state.outcome is not None else None
        return (error.after_s if isinstance(error, Again) else 0.0) + jitter(state)

    def is_over(state: RetryCallState) -> bool:
        return state.attempt_number >= patience.attempts or state.upcoming_sleep > patience.patience_s

    async def attempt() -> Choice:
        # Tenacity awaits what it recognises as a coroutine function, and no lambda is one.
        return await ask()

    retrying = AsyncRetrying(retry=retry_if_exception_type(Again), wait=wait, stop=is_over, sleep=pause, reraise=True)
    try:
        return await retrying(attempt)
    except Again as last:
        return last.choice
