"""Seals: what goes in comes out, for the same purpose and binding and for nothing else."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import MAX_PAYLOAD_BYTES, AesGcmSealer
from fourfold.errors import SealError
from fourfold.ports.sealer import Purpose, Sealer

NOW = 1_700_000_000_000
SEALER: Sealer = AesGcmSealer(KeyRing.of(("k1", b"1" * 32)))
PURPOSES: Sequence[Purpose] = ("cursor", "outcome", "listing", "fingerprint", "arguments")

payloads = st.binary(max_size=200)
purposes = st.sampled_from(PURPOSES)
bindings = st.lists(st.text(max_size=20), max_size=4)


def opens(token: str, sealer: Sealer = SEALER, *, now_ms: int = NOW) -> bool:
    """Whether `token`, sealed as a cursor for `acme`, opens."""
    try:
        sealer.open("cursor", token, bind=["acme"], now_ms=now_ms)
    except SealError:
        return False
    return True


@given(payload=payloads, purpose=purposes, bind=bindings, expires=st.none() | st.integers(NOW + 1, 2**63))
def test_what_is_sealed_opens_again(payload: bytes, purpose: Purpose, bind: list[str], expires: int | None) -> None:
    """B10: for the same purpose and binding, until it expires."""
    token = SEALER.seal(purpose, payload, bind=bind, expires_ms=expires)

    assert SEALER.open(purpose, token, bind=bind, now_ms=NOW) == payload
    assert token.startswith("v1.")
    assert token.isascii()
    assert "=" not in token


@settings(max_examples=10)
@given(payload=st.binary(max_size=24))
def test_every_flipped_bit_is_refused(payload: bytes) -> None:
    """B10: in the header, the nonce, the text and the tag alike."""
    token = SEALER.seal("cursor", payload, bind=["acme"], expires_ms=NOW + 1)
    data = base64.urlsafe_b64decode(token[3:] + "=" * (-len(token[3:]) % 4))
    for bit in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not opens("v1." + base64.urlsafe_b64encode(flipped).rstrip(b"=").decode())


@settings(max_examples=10)
@given(payload=st.binary(max_size=24))
def test_every_truncation_and_every_exchanged_character_is_refused(payload: bytes) -> None:
    """B10: as text, too."""
    token = SEALER.seal("cursor", payload, bind=["acme"])
    for length in range(len(token)):
        assert not opens(token[:length])
        assert not opens(token[:length] + ("A" if token[length] != "A" else "B") + token[length + 1 :])


@given(purpose=purposes, other=purposes, bind=bindings, foreign=bindings)
def test_another_purpose_or_binding_is_refused(
    purpose: Purpose, other: Purpose, bind: list[str], foreign: list[str]
) -> None:
    """B10, B18: a token cannot be moved to another tenant, tool or use."""
    assume((purpose, bind) != (other, foreign))
    token = SEALER.seal(purpose, b"x", bind=bind)

    with pytest.raises(SealError):
        SEALER.open(other, token, bind=foreign, now_ms=NOW)


@pytest.mark.parametrize("foreign", [["ac", "me"], ["acme", ""], ["", "acme"], [], ["Acme"], ["acme\0"], ["\ud800"]])
def test_bindings_that_read_alike_are_different(foreign: list[str]) -> None:
    """B10: each string is bound with its length."""
    token = SEALER.seal("cursor", b"x", bind=["acme"])

    with pytest.raises(SealError):
        SEALER.open("cursor", token, bind=foreign, now_ms=NOW)


@given(payload=payloads)
def test_another_ring_is_refused_though_its_key_has_the_same_id(payload: bytes) -> None:
    """B10: the id is a hint, the secret decides."""
    token = SEALER.seal("cursor", payload, bind=["acme"])

    assert opens(token)
    assert not opens(token, AesGcmSealer(KeyRing.of(("k1", b"2" * 32))))
    assert not opens(token, AesGcmSealer(KeyRing.of(("k2", b"1" * 32))))


def test_a_token_ends_with_its_expiry() -> None:
    """B10: at the millisecond, and the expiry is part of what is authenticated."""
    token = SEALER.seal("cursor", b"x", bind=["acme"], expires_ms=NOW)

    assert opens(token, now_ms=NOW - 1)
    assert not opens(token, now_ms=NOW)
    assert not opens(SEALER.seal("cursor", b"x", bind=["acme"], expires_ms=0))
    assert not opens(SEALER.seal("cursor", b"x", bind=["acme"], expires_ms=-5), now_ms=0)


def test_a_newer_key_seals_and_the_old_ones_still_open() -> None:
    """B10: rotation loses no token that is on its way."""
    rotated = AesGcmSealer(KeyRing.of(("k2", b"2" * 32), ("k1", b"1" * 32)))
    old, new = SEALER.seal("cursor", b"x", bind=["acme"]), rotated.seal("cursor", b"x", bind=["acme"])

    assert opens(old, rotated)
    assert opens(new, rotated)
    assert not opens(new, SEALER)


RESPELLINGS: Sequence[Callable[[str], str]] = [
    lambda token: token + "=",
    lambda token: token + "A",
    lambda token: token + "\n",
    lambda token: " " + token,
    lambda token: "v2" + token[2:],
    lambda token: token[3:],
    lambda token: token.replace("-", "+").replace("_", "/"),
    lambda token: token[:-1] + chr(ord(token[-1]) + 1),
    lambda token: token[:8] + "é" + token[9:],
    lambda token: token[:8] + "\ud800" + token[9:],
    lambda token: token[:8] + "." + token[8:],
]


@pytest.mark.parametrize("respell", RESPELLINGS)
def test_a_token_has_one_spelling(respell: Callable[[str], str]) -> None:
    """B10: base64url, no padding, and no bits that decoding ignores."""
    # A payload length for which the last character has spare bits, and an alphabet that needs both marks.
    token = next(
        token
        for token in (SEALER.seal("cursor", b"12345678", bind=["acme"]) for _ in range(10_000))
        if {"-", "_"} <= set(token) and token[-1] in "AEIMQUYcgkosw048"
    )

    assert opens(token)
    assert not opens(respell(token))


@given(text=st.text())
def test_what_is_no_token_is_refused_like_a_forged_one(text: str) -> None:
    """B10: one error, one message."""
    for token in (text, f"v1.{text}", "v1." + base64.urlsafe_b64encode(text.encode("utf-8", "ignore")).decode()):
        with pytest.raises(SealError) as caught:
            SEALER.open("cursor", token, bind=["acme"], now_ms=NOW)
        assert str(caught.value) == "this token is not valid here"


def test_two_seals_of_one_payload_differ() -> None:
    """B10: a token tells nothing about another."""
    tokens = {SEALER.seal("cursor", b"x", bind=["acme"]) for _ in range(50)}

    assert len(tokens) == 50


def test_a_payload_has_a_cap() -> None:
    """B19: a token that no sealer of ours makes is refused before it is decoded."""
    largest = SEALER.seal("outcome", b"x" * MAX_PAYLOAD_BYTES, bind=[])

    assert len(SEALER.open("outcome", largest, bind=[], now_ms=NOW)) == MAX_PAYLOAD_BYTES
    with pytest.raises(ValueError, match="at most 1048576 bytes"):
        SEALER.seal("outcome", b"x" * (MAX_PAYLOAD_BYTES + 1), bind=[])
    with pytest.raises(SealError):
        SEALER.open("outcome", largest + "A" * 200, bind=[], now_ms=NOW)


def test_a_digest_is_the_same_after_a_key_was_put_in_front() -> None:
    """D1: fingerprints are compared with stored ones across a rotation."""
    rotated = AesGcmSealer(KeyRing.of(("k2", b"2" * 32), ("k1", b"1" * 32)))
    foreign = AesGcmSealer(KeyRing.of(("k2", b"2" * 32)))

    assert SEALER.tag("fingerprint", b"x") == rotated.tag("fingerprint", b"x")
    assert SEALER.tag("fingerprint", b"x") != foreign.tag("fingerprint", b"x")


@given(data=payloads, other=payloads, purpose=purposes, second=purposes)
def test_a_digest_depends_on_purpose_and_data(data: bytes, other: bytes, purpose: Purpose, second: Purpose) -> None:
    """B10: 32 bytes that differ when either does."""
    same = (data, purpose) == (other, second)

    assert (SEALER.tag(purpose, data) == SEALER.tag(second, other)) is same
    assert len(SEALER.tag(purpose, data)) == 32


def test_tokens_and_digests_of_this_version_stay_what_they_are() -> None:
    """B10: stored outcomes and fingerprints outlive a release."""
    token = "v1.Amsx___________9G0MJ9lTa6T_fPxXQyS1uJnN8ms72SIKuKU2p9i4"
    digest = "5d561215b5f0f9d6fb918278f49c0e6dd84417999712f2b808c84e7fe41f9627"

    assert SEALER.tag("fingerprint", b"quote").hex() == digest
    assert SEALER.open("outcome", token, bind=["op-1"], now_ms=NOW) == b"{}"
