"""Who is calling over HTTP: from an `Authorization` header to a `Caller`.

`Identity` is the port that OAuth will implement too. Nothing here stores or logs a token.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from fourfold.errors import ConfigError
from fourfold.model.caller import Caller

__all__ = ["Identity", "KnownToken", "TokenIdentity"]


class Identity(Protocol):
    """Turns the `Authorization` header of a request into a caller."""

    def identify(self, authorization: str | None) -> Caller | None:
        """The caller, or `None` for every reason not to believe the header; the reasons are not told apart."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownToken:
    """A configured caller and the SHA-256 of its bearer token, as 64 hexadecimal digits."""

    caller: Caller
    token_sha256: str


class TokenIdentity:
    """Bearer tokens that the configuration knows by their SHA-256 (requirement B18).

    Raises:
        ConfigError: a digest is not SHA-256 in hexadecimal, or two callers share one.
    """

    def __init__(self, known: Sequence[KnownToken]) -> None:
        self._known = tuple((_digest(entry), entry.caller) for entry in known)
        if len({digest for digest, _ in self._known}) != len(self._known):
            raise ConfigError("two callers have the same token_sha256; give each caller its own token")

    def identify(self, authorization: str | None) -> Caller | None:
        """The caller whose token this is. Every entry is compared, so time does not tell which one matched."""
        scheme, _, token = (authorization or "").partition(" ")
        shown = sha256(token.strip().encode("latin-1", "backslashreplace")).digest()
        found: Caller | None = None
        # No early exit: how long this takes must not tell which entry matched, or whether one did.
        for digest, caller in self._known:
            if hmac.compare_digest(digest, shown):
                found = caller
        return found if scheme.lower() == "bearer" else None


def _digest(entry: KnownToken) -> bytes:
    try:
        digest = bytes.fromhex(entry.token_sha256)
    except ValueError:
        digest = b""
    # The digest of nothing would let everybody in who sends no token.
    if len(digest) != 32 or digest == sha256(b"").digest():
        name = entry.caller.name or entry.caller.principal
        raise ConfigError(f"token_sha256 of caller {name!r} must be 64 hexadecimal digits: the SHA-256 of a token")
    return digest
