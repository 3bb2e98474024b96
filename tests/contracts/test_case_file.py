"""The file of a suite: what is read is what was written, and what is wrong is named by line and place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.contracts.case_file import case_line, case_schema, read_cases
from fourfold.errors import ConfigError
from fourfold.model.case import CASE_CLASSES, Case, EndState, Expectation, ExpectedCall, Matcher

LINE: dict[str, Any] = {
    "id": "refund-007",
    "class": "near_neighbour",
    "messages": [{"role": "user", "content": "Refund invoice INV-7."}],
    "expect": {"decision": "call", "calls": [{"name": "refund", "args": {"id": {"eq": "INV-7"}}}]},
}
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
NAMES = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
MATCHERS = st.one_of(
    st.builds(
        Matcher, kind=st.just("eq"), value=WORDS | st.integers(-(2**53) + 1, 2**53 - 1) | st.none() | st.booleans()
    ),
    st.builds(Matcher, kind=st.just("date"), value=st.dates().map(lambda day: day.isoformat())),
    st.just(Matcher(kind="decimal", value="10.00", currency="EUR")),
    st.builds(
        Matcher, kind=st.sampled_from(["set", "one_of", "absent_or"]), value=st.lists(WORDS, min_size=1).map(tuple)
    ),
    st.just(Matcher(kind="any", value=True)),
)
ITEMS = st.builds(
    Matcher,
    kind=st.just("items"),
    value=st.lists(st.dictionaries(WORDS, MATCHERS, max_size=2), max_size=2).map(tuple),
)
CALLS = st.lists(
    st.builds(ExpectedCall, name=NAMES, args=st.dictionaries(NAMES, MATCHERS | ITEMS, max_size=3)),
    min_size=1,
    max_size=3,
)
STATES = st.builds(
    EndState,
    read=NAMES,
    args=st.dictionaries(NAMES, WORDS, max_size=2),
    holds=st.dictionaries(NAMES.map(lambda name: f"/{name}/0"), MATCHERS, min_size=1, max_size=2),
)
CASES = st.builds(
    Case,
    id=NAMES,
    case_class=st.sampled_from(sorted(CASE_CLASSES)),
    messages=st.lists(st.fixed_dictionaries({"role": st.just("user"), "content": WORDS}), min_size=1).map(tuple),
    expect=st.builds(
        Expectation,
        decisions=st.just(("call",)),
        calls=CALLS.map(tuple),
        order=st.sampled_from(["any", "as_listed"]),
        extra_calls=st.sampled_from(["fail", "allow"]),
        state=st.lists(STATES, max_size=2).map(tuple),
    ),
    task_type=WORDS,
    labels=st.lists(NAMES, max_size=3).map(tuple),
    split=st.sampled_from(["tune", "holdout"]),
    must_pass=st.booleans(),
    reviewed=st.booleans(),
    note=WORDS,
)


def _error(*lines: bytes) -> str:
    with pytest.raises(ConfigError) as error:
        list(read_cases(lines, name="suite.jsonl"))
    return str(error.value)


def _with(**changes: Any) -> bytes:
    return json.dumps({**LINE, **changes}).encode()


def _matching(matcher: dict[str, Any]) -> bytes:
    return _with(expect={"decision": "call", "calls": [{"name": "refund", "args": {"id": matcher}}]})


@given(CASES)
def test_a_case_is_read_as_it_was_written(case: Case) -> None:
    """A8: every field."""
    assert [*read_cases([case_line(case).encode()], name="x")] == [case]


def test_an_empty_line_is_no_case() -> None:
    """A8."""
    assert [case.id for case in read_cases([b"\n", _with(), b"  \n"], name="x")] == ["refund-007"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "line 2: is no JSON"),
        (b"[1]", "line 2: Input should be"),
        (b'{"id": "a", "id": "b"}', "line 2 at /id: duplicate key"),
        (b'{"id": 1e999}', "line 2 at /id: not finite"),
        (b"\xff", "line 2: is no JSON"),
        (_with(id=""), "line 2 at /id: "),
        (_with(**{"class": "hard"}), "line 2 at /class: Input should be 'positive'"),
        (_with(messages=[]), "line 2 at /messages: "),
        (_with(messages=[{"role": "robot"}]), "line 2 at /messages/0/role: "),
        (_with(extra=1), "line 2 at /extra: Extra inputs are not permitted"),
        (_with(tools_ref="md5:1"), "line 2 at /tools_ref: "),
        (_with(expect={"decision": "call"}), "line 2 at /expect: calls stand where the decision may be a call"),
        (
            _with(expect={"decision": "abstain", "calls": [{"name": "refund"}]}),
            "line 2 at /expect: calls stand where the decision may be a call",
        ),
        (
            _with(expect={"decision": "call", "calls": [{"name": "a"}], "forbid": [{"name": "a"}]}),
            "line 2 at /expect: a is both expected and forbidden",
        ),
        (_matching({}), "line 2 at /expect/calls/0/args/id: a matcher is exactly one of eq, date"),
        (_matching({"eq": 1, "any": True}), "line 2 at /expect/calls/0/args/id: a matcher is exactly one of"),
        (_matching({"eq": 1, "currency": "EUR"}), "line 2 at /expect/calls/0/args/id: currency stands beside decimal"),
        (_matching({"decimal": 10}), "line 2 at /expect/calls/0/args/id/decimal: "),
        (_matching({"date": "5 January"}), "line 2 at /expect/calls/0/args/id/date: "),
        (
            _with(messages=[{"role": "user", "content": "my key is sk-abcdefghijklmnop"}]),
            "line 2 at /messages/0/content: looks like a credential; put `[redacted]` there",
        ),
        (_matching({"eq": "Bearer abcdefgh"}), "line 2 at /expect/calls/0/args/id/eq: looks like a credential"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_place(line: bytes, said: str) -> None:
    """A8: before any model is asked."""
    assert _error(_with(id="first"), line).startswith(f"suite.jsonl, {said}")


def test_two_cases_have_two_ids() -> None:
    """A8."""
    assert _error(_with(), _with()) == "suite.jsonl, line 2 at /id: 'refund-007' is the id of line 1, too"


def test_a_huge_line_is_refused_before_it_is_read() -> None:
    """A8."""
    assert _error(b'{"id": "' + b"a" * 2**20 + b'"}') == "suite.jsonl, line 1: has more than 1 MiB"


def _told(line: bytes) -> str:
    try:
        return f"x, line 1: {len([*read_cases([line], name='x')])} cases"
    except ConfigError as error:
        return str(error)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(line: bytes) -> None:
    """A8: an error that names the line, or nothing."""
    assert _told(line).startswith("x, line 1")


def test_the_schema_is_of_the_form_that_is_read() -> None:
    """A8: an independent validator takes a line that the reader takes."""
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(dict(case_schema()))
    assert validator.is_valid(LINE)
    assert not validator.is_valid({**LINE, "class": "hard"})
