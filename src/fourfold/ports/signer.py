"""Signing and checking what somebody without the key must be able to check."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Signer", "Verifier"]


class Verifier(Protocol):
    """Checks signatures with the public keys that it knows."""

    def public_key(self, kid: str) -> bytes | None:
        """The public key of that name, if it is known; 32 bytes."""
        ...

    def accepts(self, kid: str, data: bytes, *, signature: bytes) -> bool | None:
        """Whether `signature` is that of the key `kid` over `data`; `None` when that key is not known."""
        ...


class Signer(Protocol):
    """Signs with one key of a ring, which has a name."""

    @property
    def kid(self) -> str:
        """The name of the key."""
        ...

    @property
    def verifier(self) -> Verifier:
        """What checks with every key of the ring."""
        ...

    def sign(self, data: bytes) -> bytes:
        """The signature of `data`."""
        ...
