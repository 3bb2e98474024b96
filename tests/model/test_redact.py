"""Redaction: planted secrets never survive, and text without any is left as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.redact import MAX_NOTE, holds_credential, redact, replaced

WORDS = st.lists(
    st.sampled_from(
        [
            "could",
            "not",
            "connect",
            "while",
            "reading",
            "row",
            "17",
            "of",
            "the",
            "ledger",
            "for",
            "account",
            "(retry",
            "3),",
            "see",
            "line",
            "4",
        ]
    ),
    max_size=8,
).map(" ".join)
OPAQUE = st.text("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=20, max_size=40)

SHAPES = [
    "password={}",
    "password: {}",
    "PGPASSWORD={}",
    "passwd = '{}'",
    '"api_key": "{}"',
    "apiKey={}",
    "X-Api-Key: {}",
    "api-key={}",
    "'client_secret': '{}'",
    "access_token={}&scope=x",
    "https://x.example/?token={}&page=2",
    "refresh_token: {}",
    "Authorization: Bearer {}",
    "authorization: basic {}",
    "Bearer {}",
    "Basic {}",
    "Cookie: sid={}",
    "Set-Cookie: sid={}; Path=/",
    "private_key={}",
    "credentials={}",
    "postgresql://svc:{}@db.internal:5432/prod",
    "redis://:{}@cache",
    "sk-{}",
    "ghp_{}",
    "xoxb-{}",
    "AKIA{}",
    "AIza{}",
    "rk_{}",
    "eyJhbGciOiJub25lIn0.{}.c2ln",
    "eyJhbGciOiJub25lIn0.{}",
    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n{}",
    "{{'headers': {{'x-secret': b'{}'}}}}",
    "('password', '{}')",
    'passphrase="{}"',
    "secret: '{}'",
    "db_pass={}",
    "userPassValue: {}",
    '"passengerToken": "{}"',
]


@pytest.mark.parametrize("shape", SHAPES)
@given(before=WORDS, secret=OPAQUE, after=WORDS)
def test_a_planted_secret_never_survives(shape: str, before: str, secret: str, after: str) -> None:
    """A5: not even a part of it, wherever it stands in the text; the words around it stay."""
    found = redact(f"{before} {shape.format(secret)}\n{after}")

    assert not any(secret[start : start + 8] in found for start in range(len(secret) - 8))
    assert found.startswith(before)
    assert "[redacted]" in found


@pytest.mark.parametrize("shape", SHAPES)
@given(secret=OPAQUE)
def test_what_is_masked_is_no_credential_and_stays_as_it_is(shape: str, secret: str) -> None:
    """A5: a suite takes what was masked before, and masking it again changes nothing."""
    masked = replaced(shape.format(secret), lambda _: "[redacted]")

    assert holds_credential(shape.format(secret))
    assert not holds_credential(masked)
    assert replaced(masked, lambda _: "[redacted]") == masked


@given(user=st.text("abcxyz.", min_size=1, max_size=9).filter(lambda text: text.strip(".")), before=WORDS)
def test_an_address_of_a_person_never_survives(user: str, before: str) -> None:
    """A5: personal data too."""
    assert redact(f"{before} <{user}.sam@example.com>, twice") == f"{before} <[redacted]>, twice"


@given(text=WORDS)
def test_text_without_secrets_is_unchanged(text: str) -> None:
    """A5: an operator can still read what happened."""
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "no such table: quotes",
        "the token was refused",
        "KeyError: 'account'",
        "max_tokens 500 exceeded",
        "see https://docs.example.com/errors#17",
        '{"passengers": [{"first_name": "Mia"}]}',
        "Passage: the second one",
        "would that be basic economy, Basic Economy or a basic question?",
        "2026-05-10T09:00:00-04:00 took 1.5 s",
        "a[0] = {'rows': [1, 2]} # not @ fault",
        "",
    ],
)
def test_what_only_mentions_secrets_is_unchanged(text: str) -> None:
    """A5: the word is no value."""
    assert redact(text) == text


def test_a_note_is_cut_after_redaction() -> None:
    """B19: a secret behind the cut is not half shown."""
    text = "x" * (MAX_NOTE - 20) + " password=" + "hunter2" * 20

    assert len(redact("y" * 3 * MAX_NOTE)) == MAX_NOTE
    assert redact("y" * 3 * MAX_NOTE).endswith("…")
    assert "hunter2" not in redact(text)


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "unit", ["a", "-", "a.", "a@", "password", "x=", "://", "'", "eyJ", "-----BEGIN PRIVATE KEY-----"]
)
def test_no_text_takes_long(unit: str) -> None:
    """B19: an exception may quote a megabyte of anything."""
    assert len(redact(unit * 100_000)) <= MAX_NOTE
