"""What is hashed and signed, byte for byte, and a head as one line."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.seal import GENESIS, Head, Seal
from fourfold.runs.sealed import FORM, FORMS, digest_of, head_line, heads_in, row_bytes, seal_bytes

_SEAL = Seal(
    no=1,
    kind="runs",
    previous=GENESIS,
    after_seq=0,
    to_seq=3,
    rows=3,
    root="ab" * 32,
    form=1,
    day_ms=1_699_920_000_000,
    at_ms=1_700_000_000_000,
    kid="k1",
)


def row(**changes: Any) -> dict[str, Any]:
    """A row in which every column has its own name in it."""
    numbers = {"seq", "at_ms", "replayed", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "tokens_definition"}
    return {name: 7 if name in numbers else name for name in FORMS[FORM]} | changes


def test_a_run_is_its_columns_in_canonical_json() -> None:
    """D6: RFC 8785, so that anybody can make the bytes again."""
    said = row_bytes(row(note='über "x"\n\x7f'), FORM)

    assert said.startswith(b'{"arguments_digest":"arguments_digest","at_ms":7,"bytes_in":7,"bytes_out":7,"caller":')
    assert '"note":"über \\"x\\"\\n\x7f","operation_id":"operation_id"'.encode() in said
    assert said.endswith(b'"wire_digest":"wire_digest"}')
    assert len(json.loads(said)) == 33


def test_every_column_counts() -> None:
    """D6: an edit of any of them is another leaf."""
    said = {row_bytes(row(**{name: 8 if value == 7 else f"{value}!"}), FORM) for name, value in row().items()}

    assert len(said | {row_bytes(row(), FORM)}) == 34


@pytest.mark.parametrize("value", [None, 7.0, "7", b"7", True])
def test_a_value_of_another_type_is_another_value(value: object) -> None:
    """D6: SQLite would let somebody put one there."""
    assert row_bytes(row(bytes_in=value), FORM) != row_bytes(row(), FORM)
    assert row_bytes(row(note=b"note"), FORM) != row_bytes(row(note=str(b"note")), FORM)


def test_an_entry_is_signed_behind_a_prefix() -> None:
    """D6: what is signed here can be nothing else that is ever signed."""
    expected = (
        b'fourfold/seal/v1\x00{"after_seq":0,"at_ms":1700000000000,"day_ms":1699920000000,"form":1,"kid":"k1",'
        b'"kind":"runs","no":1,"previous":"' + b"0" * 64 + b'","root":"' + b"ab" * 32 + b'","rows":3,"to_seq":3}'
    )

    assert seal_bytes(_SEAL) == expected
    assert digest_of(_SEAL) == hashlib.sha256(expected).hexdigest()


heads = st.builds(
    Head,
    no=st.integers(1, 10**17),
    digest=st.binary(min_size=32, max_size=32).map(bytes.hex),
    kid=st.from_regex(r"[A-Za-z0-9_-]{1,32}", fullmatch=True),
    public_key=st.binary(min_size=32, max_size=32),
)


@given(noted=st.lists(heads, max_size=4), around=st.text(st.characters(exclude_characters=":"), max_size=20))
def test_heads_are_found_again_in_whatever_they_were_written_into(noted: list[Head], around: str) -> None:
    """D6: a log, a file, an answer in JSON."""
    text = json.dumps([f"{around} {head_line(head)} {around}" for head in noted])

    assert heads_in(text) == noted


def test_what_is_no_head_is_none() -> None:
    """D6: a key or a digest that is too short."""
    assert heads_in(f"fourfold-head/v1 1 {'a' * 64} k:{'A' * 42}=") == []
    assert heads_in(f"fourfold-head/v1 1 {'a' * 63} k:{'A' * 43}=") == []
