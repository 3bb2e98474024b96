"""The strict reader: what it refuses, what it marks, and that it never fails in another way."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st
from pydantic_core import to_json

from fourfold.contracts.strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, StrictJsonError, parse, pointer, well_formed

SAFE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def _faults(raw: str) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in parse(raw.encode()).faults]


@given(value=SAFE, spaced=st.booleans())
def test_sound_json_is_read_as_the_standard_reader_does(value: Any, spaced: bool) -> None:
    """A2: the reference is the standard library; nothing sound is refused or changed."""
    raw = json.dumps(value, indent=1 if spaced else None, ensure_ascii=spaced).encode()
    parsed = parse(raw)

    assert parsed.faults == ()
    assert parsed.value == json.loads(raw)
    assert json.loads(to_json(parsed.value)) == json.loads(raw)


@given(
    raw=st.binary(max_size=60)
    | st.text(st.sampled_from('{}[]",:\\ud8a0eE+-.19NaIfinty\x00 '), max_size=60).map(str.encode)
)
@example(raw=b'{"a":' * 70 + b"1" + b"}" * 70)
@example(raw=b"[" * 100_000)
@example(raw=b'"' + b"[" * 5_000)
@example(raw=b"1" * 5_000)
@example(raw=b"-" + b"9" * 17 + b"e9999999")
@example(raw=b'{"\\ud800":{"\\udfff":NaN},"\\ud800":[1e999]}')
def test_any_bytes_are_read_or_refused_and_what_was_read_can_be_written(raw: bytes) -> None:
    """A2: only StrictJsonError comes out, and a value, however faulty, is safe to serialize."""
    try:
        parsed = parse(raw)
    except StrictJsonError as refused:
        event(refused.code)
        return
    assert isinstance(to_json(parsed.value), bytes)
    assert all(fault.pointer == well_formed(fault.pointer) for fault in parsed.faults)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"a":1,"a":2}', [("/a", "duplicate_key")]),
        ('{"a":1,"\\u0061":1}', [("/a", "duplicate_key")]),
        ('{"b":[{"x/y":1,"x/y":2,"z~":1,"z~":1}]}', [("/b/0/x~1y", "duplicate_key"), ("/b/0/z~0", "duplicate_key")]),
        ("[NaN,Infinity,-Infinity]", [("/0", "not_finite"), ("/1", "not_finite"), ("/2", "not_finite")]),
        ('{"n":1e400}', [("/n", "not_finite")]),
        ('{"n":-1E+309}', [("/n", "not_finite")]),
        ("9007199254740992", [("", "unsafe_integer")]),
        ('{"n":-9007199254740992}', [("/n", "unsafe_integer")]),
        ('{"n":12345678901234567890}', [("/n", "unsafe_integer")]),
        ('{"s":"\\ud83d end"}', [("/s", "lone_surrogate")]),
        ('{"s":["ok","\\ude00\\ud83d"]}', [("/s/1", "lone_surrogate")]),
        ('{"\\ud800":1}', [("/\ufffd", "lone_surrogate")]),
        ('{"a":{"b":NaN},"a":{"b":1e999}}', [("/a", "duplicate_key"), ("/a/b", "not_finite")]),
    ],
)
def test_what_parsers_disagree_about_is_marked_at_its_place(raw: str, expected: list[tuple[str, str]]) -> None:
    """A2: MP-122. Never a rounded number, never the last of two values in silence."""
    assert _faults(raw) == expected


def test_a_long_number_is_sent_in_quotes() -> None:
    """A2: MP-122. The digits are gone before anybody could round them back, so the answer says how to send them."""
    (fault,) = parse(b'{"id":1917043659912705296}').faults

    assert (fault.path, fault.code) == ("id", "unsafe_integer")
    assert "as a quoted string" in fault.expected
    assert parse(b'{"id":"1917043659912705296"}').value == {"id": "1917043659912705296"}


@pytest.mark.parametrize(
    "raw",
    [
        '{"n":9007199254740991,"m":-9007199254740991,"e":1e10,"f":0.1}',
        '{"s":"\\ud83d\\ude00","t":"\\\\ud800","u":"NaN"}',
        '{"a":{"b":1},"c":{"b":1}}',
        " \n\t[1]\r\n",
        '"' + "[" * 500 + '"',
    ],
)
def test_what_only_looks_odd_passes(raw: str) -> None:
    """A2: the largest safe integer, an emoji as a pair, a backslash before u, brackets in text."""
    parsed = parse(raw.encode())

    assert parsed.faults == ()
    assert parsed.value == json.loads(raw)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"\xef\xbb\xbf{}", "byte_order_mark"),
        ("{}".encode("utf-16"), "byte_order_mark"),
        (b'"\xff"', "not_utf8"),
        (b'"\xed\xa0\x80"', "not_utf8"),
        (b"", "syntax"),
        (b"{'a':1}", "syntax"),
        (b'{"a":1,}', "syntax"),
        (b'{"a":1} {}', "syntax"),
        (b'"\n"', "syntax"),
        (b"01", "syntax"),
        (b"nan", "syntax"),
    ],
)
def test_what_is_not_json_is_refused_with_a_code(raw: bytes, code: str) -> None:
    """A2: alike on every transport; the message repeats none of the bytes."""
    with pytest.raises(StrictJsonError) as caught:
        parse(raw)

    assert caught.value.code == code
    assert str(caught.value) == f"not acceptable JSON: {code}"


@given(shape=st.text(st.sampled_from("[{"), min_size=1, max_size=90))
def test_nesting_is_counted_exactly(shape: str) -> None:
    """B19: 64 is read and 65 is not, whatever it is nested in."""
    raw = "".join('{"a":' if bracket == "{" else "[" for bracket in shape) + "1"
    raw += "".join("}" if bracket == "{" else "]" for bracket in reversed(shape))

    if len(shape) <= MAX_DEPTH:
        assert parse(raw.encode()).faults == ()
    else:
        with pytest.raises(StrictJsonError, match="too_deep"):
            parse(raw.encode())


def test_many_brackets_side_by_side_are_not_deep() -> None:
    """B19: a list of two hundred lines is shallow."""
    assert parse(("[" + ",".join(['{"a":[]}'] * 200) + "]").encode()).faults == ()


def test_faulty_places_are_empty_in_the_value() -> None:
    """A2: a value with faults still shows its shape, so that a subject that stands elsewhere can be kept."""
    parsed = parse(b'{"id":"a","n":NaN,"s":"x\\ud800","d":{"k":1,"k":2}}')

    assert parsed.value == {"id": "a", "n": None, "s": "x\ufffd", "d": {"k": 2}}
    assert not math.isnan(parsed.value["n"] or 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ok \ud83d end", "ok \ufffd end"),
        ("pair \U0001f600 ok", "pair \U0001f600 ok"),
        ("pair \ud83d\ude00 ok", "pair \U0001f600 ok"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("plain", "plain"),
    ],
)
def test_lone_surrogates_are_replaced_and_pairs_joined(text: str, expected: str) -> None:
    """B3: MP-127. One half of an emoji in a result would end the session."""
    assert well_formed(text) == expected


def test_pointers_escape_what_separates_steps() -> None:
    """A2: RFC 6901."""
    assert pointer() == ""
    assert pointer("a/b", 0, "~c") == "/a~1b/0/~0c"
