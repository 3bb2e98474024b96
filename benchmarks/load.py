"""The client side of HTTP: sends one request after the other over kept-alive connections, as fast as answers come.

Runs in a process of its own (`python -m benchmarks.load`), takes one order a line and answers each with one line,
both JSON. It knows just enough HTTP to find the end of an answer, so that it takes little of the second core.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from uuid import uuid4

from benchmarks.wire import KEY, PRICE

__all__ = ["Fresh", "Order", "Tally"]

_END_OF_HEAD = b"\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to send, where, over how many connections and for how long."""

    port: int
    request: str
    connections: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came back. `failed` answers had another status than 200 or were tool errors; `failure` is one of them."""

    calls: int
    failed: int
    failure: str
    seconds: float
    p50_ms: float
    p99_ms: float


class Fresh:
    """Makes every request different from every other: another key, another price."""

    def __init__(self) -> None:
        self._prefix = uuid4().hex[:20].encode()
        self._count = 0

    def request(self, template: bytes) -> bytes:
        """`template` with the next key and price, of the same length."""
        self._count += 1
        price = 1_000_000 + self._count % 8_000_000
        marked = template.replace(KEY.encode(), self._prefix + b"%012d" % self._count)
        return marked.replace(str(PRICE).encode(), str(price).encode())


@dataclass(slots=True)
class _Run:
    """One order in progress."""

    template: bytes
    fresh: Fresh
    end: float
    times: list[float] = field(default_factory=list[float])
    open: list[asyncio.Future[None]] = field(default_factory=list[asyncio.Future[None]])
    failed: int = 0
    failure: str = ""

    def count(self, head: bytes, body: bytes) -> None:
        """Look whether an answer is a success."""
        if not head.startswith(b"HTTP/1.1 200") or b'"isError":true' in body:
            self.failed += 1
            self.failure = (head.partition(b"\r\n")[0] + b" " + body[:500]).decode("utf-8", "replace")


class _Connection(asyncio.Protocol):
    """Sends, waits for the whole answer, sends again, until the time is over."""

    def __init__(self, run: _Run) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._run = run
        self._transport: asyncio.Transport
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        """Collect the answer; when it is whole, count it and go on."""
        self._received += data
        head, found, body = self._received.partition(_END_OF_HEAD)
        if not found or len(body) < _length(head):
            return
        now = time.perf_counter()
        self._run.times.append(now - self._sent_at)
        self._run.count(head, body)
        self._received = b""
        if now < self._run.end:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """The time is over, or the server hung up, which is a failure."""
        self._run.failed += time.perf_counter() < self._run.end
        if not self.done.done():
            self.done.set_result(None)

    def _send(self) -> None:
        request = self._run.fresh.request(self._run.template)
        self._sent_at = time.perf_counter()
        self._transport.write(request)


def _length(head: bytes) -> int:
    _, _, rest = head.lower().partition(b"content-length:")
    return int(rest.partition(b"\r\n")[0])


async def _carry_out(order: Order, fresh: Fresh) -> Tally:
    start = time.perf_counter()
    run = _Run(order.request.encode(), fresh, start + order.seconds)
    loop = asyncio.get_running_loop()
    for _ in range(order.connections):
        _, connection = await loop.create_connection(lambda: _Connection(run), "127.0.0.1", order.port)
        run.open.append(connection.done)
    await asyncio.gather(*run.open)
    ranked = sorted(run.times)
    return Tally(
        calls=len(ranked),
        failed=run.failed,
        failure=run.failure,
        seconds=time.perf_counter() - start,
        p50_ms=ranked[len(ranked) // 2] * 1000,
        p99_ms=ranked[len(ranked) * 99 // 100] * 1000,
    )


def main() -> None:
    """Carry out orders until there are no more."""
    fresh = Fresh()
    for line in sys.stdin:
        tally = asyncio.run(_carry_out(Order(**json.loads(line)), fresh))
        print(json.dumps(asdict(tally)), flush=True)


if __name__ == "__main__":
    main()
