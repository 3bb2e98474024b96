"""The trouble that a gateway makes when told to, once or several times, and how each of them looks on the wire."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal, get_args

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

__all__ = ["AFTER_PAYING", "TROUBLES", "Trouble", "Troubles", "answer_to"]

Trouble = Literal["lose_answer", "hang_up", "too_many", "break", "busy", "refuse", "invalid", "flood"]
"""
| trouble | what the client sees | paid back |
|---|---|---|
| `lose_answer` | nothing at all, until it gives up | yes |
| `hang_up` | a connection that ends in the middle of an answer | yes |
| `too_many` | 429, with `Retry-After` if told so | no |
| `break` | 500 | no |
| `busy` | 409: a request with this key is running | no |
| `refuse` | 402 | no |
| `invalid` | 422 | no |
| `flood` | 201, and an answer of 8 MiB | yes |
"""

TROUBLES: tuple[Trouble, ...] = get_args(Trouble)

AFTER_PAYING: frozenset[Trouble] = frozenset({"lose_answer", "hang_up", "flood"})
"""Trouble with the answer, not with the payment."""

_STATUS: dict[Trouble, int] = {"too_many": 429, "break": 500, "busy": 409, "refuse": 402, "invalid": 422}


@dataclass(slots=True)
class Troubles:
    """What is still to go wrong, in its order; each is a kind with the `Retry-After` to send."""

    waiting: deque[tuple[Trouble, str | None]] = field(default_factory=deque[tuple[Trouble, str | None]])

    def ask(self, trouble: Trouble, *, times: int = 1, retry_after: str | None = None) -> None:
        """Make this trouble for the next `times` requests, after what was asked for before."""
        self.waiting.extend((trouble, retry_after) for _ in range(times))

    def next(self) -> tuple[Trouble, str | None] | None:
        """What goes wrong now, if anything."""
        return self.waiting.popleft() if self.waiting else None


class _Silence(Response):
    """Says nothing until the client is gone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for the client to give up."""
        while (await receive())["type"] != "http.disconnect":
            pass


class _HangUp(Response):
    """Promises more than it sends. The server closes the connection of an answer that stays incomplete."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the beginning of an answer."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"64")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"refund', "more_body": True})


class _Flood(Response):
    """Answers, and does not stop to."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a valid answer with far too much white space in it, until the client is gone."""
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        for _ in range(128):
            await send({"type": "http.response.body", "body": b" " * 65_536, "more_body": True})
        await send({"type": "http.response.body", "body": b'{"refund_id": "re_000001"}'})


def answer_to(trouble: Trouble, retry_after: str | None) -> Response:
    """What the client gets to see of it."""
    if trouble == "lose_answer":
        return _Silence()
    if trouble == "hang_up":
        return _HangUp()
    if trouble == "flood":
        return _Flood()
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return JSONResponse({"error": trouble}, status_code=_STATUS[trouble], headers=headers)
