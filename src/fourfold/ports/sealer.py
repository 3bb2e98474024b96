"""Sealing: opaque, authenticated tokens and keyed digests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from fourfold.ports.signer import Signer

__all__ = ["Purpose", "Sealer"]

Purpose = Literal[
    "cursor",
    "outcome",
    "listing",
    "fingerprint",
    "arguments",
    "plan",
    "request-state",
    "handle",
    "message",
    "kept",
]
"""What a token or digest is for; each purpose has its own key, so none opens as another."""


class Sealer(Protocol):
    """Seals bytes so that nobody else can read, forge or move them (requirement B10)."""

    @property
    def signer(self) -> Signer:
        """Who signs with the same keys, for what others check."""
        ...

    def seal(self, purpose: Purpose, payload: bytes, *, bind: Sequence[str], expires_ms: int | None = None) -> str:
        """A URL-safe token that opens only for the same purpose and `bind`, until `expires_ms` (epoch)."""
        ...

    def open(self, purpose: Purpose, token: str, *, bind: Sequence[str], now_ms: int) -> bytes:
        """The payload of `token`.

        Raises:
            SealError: it is forged, foreign, expired, for another purpose, or not a token at all.
        """
        ...

    def tag(self, purpose: Purpose, data: bytes) -> bytes:
        """A keyed digest of `data` (32 bytes), stable while its key stays in the ring."""
        ...
