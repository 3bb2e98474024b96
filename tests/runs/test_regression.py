"""The text of a regression case, from a run and what was kept of it."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.errors import ConfigError
from fourfold.model.kept import KeptCall, KeptPart
from fourfold.runs.regression import regression_case
from tests.stores.records import run_at

REFUSED = run_at(1, outcome="rejected", code="credit_limit")


def kept(value: dict[str, Any], *, has_meta_key: bool = False, **losses: tuple[str, ...]) -> KeptCall:
    """A call with these arguments."""
    part = KeptPart(value=value, **losses)
    return KeptCall(arguments=part, result=None, scopes=("quotes:write",), has_meta_key=has_meta_key)


def arguments_in(text: str) -> object:
    """What stands as ARGUMENTS in a case."""
    return next(
        ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == "ARGUMENTS"
        and node.value
    )


def test_a_key_is_replaced_by_one_of_the_case() -> None:
    """D7: which one it was makes no difference; in the arguments, or beside them."""
    sent = {"pieces": 3, "idempotency_key": "[redacted]"}

    named = regression_case(REFUSED, target="shop:catalog", kept=kept(sent, redacted=("/idempotency_key",)))
    beside = regression_case(REFUSED, target="shop:catalog", kept=kept({"pieces": 3}, has_meta_key=True))

    assert (named.missing, arguments_in(named.text)) == ((), {"pieces": 3, "idempotency_key": "case-run-1"})
    assert 'kit.call("quote_create", ARGUMENTS, by=CALLER, key="case-run-1")' in beside.text


def test_a_key_that_may_be_what_was_refused_has_to_be_filled_in() -> None:
    """D7: one that is too short, say."""
    invalid = run_at(1, outcome="invalid", code="invalid_arguments")

    case = regression_case(
        invalid, target="shop:catalog", kept=kept({"idempotency_key": "[redacted]"}, redacted=("/idempotency_key",))
    )

    assert case.missing == ("/idempotency_key",)


def test_what_is_cut_has_to_be_filled_in() -> None:
    """D7: by its place; the root has none."""
    case = regression_case(REFUSED, target="shop:catalog", kept=kept({}, cut=("/lines", "")))

    assert case.missing == ("/lines, which is cut", "the rest of ARGUMENTS, which is cut")


def test_without_kept_arguments_the_case_is_an_example() -> None:
    """D7: as before anything was kept."""
    case = regression_case(REFUSED, target="shop:catalog")

    assert (case.file_name, case.missing) == (
        "test_quote_create_credit_limit.py",
        ("ARGUMENTS, which are an example",),
    )


@pytest.mark.parametrize(
    "target", ["shop", "shop:", ":catalog", "shop:cata log", "../shop:catalog", "a.b:c\nimport os"]
)
def test_what_is_no_catalog_makes_no_case(target: str) -> None:
    """D7: the text is code."""
    with pytest.raises(ConfigError, match="module:name"):
        regression_case(REFUSED, target=target)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outcome": "done", "code": ""}, "only a refusal or a failure"),
        ({"outcome": "refused", "code": "unknown_tool", "tool": 'x")\nimport os #'}, "no tool that there could be"),
    ],
)
def test_what_makes_no_case_is_refused(changes: dict[str, str], message: str) -> None:
    """D7: a success; a name that a client made up, which would be code."""
    with pytest.raises(ConfigError, match=message):
        regression_case(run_at(1, **changes), target="shop:catalog")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(value=st.dictionaries(st.text(), JSON, max_size=4), name=st.text(), scope=st.text())
def test_whatever_was_sent_the_case_is_code_with_the_same_arguments(
    value: dict[str, Any], name: str, scope: str
) -> None:
    """D7: quotes, line breaks and whatever else is in texts and names stay data."""
    part = KeptPart(value=value, left_out=(f"/{name}",), redacted=(f"/{name}",))
    call = KeptCall(arguments=part, result=None, scopes=(scope,), has_meta_key=False)

    case = regression_case(run_at(1, outcome="failed", code="internal"), target="shop:catalog", kept=call)

    expected = value if "idempotency_key" not in value else {**value, "idempotency_key": "case-run-1"}
    assert arguments_in(case.text) == expected
    assert [type(node).__name__ for node in ast.parse(case.text).body].count("FunctionDef") == 1
