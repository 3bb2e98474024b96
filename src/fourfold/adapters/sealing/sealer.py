"""`AesGcmSealer`: opaque, authenticated tokens and keyed digests (ports.Sealer, requirement B10).

A token is `v1.` and base64url, without padding, of

```
kid length (1) | kid | expiry in ms since the epoch (8) | nonce (12) | ciphertext and tag
```

The key is derived for each purpose by HKDF-SHA256 (RFC 5869); AES-256-GCM (NIST SP 800-38D) authenticates version,
purpose, kid, expiry and every string of `bind`, each with its length before it, so that no two lists of strings read
alike. A nonce is random, so a key should be rotated well before 2**32 seals.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fourfold.adapters.sealing.keys import Key, KeyRing
from fourfold.adapters.sealing.signer import Ed25519Signer
from fourfold.errors import SealError
from fourfold.ports.sealer import Purpose

__all__ = ["MAX_PAYLOAD_BYTES", "AesGcmSealer"]

MAX_PAYLOAD_BYTES = 1_048_576
"""The most that one token seals; a larger outcome does not belong into a token or a claim."""

_VERSION = "v1"
_PREFIX = f"{_VERSION}."
_NONCE_BYTES = 12
_TAG_BYTES = 16
_EXPIRY_BYTES = 8
_NEVER = 2 ** (8 * _EXPIRY_BYTES) - 1
_MAX_TOKEN_CHARS = len(_PREFIX) + (MAX_PAYLOAD_BYTES + 1 + 32 + _EXPIRY_BYTES + _NONCE_BYTES + _TAG_BYTES) * 4 // 3 + 4
_ALPHABET = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class AesGcmSealer:
    """Seals with the newest key of a ring that may, and opens with all of them.

    `tag` uses the *oldest* key: a digest is compared with stored ones, so it must not change when a key is put in
    front. It changes when the oldest key is taken out of the ring; drop a key only when nothing refers to its digests.
    """

    def __init__(self, ring: KeyRing) -> None:
        self.signer = Ed25519Signer(ring)
        """Who signs with the same keys."""
        self._newest = ring.sealing.kid
        purposes: tuple[Purpose, ...] = get_args(Purpose)
        self._seal_keys = {
            (key.kid, purpose): AESGCM(_derive(key, f"seal/{purpose}")) for key in ring.keys for purpose in purposes
        }
        self._tag_keys = {purpose: _derive(ring.keys[-1], f"tag/{purpose}") for purpose in purposes}

    def seal(self, purpose: Purpose, payload: bytes, *, bind: Sequence[str], expires_ms: int | None = None) -> str:
        """A URL-safe token that opens only for the same purpose and `bind`, until `expires_ms` (epoch).

        Raises:
            ValueError: the payload is larger than `MAX_PAYLOAD_BYTES`.
        """
        if len(payload) > MAX_PAYLOAD_BYTES:
            raise ValueError(f"a token seals at most {MAX_PAYLOAD_BYTES} bytes; store the payload and seal its id")
        expires_ms = _NEVER if expires_ms is None else max(expires_ms, 0)
        header = _Header(kid=self._newest, expires_ms=expires_ms, nonce=os.urandom(_NONCE_BYTES))
        cipher = self._seal_keys[header.kid, purpose]
        sealed = cipher.encrypt(header.nonce, payload, _bound(purpose, header, bind=bind))
        return _PREFIX + _encode(header.pack() + sealed)

    def open(self, purpose: Purpose, token: str, *, bind: Sequence[str], now_ms: int) -> bytes:
        """The payload of `token`.

        Raises:
            SealError: it is forged, foreign, expired, for another purpose, or not a token at all.
        """
        header, sealed = _parse(token)
        cipher = self._seal_keys.get((header.kid, purpose))
        if cipher is None:
            raise SealError
        try:
            payload = cipher.decrypt(header.nonce, sealed, _bound(purpose, header, bind=bind))
        except InvalidTag:
            raise SealError from None
        # Only now is the expiry known to be ours.
        if now_ms >= header.expires_ms:
            raise SealError
        return payload

    def tag(self, purpose: Purpose, data: bytes) -> bytes:
        """HMAC-SHA256 of `data` (32 bytes) under the oldest key of the ring."""
        return hmac.digest(self._tag_keys[purpose], data, "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    """What stands in the open before the ciphertext; all of it is authenticated."""

    kid: str
    expires_ms: int
    nonce: bytes

    def pack(self) -> bytes:
        """The header as it travels."""
        kid = self.kid.encode("ascii")
        return bytes([len(kid)]) + kid + self.expires_ms.to_bytes(_EXPIRY_BYTES, "big") + self.nonce


def _derive(key: Key, use: str) -> bytes:
    """The 32-byte key for one use, so that no token or digest of one purpose counts for another."""
    info = f"fourfold/{_VERSION}/{use}".encode("ascii")
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(key.secret.reveal())


def _bound(purpose: Purpose, header: _Header, *, bind: Sequence[str]) -> bytes:
    """The associated data. `surrogatepass` lets any `str` be bound, so that a bad one fails as a foreign one does."""
    parts = (_VERSION, purpose, header.kid, str(header.expires_ms), *bind)
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(len(part).to_bytes(8, "big") + part for part in encoded)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decode(text: str) -> bytes:
    """Base64url without padding, in its one canonical form (RFC 4648, section 3.5)."""
    # Python's decoder skips characters that it does not know, and ignores the spare bits of the last one.
    if not _ALPHABET.fullmatch(text):
        raise SealError
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise SealError from None
    if _encode(data) != text:
        raise SealError
    return data


def _parse(token: str) -> tuple[_Header, bytes]:
    """Header and ciphertext of a token, none of it trusted yet."""
    if len(token) > _MAX_TOKEN_CHARS or not token.startswith(_PREFIX):
        raise SealError
    data = _decode(token[len(_PREFIX) :])
    expiry_at = 1 + data[0]
    nonce_at = expiry_at + _EXPIRY_BYTES
    sealed_at = nonce_at + _NONCE_BYTES
    if len(data) < sealed_at + _TAG_BYTES:
        raise SealError
    header = _Header(
        kid=data[1:expiry_at].decode("ascii", "replace"),
        expires_ms=int.from_bytes(data[expiry_at:nonce_at], "big"),
        nonce=data[nonce_at:sealed_at],
    )
    return header, data[sealed_at:]
