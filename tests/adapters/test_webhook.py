"""Messages from the outbox, posted to a real receiver on a socket."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any

import pytest

from fourfold.adapters.webhook import WebhookSender
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.testing import FixedClock
from tests.adapters.receiving import Receiver, receiver
from tests.adapters.test_smtp import DELIVERY

pytestmark = pytest.mark.anyio

SECRET = b"a secret of thirty-two bytes ...."


def sender_to(found: Receiver, **changes: Any) -> WebhookSender:
    """A sender to that receiver."""
    given: dict[str, Any] = {"timeout_s": 5.0, **changes}
    return WebhookSender(url=found.url, clock=FixedClock(), **given)


def answer(status: str, *headers: str) -> bytes:
    """An answer without a body."""
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "content-length: 0", "", ""]).encode()


async def test_a_message_is_posted_with_its_key() -> None:
    """B4: JSON, and the dedupe key where receivers look for one."""
    async with receiver() as found:
        await sender_to(found).send(DELIVERY)
    (post,) = found.posts

    assert post.start == "POST /hook HTTP/1.1"
    assert post.body == b'{"to":"ada@example.com","subject":"Your invoice INV-1","text":"It is due.\\n"}'
    assert (post.headers["idempotency-key"], post.headers["content-type"]) == ("op_1:1", "application/json")
    assert "webhook-signature" not in post.headers


async def test_a_signature_can_be_checked_by_the_receiver() -> None:
    """B18: id, time and body under the shared secret, as Standard Webhooks has it."""
    async with receiver() as found:
        await sender_to(found, secret=SECRET).send(DELIVERY)
    (post,) = found.posts
    signed = f"{post.headers['webhook-id']}.{post.headers['webhook-timestamp']}.".encode() + post.body
    expected = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()

    assert post.headers["webhook-signature"] == f"v1,{expected}"
    assert (post.headers["webhook-id"], post.headers["webhook-timestamp"]) == ("op_1:1", "1793491200")


@pytest.mark.parametrize(
    ("reply", "error", "wait_ms"),
    [
        (answer("400 Bad Request"), UpstreamRejected, None),
        (answer("404 Not Found"), UpstreamRejected, None),
        (answer("410 Gone"), UpstreamRejected, None),
        (answer("302 Found", "location: http://127.0.0.1:9/"), UpstreamRejected, None),
        (answer("408 Request Timeout"), UpstreamUnavailable, None),
        (answer("429 Too Many Requests", "retry-after: 120"), UpstreamUnavailable, 120_000),
        (answer("503 Busy", "retry-after: Sun, 01 Nov 2026 00:01:30 GMT"), UpstreamUnavailable, 90_000),
        (answer("503 Busy", "retry-after: Sat, 31 Oct 2026 00:00:00 GMT"), UpstreamUnavailable, 0),
        (answer("503 Busy", "retry-after: soon"), UpstreamUnavailable, None),
        (answer("503 Busy", f"retry-after: {'9' * 400}"), UpstreamUnavailable, 999_999_999_000),
        (answer("500 Internal Server Error"), UpstreamUnavailable, None),
        (b"", UpstreamUnavailable, None),
        (b"nonsense\r\n\r\n", UpstreamUnavailable, None),
    ],
)
async def test_the_answer_decides_whether_it_comes_again(
    reply: bytes, error: type[UpstreamRejected | UpstreamUnavailable], wait_ms: int | None
) -> None:
    """B4, C4: a refusal is for good; what is about the moment is tried again, not before the receiver said."""
    async with receiver(reply) as found:
        with pytest.raises(error) as raised:
            await sender_to(found).send(DELIVERY)

    assert raised.value.retry_after_ms == wait_ms
    assert len(found.posts) == 1


async def test_a_redirect_is_not_followed() -> None:
    """B18: a receiver cannot make us post a tenant's data elsewhere."""
    async with receiver() as other, receiver(answer("307 Temporary Redirect", f"location: {other.url}")) as found:
        with pytest.raises(UpstreamRejected, match=r"^the receiver answered 307$"):
            await sender_to(found).send(DELIVERY)

    assert other.posts == []


async def test_the_body_of_an_answer_is_not_read() -> None:
    """C1: a receiver that never stops talking holds nobody, and its words are in no log."""
    endless = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n" + b"x" * 65_536
    async with receiver(endless) as found:
        await sender_to(found).send(DELIVERY)

    assert len(found.posts) == 1


async def test_a_receiver_that_hangs_is_given_up() -> None:
    """C4: and tried again later."""
    async with receiver(hangs=True) as found:
        with pytest.raises(UpstreamUnavailable, match="did not answer: ReadTimeout"):
            await sender_to(found, timeout_s=0.05).send(DELIVERY)


async def test_a_receiver_that_is_not_there_is_tried_again() -> None:
    """C4: nothing was posted."""
    async with receiver() as found:
        pass
    with pytest.raises(UpstreamUnavailable, match="did not answer: ConnectError"):
        await sender_to(found).send(DELIVERY)


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("ftp://example.com/", None),
        ("example.com/hook", None),
        ("https://user:pw@example.com/", None),
        ("https://example.com/hook", b"short"),
    ],
)
def test_a_sender_that_could_not_work_is_not_made(url: str, secret: bytes | None) -> None:
    """B18: no password in a URL, no secret that can be guessed."""
    with pytest.raises(ValueError, match=r"a webhook has|a secret to sign"):
        WebhookSender(url=url, secret=secret)


def test_the_secret_is_not_shown() -> None:
    """A5: in no `repr`."""
    assert "thirty" not in repr(WebhookSender(url="https://example.com/hook", secret=SECRET))
