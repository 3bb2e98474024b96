"""The keys of a store for signing its chain of seals, and for checking it, for those who look after the store."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.adapters.sealing.signer import Ed25519Signer, Ed25519Verifier, public_keys
from fourfold.bootstrap.keys import find_ring
from fourfold.errors import ConfigError
from fourfold.model.seal import Head
from fourfold.ports.signer import Signer, Verifier

__all__ = ["found_signer", "signer_of", "verifier_of"]


def signer_of(store: str) -> Signer:
    """Who signs for a server on `store`.

    Raises:
        ConfigError: the keys are not here; none are made.
    """
    return Ed25519Signer(find_ring(store).ring)


def found_signer(store: str) -> Signer | None:
    """As `signer_of`; `None` when the keys are not here."""
    try:
        return signer_of(store)
    except ConfigError:
        return None


def verifier_of(store: str | None, noted: Sequence[Head] = ()) -> Verifier:
    """What checks with the keys of `store`, or where they are not here, with those that heads were noted with.

    Raises:
        ConfigError: there is neither.
    """
    known = {head.kid: head.public_key for head in noted}
    if store is None:
        return Ed25519Verifier(known)
    try:
        return Ed25519Verifier(public_keys(find_ring(store).ring))
    except ConfigError:
        # Whoever looks from outside has no keys of the store, and needs none beside a head.
        if not known:
            raise
        return Ed25519Verifier(known)
