"""How much of an answer is read: a real server that answers as it is told to, byte for byte."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from fourfold.adapters.upstream import HttpUpstream, UpstreamTerms
from fourfold.model.fault import UpstreamUnavailable
from fourfold.testing import FixedClock
from tests.adapters.upstream.budgets import ScriptedBudget

MIB = 1 << 20
KEY = "0123456789abcdef-order"
SMALL = UpstreamTerms(name="service", response_bytes=10)


@pytest.fixture
def anyio_backend() -> str:
    """The server of these tests is asyncio's."""
    return "asyncio"


pytestmark = pytest.mark.anyio


@dataclass(slots=True)
class Server:
    """Gives the next of its answers to each request, and notes how much of it was sent."""

    answers: list[tuple[str, bytes]]
    requests: int = 0
    keys: list[str] = field(default_factory=list[str])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests += 1
        self.keys += [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("idempotency")]
        status, body = self.answers.pop(0)
        writer.write(f"HTTP/1.1 {status}\r\nConnection: close\r\n\r\n".encode() + body)
        try:
            await writer.drain()
        except ConnectionError:
            pass  # the client has read enough
        finally:
            writer.close()


Send = Callable[..., Awaitable[httpx2.Response]]


@asynccontextmanager
async def asking(*answers: tuple[str, bytes], terms: UpstreamTerms = SMALL) -> AsyncGenerator[tuple[Server, Send]]:
    """An upstream of a server that gives these answers."""
    server = Server(list(answers))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]

    async def no_pause(_: float) -> None:
        pass

    async with listening, httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        upstream = HttpUpstream(http, terms, requests=ScriptedBudget(), clock=FixedClock(), pause=no_pause)
        yield server, upstream.send


async def test_an_answer_of_just_that_size_is_read() -> None:
    """C4: status, headers and body as they came."""
    async with asking(("201 Created\r\nX-Trace: t1", b"0123456789")) as (_, send):
        answer = await send("POST", "/orders", body={}, key=KEY)

    assert (answer.status_code, answer.headers["x-trace"], answer.content) == (201, "t1", b"0123456789")
    assert answer.request.url.path == "/orders"


@pytest.mark.parametrize(("method", "more"), [("POST", {"body": {}, "key": KEY}), ("POST", {"body": {}}), ("GET", {})])
@pytest.mark.parametrize("status", ["200 OK", "201 Created", "422 No", "402 No"])
async def test_a_larger_answer_is_none_and_is_not_asked_for_again(
    method: str, more: dict[str, Any], status: str
) -> None:
    """C4: it may have been carried out, whatever the status: nobody has read what the service says about it."""
    async with asking((status, b"0123456789a"), (status, b"ok")) as (server, send):
        with pytest.raises(
            UpstreamUnavailable, match="Its answer has more than 10 bytes, and the request may have been"
        ):
            await send(method, "/orders", **more)

        assert server.requests == 1


async def test_no_more_than_a_mebibyte_is_read_unless_told_so() -> None:
    """C4: the default, and one that is configured."""
    answer = ("200 OK", b"a" * (MIB + 1))
    async with asking(answer, terms=UpstreamTerms(name="service")) as (_, send):
        with pytest.raises(UpstreamUnavailable, match="more than 1,048,576 bytes"):
            await send("GET", "/")
    async with asking(answer, terms=UpstreamTerms(name="service", response_bytes=2 * MIB)) as (_, send):
        assert len((await send("GET", "/")).content) == MIB + 1


async def test_a_packed_answer_counts_as_what_it_unpacks_to() -> None:
    """C4: a few bytes on the way can be many in memory."""
    packed = gzip.compress(b"a" * MIB)
    assert len(packed) < 2_000
    async with asking(
        ("200 OK\r\nContent-Encoding: gzip", packed), ("200 OK\r\nContent-Encoding: gzip", gzip.compress(b"small"))
    ) as (_, send):
        with pytest.raises(UpstreamUnavailable, match="more than 10 bytes"):
            await send("GET", "/")
        small = await send("GET", "/")

    assert (small.content, "content-encoding" in small.headers) == (b"small", False)


async def test_what_cannot_be_unpacked_may_have_been_carried_out() -> None:
    """C4: an answer that nobody can read is none."""
    async with asking(("201 Created\r\nContent-Encoding: gzip", b"not gzip at all")) as (_, send):
        with pytest.raises(UpstreamUnavailable, match="Its answer cannot be unpacked, and the request may have been"):
            await send("POST", "/orders", body={}, key=KEY)


async def test_a_service_in_trouble_may_say_so_at_length() -> None:
    """C4: it is asked again with the same key, as after a short one; of what it said, nothing is read."""
    async with asking(("503 Busy", b"a" * MIB), ("429 Slow", b"a" * MIB), ("201 Created", b"done")) as (server, send):
        answer = await send("POST", "/orders", body={}, key=KEY)

    assert (answer.content, server.requests, server.keys) == (b"done", 3, [KEY, KEY, KEY])
