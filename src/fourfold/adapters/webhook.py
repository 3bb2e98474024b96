"""`WebhookSender`: posts messages from the outbox to one URL.

Signed as the Standard Webhooks specification says (`webhook-id`, `webhook-timestamp`, `webhook-signature`), so that a
receiver can check it with a library that it has.
"""

from __future__ import annotations

import base64
import hmac
import json
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx2

from fourfold.adapters.clock import SystemClock
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.message import Delivery
from fourfold.ports.clock import Clock

__all__ = ["WebhookSender"]

_LATER = frozenset({408, 425, 429})
"""Refusals that are about the moment (RFC 9110, RFC 8470, RFC 6585)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSender:
    """Posts payloads as JSON to `url`, with the dedupe key in `Idempotency-Key` (ports.outbox.Sender).

    Redirects are not followed, and the body of an answer is not read.

    Attributes:
        secret: what requests are signed with, at least 24 bytes; without one they are not signed.
        timeout_s: seconds for the connection and for the answer, each.
    """

    url: str
    secret: bytes | None = field(default=None, repr=False)
    timeout_s: float = 10.0
    clock: Clock = field(default_factory=SystemClock)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.username or parts.password:
            raise ValueError("a webhook has an http or https URL without a user")
        if self.secret is not None and len(self.secret) < 24:
            raise ValueError("a secret to sign with has at least 24 bytes")

    async def send(self, delivery: Delivery) -> None:
        """Post one message.

        Raises:
            UpstreamRejected: the receiver refuses it for good (4xx, or a redirect).
            UpstreamUnavailable: it cannot be reached, is broken (5xx), or says later; with its Retry-After.
        """
        body = json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":")).encode()
        headers = {**self._signed(delivery, body), "content-type": "application/json"}
        try:
            async with (
                httpx2.AsyncClient(timeout=self.timeout_s, follow_redirects=False) as client,
                client.stream("POST", self.url, content=body, headers=headers) as answer,
            ):
                status, retry_after = answer.status_code, answer.headers.get("retry-after", "")
        except (httpx2.HTTPError, OSError) as error:
            raise UpstreamUnavailable(f"the receiver did not answer: {type(error).__name__}") from None
        if not 200 <= status <= 299:
            raise self._refusal(status, retry_after)

    def _signed(self, delivery: Delivery, body: bytes) -> dict[str, str]:
        key = delivery.dedupe_key
        if self.secret is None:
            return {"idempotency-key": key}
        at = str(self.clock.now_ms() // 1000)
        signature = hmac.digest(self.secret, f"{key}.{at}.".encode() + body, "sha256")
        return {
            "idempotency-key": key,
            "webhook-id": key,
            "webhook-timestamp": at,
            "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
        }

    def _refusal(self, status: int, retry_after: str) -> UpstreamRejected | UpstreamUnavailable:
        said = f"the receiver answered {status}"
        if status >= 500 or status in _LATER:
            return UpstreamUnavailable(said, retry_after_ms=self._wait_ms(retry_after))
        return UpstreamRejected(said)

    def _wait_ms(self, retry_after: str) -> int | None:
        """Retry-After in milliseconds, from seconds or a date (RFC 9110, section 10.2.3)."""
        if retry_after.isascii() and retry_after.isdigit():
            return int(retry_after[:9]) * 1000
        try:
            at = parsedate_to_datetime(retry_after)
        except (TypeError, ValueError):
            return None
        return max(round(at.replace(tzinfo=at.tzinfo or UTC).timestamp() * 1000) - self.clock.now_ms(), 0)
