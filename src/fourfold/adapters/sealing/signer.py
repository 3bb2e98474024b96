"""`Ed25519Signer` and `Ed25519Verifier`: signatures that are checked without the key that makes them (RFC 8032).

The private key is derived from a key of the ring by HKDF-SHA256 (RFC 5869) for this purpose alone, so whoever has the
ring can sign, and whoever has the public key can only check.
"""

from __future__ import annotations

from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fourfold.adapters.sealing.keys import Key, KeyRing

__all__ = ["Ed25519Signer", "Ed25519Verifier", "public_keys"]

_INFO = b"fourfold/v1/sign/runs"


class Ed25519Verifier:
    """Checks with public keys by their names (ports.Verifier)."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = dict(keys)

    def public_key(self, kid: str) -> bytes | None:
        """The public key of that name, if it is known."""
        return self._keys.get(kid)

    def accepts(self, kid: str, data: bytes, *, signature: bytes) -> bool | None:
        """Whether `signature` is that of the key `kid` over `data`; `None` when that key is not known."""
        key = self._keys.get(kid)
        if key is None:
            return None
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        except (InvalidSignature, ValueError):
            # A key or a signature of another length is a ValueError, and no signature of this key either.
            return False
        return True


class Ed25519Signer:
    """Signs with the newest key of a ring that may seal (ports.Signer)."""

    def __init__(self, ring: KeyRing) -> None:
        self.kid = ring.sealing.kid
        """The name of the key."""
        self.verifier = Ed25519Verifier(public_keys(ring))
        """What checks with every key of the ring."""
        self._key = _private_key(ring.sealing)

    def sign(self, data: bytes) -> bytes:
        """The signature of `data`; 64 bytes."""
        return self._key.sign(data)


def public_keys(ring: KeyRing) -> dict[str, bytes]:
    """The public key of each key of `ring`, by its name."""
    return {key.kid: _private_key(key).public_key().public_bytes_raw() for key in ring.keys}


def _private_key(key: Key) -> Ed25519PrivateKey:
    derived = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_INFO).derive(key.secret.reveal())
    return Ed25519PrivateKey.from_private_bytes(derived)
