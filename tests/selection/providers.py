"""A provider of models on a loopback port that speaks both wire formats, and answers what it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "Provider",
    "Reply",
    "anthropic_body",
    "anthropic_stream",
    "openai_body",
    "openai_stream",
    "provider",
    "streamed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. `hangs` says nothing more after it until the client is gone; `breaks` sends all but the last byte."""

    body: bytes = b"{}"
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False
    breaks: bool = False

    @property
    def head(self) -> bytes:
        """Status line and headers; the length is one more than what comes where the answer hangs."""
        facts = {"content-type": self.kind, "content-length": str(len(self.body) + self.hangs), **self.headers}
        return "\r\n".join([f"HTTP/1.1 {self.status} x", *(f"{k}: {v}" for k, v in facts.items()), "", ""]).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class Provider:
    """Gives its replies one after the other, and the last one for good."""

    replies: Sequence[Reply]
    posts: list[Posted] = field(default_factory=list[Posted])
    port: int = 0

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, as many requests as it carries."""
        try:
            goes_on = True
            while goes_on:
                goes_on = await self._one(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        start, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        reply = self.replies[min(len(self.posts), len(self.replies) - 1)]
        self.posts.append(Posted(path=start.split()[1], headers=headers, body=json.loads(raw or b"{}")))
        writer.write(reply.head + (reply.body[:-1] if reply.breaks else reply.body))
        await writer.drain()
        if reply.hangs:
            await reader.read()
        return not (reply.hangs or reply.breaks)


@asynccontextmanager
async def provider(*replies: Reply) -> AsyncGenerator[Provider]:
    """A provider on a free port."""
    found = Provider(replies)
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def streamed(*events: object, done: str = "") -> Reply:
    """Server-sent events, each with its type where it has one."""
    parts = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Reply(body="".join([*parts, done]).encode(), kind="text/event-stream; charset=utf-8")


def openai_body(message: Mapping[str, Any], *, ended: str = "stop") -> Reply:
    """A whole chat completion."""
    counts = {"prompt_tokens": 120, "completion_tokens": 9, "total_tokens": 129}
    usage = {**counts, "prompt_tokens_details": {"cached_tokens": 100}}
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": ended}
    facts = {"id": "c", "object": "chat.completion", "created": 1, "model": "m-2026-11-30"}
    return Reply(body=json.dumps({**facts, "choices": [choice], "usage": usage}).encode())


def openai_stream(*deltas: Mapping[str, Any], ended: str | None = "tool_calls") -> Reply:
    """A streamed chat completion; `ended=None` breaks off before its end."""
    facts: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m-2026-11-30"}
    chunks = [{**facts, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    if ended is None:
        return streamed(*chunks)
    end: dict[str, Any] = {**facts, "choices": [{"index": 0, "delta": {}, "finish_reason": ended}]}
    usage: dict[str, Any] = {
        **facts,
        "choices": [],
        "usage": {"prompt_tokens": 120, "completion_tokens": 9, "total_tokens": 129},
    }
    return streamed(*chunks, end, usage, done="data: [DONE]\n\n")


_USAGE = {"input_tokens": 20, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 0, "output_tokens": 9}


def anthropic_body(*blocks: Mapping[str, Any], ended: str = "tool_use") -> Reply:
    """A whole message."""
    facts = {"id": "msg_1", "type": "message", "role": "assistant", "model": "c-2026-11-30", "stop_sequence": None}
    return Reply(body=json.dumps({**facts, "content": [*blocks], "stop_reason": ended, "usage": _USAGE}).encode())


def anthropic_stream(*pieces: Mapping[str, Any], ended: str | None = "tool_use") -> Reply:
    """A streamed message of block events; `ended=None` breaks off before its end."""
    facts = {"id": "msg_1", "type": "message", "role": "assistant", "model": "c-2026-11-30", "stop_sequence": None}
    message: dict[str, Any] = {**facts, "content": [], "stop_reason": None, "usage": {**_USAGE, "output_tokens": 1}}
    begin: dict[str, Any] = {"type": "message_start", "message": message}
    end: dict[str, Any] = {
        "type": "message_delta",
        "delta": {"stop_reason": ended, "stop_sequence": None},
        "usage": {"output_tokens": 9},
    }
    events: list[Mapping[str, Any]] = [
        begin,
        {"type": "ping"},
        *pieces,
        *([end, {"type": "message_stop"}] if ended else []),
    ]
    parts = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return Reply(body="".join(parts).encode(), kind="text/event-stream")
