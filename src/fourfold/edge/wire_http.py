"""Raw frames to a URL: one HTTP request each. Nothing is checked, everything is bounded."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import httpx2
from anyio.abc import ByteStream

from fourfold.edge.frames import MAX_ANSWER_BYTES, events, is_answer, values
from fourfold.errors import TargetError
from fourfold.ports.wire import Transport, WireAnswer, WireTarget

__all__ = ["HttpWire", "http_wire"]

_QUIET_S = 1.5
"""Seconds without a byte, after which a stream that has answered is left, though it stays open."""

_ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@dataclass(slots=True, kw_only=True)
class HttpWire:
    """Frames to a URL; see `ports.wire.WireTarget`."""

    url: str
    revision: str
    token: str | None
    timeout_s: float
    _http: httpx2.AsyncClient
    transport: Transport = "http"

    @property
    def has_token(self) -> bool:
        """Whether requests carry a token."""
        return self.token is not None

    async def exchange(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, method: str = "POST"
    ) -> WireAnswer:
        """Send one request, and read its answer to the end or to the limits.

        Raises:
            TargetError: the server can't be reached.
        """
        given, body = self._headers(headers), frame if method == "POST" else None
        try:
            with anyio.fail_after(self.timeout_s):
                async with self._http.stream(method, self.url, content=body, headers=given) as response:
                    return await _read(response)
        except (httpx2.ConnectError, httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise TargetError(f"{self.url} can't be reached any more; look at the server's own output") from None
        except (httpx2.HTTPError, TimeoutError):
            # Closing the connection instead of an answer is what some checks look for.
            return WireAnswer(ended=True)

    async def cut(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, after_s: float | None
    ) -> None:
        """Send one request over a connection of its own, and close that before its answer is read.

        Raises:
            TargetError: the server can't be reached.
        """
        url = httpx2.URL(self.url)
        request = httpx2.Request("POST", url, headers=self._headers(headers), content=frame)
        head = [b"POST %s HTTP/1.1" % url.raw_path, *(b"%s: %s" % each for each in request.headers.raw), b"", frame]
        try:
            # httpx2 would read the answer, or take the request back, before it lets go of the connection.
            async with await _connected(url) as stream:
                await stream.send(b"\r\n".join(head))
                with anyio.move_on_after(self.timeout_s if after_s is None else after_s):
                    await _until_answered(stream)
        except OSError:
            raise TargetError(f"{self.url} can't be reached any more; look at the server's own output") from None

    def _headers(self, headers: Mapping[str, str | None] | None) -> dict[str, str]:
        """The usual headers with these beside them; one that is `None` is left out."""
        usual = {**_ACCEPT} if self.token is None else {**_ACCEPT, "authorization": f"Bearer {self.token}"}
        return {name: value for name, value in {**usual, **(headers or {})}.items() if value is not None}

    async def hang_up(self) -> bool:
        """Nothing: every request has a connection of its own."""
        return True

    def fresh(self) -> AbstractAsyncContextManager[WireTarget]:
        """The same URL over connections of its own."""
        return http_wire(self.url, token=self.token, revision=self.revision, timeout_s=self.timeout_s)


@asynccontextmanager
async def http_wire(url: str, *, token: str | None, revision: str, timeout_s: float = 10.0) -> AsyncGenerator[HttpWire]:
    """Frames to `url`, as the caller whose token it is."""
    async with httpx2.AsyncClient(timeout=timeout_s) as client:
        yield HttpWire(url=url, token=token, revision=revision, timeout_s=timeout_s, _http=client)


async def _connected(url: httpx2.URL) -> ByteStream:
    tls = url.scheme == "https"
    port = url.port or (443 if tls else 80)
    if tls:
        return await anyio.connect_tcp(url.host, port, tls=True, tls_standard_compatible=False)
    return await anyio.connect_tcp(url.host, port)


async def _until_answered(stream: ByteStream) -> None:
    """Wait for the first bytes of a message: the head of a stream may come long before."""
    heard = bytearray()
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
        while b'"jsonrpc"' not in heard and len(heard) <= MAX_ANSWER_BYTES:
            heard += await stream.receive()


async def _read(response: httpx2.Response) -> WireAnswer:
    """What came until the end, the limit of bytes, or too long a silence on a stream that stays open."""
    body, ended = bytearray(), True
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    chunks = response.aiter_bytes()
    while len(body) <= MAX_ANSWER_BYTES:
        try:
            with anyio.fail_after(_QUIET_S if streamed and _answered(body) else None):
                body += await anext(chunks)
        except StopAsyncIteration:
            break
        except TimeoutError:
            ended = False
            break
    return WireAnswer(
        status=response.status_code,
        headers={name.lower(): value for name, value in response.headers.items()},
        messages=tuple(events(bytes(body)) if streamed else values([bytes(body)])),
        body=bytes(body),
        ended=ended and len(body) <= MAX_ANSWER_BYTES,
    )


def _answered(body: bytearray) -> bool:
    return any(is_answer(each) for each in events(bytes(body)))
