"""Signatures: made with the ring, checked without it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.sealing.keys import Key, KeyRing, KeySecret
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sealing.signer import Ed25519Signer, Ed25519Verifier, public_keys
from fourfold.ports.signer import Signer, Verifier

RING = KeyRing.of(("k2", b"2" * 32), ("k1", b"1" * 32))
SIGNER: Signer = Ed25519Signer(RING)
VERIFIER: Verifier = Ed25519Verifier({"k2": public_keys(RING)["k2"]})


@given(data=st.binary(max_size=200), other=st.binary(max_size=200))
def test_a_signature_is_of_its_data_alone(data: bytes, other: bytes) -> None:
    """D6: whoever has the public key can tell, and cannot make one."""
    signature = SIGNER.sign(data)

    assert VERIFIER.accepts("k2", data, signature=signature) is True
    assert VERIFIER.accepts("k2", other, signature=signature) is (data == other)


@given(data=st.binary(max_size=50), at=st.integers(0, 63), bit=st.integers(0, 7))
def test_no_bit_of_a_signature_can_be_changed(data: bytes, at: int, bit: int) -> None:
    """D6: RFC 8032."""
    bent = bytearray(SIGNER.sign(data))
    bent[at] ^= 1 << bit

    assert VERIFIER.accepts("k2", data, signature=bytes(bent)) is False


def test_what_is_no_signature_or_no_key_is_refused_and_not_raised() -> None:
    """D6: both come from a database that somebody may have written to."""
    assert VERIFIER.accepts("k2", b"x", signature=b"short") is False
    assert Ed25519Verifier({"k2": b"short"}).accepts("k2", b"x", signature=SIGNER.sign(b"x")) is False


def test_a_key_that_is_not_known_is_told_apart_from_a_wrong_signature() -> None:
    """D6: an old key may have left the ring."""
    assert VERIFIER.accepts("k1", b"x", signature=SIGNER.sign(b"x")) is None
    assert VERIFIER.public_key("k1") is None


def test_the_newest_key_that_seals_signs_and_every_key_of_the_ring_is_known() -> None:
    """D6, B10: as tokens are sealed; a key that only opens does not sign."""
    added = KeyRing((Key(kid="k3", secret=KeySecret(b"3" * 32), opens_only=True), *RING.keys))

    assert (SIGNER.kid, Ed25519Signer(added).kid) == ("k2", "k2")
    assert Ed25519Signer(added).sign(b"x") == SIGNER.sign(b"x")
    assert [*public_keys(added)] == ["k3", "k2", "k1"]
    assert [Ed25519Signer(added).verifier.accepts(kid, b"x", signature=SIGNER.sign(b"x")) for kid in ("k1", "k2")] == [
        False,
        True,
    ]


def test_a_sealer_has_the_signer_of_its_ring_and_its_keys_are_other_ones() -> None:
    """D6, B10: a key for each purpose."""
    sealer = AesGcmSealer(RING)

    assert sealer.signer.sign(b"x") == SIGNER.sign(b"x")
    assert public_keys(RING)["k2"] not in {sealer.tag("arguments", b""), b"2" * 32}
