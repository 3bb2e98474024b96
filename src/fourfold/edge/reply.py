"""Whole HTTP answers that the gate gives itself, and the one repair of answers that the SDK gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.types import Message, Send

from fourfold.model.contract import JsonObject

__all__ = ["Reply", "without_null_id"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer that is known whole: a JSON body, or none."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()

    @classmethod
    def json(cls, status: int, value: Mapping[str, object], *headers: tuple[bytes, bytes]) -> Reply:
        """`value` as a JSON object."""
        return cls(status, json.dumps(value, separators=(",", ":")).encode(), headers)

    async def send(self, send: Send) -> None:
        """Give this answer."""
        size = (b"content-length", str(len(self.body)).encode())
        kind = ((b"content-type", b"application/json"),) if self.body else ()
        start = {"type": "http.response.start", "status": self.status, "headers": [size, *kind, *self.headers]}
        await send(start)
        await send({"type": "http.response.body", "body": self.body})


def without_null_id(send: Send) -> Send:
    """`send`, but an error answer loses an `"id": null` on its way out.

    The SDK writes one where it does not know the id; the schema of 2026-07-28 wants it left out, and clients
    reject the null. Only answers from status 400 up are held back until their body is known.
    """
    held: list[Message] = []

    async def forward(event: Message) -> None:
        if event["type"] == "http.response.start" and event["status"] >= 400:
            held.append(event)
            return
        if held:
            # Error answers come whole, in one event.
            start, body = held.pop(), event.get("body", b"")
            if b'"id":null' in body:
                await Reply(start["status"], _without_id(body)).send(send)
                return
            await send(start)
        await send(event)

    return forward


def _without_id(body: bytes) -> bytes:
    answer: JsonObject = json.loads(body)
    known = {name: value for name, value in answer.items() if name != "id"}
    return json.dumps(known, separators=(",", ":")).encode()
