"""The eight matchers: what is the same, and what only looks like it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.case import Matcher
from fourfold.selection.match import ABSENT, matches, same

NUMBERS = st.integers() | st.floats(allow_nan=False)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


MATCHED: list[tuple[Matcher, list[object], list[object]]] = [
    (Matcher(kind="eq", value="INV-7"), ["INV-7"], ["inv-7", "INV-07", " INV-7", ["INV-7"], None, ABSENT]),
    (Matcher(kind="eq", value=7), [7, 7.0], ["7", 7.5, True, ABSENT]),
    (Matcher(kind="eq", value=1), [1], [True]),
    (Matcher(kind="eq", value=True), [True], [1, "true"]),
    (Matcher(kind="eq", value=None), [None], [0, "", ABSENT]),
    (Matcher(kind="eq", value={"a": [1, {"b": 2}]}), [{"a": [1.0, {"b": 2}]}], [{"a": [{"b": 2}, 1]}, {"a": [1]}]),
    (Matcher(kind="date", value="2026-01-05"), ["2026-01-05", "20260105", "2026-01-05T23:30:00Z"], ["2026-01-06"]),
    (
        Matcher(kind="date", value="2026-01-05T12:00:00+00:00"),
        ["2026-01-05T13:00:00+01:00", "2026-01-05T12:00:00Z"],
        ["2026-01-05T12:00:00+01:00", "2026-01-05", "noon", 20260105],
    ),
    (Matcher(kind="decimal", value="10.00"), [10, 10.0, "10", "10.00"], ["10.001", "ten", True, "NaN", None]),
    (
        Matcher(kind="decimal", value="10.00", currency="EUR"),
        [{"amount": "10", "currency": "EUR"}, "EUR 10.00", "10 EUR", {"value": 10, "currency": "EUR"}],
        [10, "10.00", {"amount": "10", "currency": "USD"}, {"amount": "10"}, "USD 10.00", {"currency": "EUR"}],
    ),
    (Matcher(kind="set", value=("a", "b")), [["a", "b"], ["b", "a"]], [["a"], ["a", "b", "b"], "ab", ["A", "b"]]),
    (Matcher(kind="set", value=(1, 1, 2)), [[1, 2, 1]], [[1, 2, 2], [1, 2]]),
    (Matcher(kind="one_of", value=("EUR", 3)), ["EUR", 3], ["USD", "3", ABSENT]),
    (Matcher(kind="any", value=True), [0, "", None, []], [ABSENT]),
    (Matcher(kind="absent_or", value=(1,)), [ABSENT, 1], [2, None]),
    (
        Matcher(
            kind="items",
            value=(
                {"sku": Matcher(kind="eq", value="A"), "note": Matcher(kind="any")},
                {"sku": Matcher(kind="eq", value="B"), "base": Matcher(kind="absent_or", value=(1,))},
            ),
        ),
        [[{"sku": "A", "note": "x"}, {"sku": "B"}], [{"sku": "A", "note": None}, {"sku": "B", "base": 1}]],
        [
            [{"sku": "A"}, {"sku": "B"}],
            [{"sku": "A", "note": "x"}],
            [{"sku": "B"}, {"sku": "A", "note": "x"}],
            [{"sku": "A", "note": "x"}, {"sku": "B", "price": 1}],
            [{"sku": "A", "note": "x"}, "B"],
            {"sku": "A"},
            ABSENT,
        ],
    ),
    (Matcher(kind="items", value=()), [[]], [[{}], None]),
]


@pytest.mark.parametrize(("matcher", "right", "wrong"), MATCHED)
def test_an_argument_is_right_or_it_is_not(matcher: Matcher, right: list[object], wrong: list[object]) -> None:
    """A8, B14: ids, dates, money and sets, each by its own idea of the same."""
    assert [value for value in right if not matches(matcher, value)] == []
    assert [value for value in wrong if matches(matcher, value)] == []


@given(JSON)
def test_a_value_is_the_same_as_itself_after_a_round_trip(value: object) -> None:
    """A8."""
    assert same(value, json.loads(json.dumps(value)))


@given(JSON, JSON)
def test_being_the_same_has_no_direction(one: object, other: object) -> None:
    """A8."""
    assert same(one, other) is same(other, one)


@given(JSON, st.sampled_from(["date", "decimal", "set", "one_of", "absent_or", "eq"]))
def test_no_value_breaks_a_matcher(value: object, kind: Any) -> None:
    """A8: a model may send anything."""
    expected = {"date": "2026-01-05", "decimal": "1.5", "eq": "x"}.get(kind, ("x",))
    assert matches(Matcher(kind=kind, value=expected), value) in {True, False}
