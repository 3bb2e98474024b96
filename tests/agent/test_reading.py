"""What is read off an answer, whoever wrote it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.agent.reading import fault_of, is_conclusive, questions_of, state_of, text_of
from fourfold.model.fault import FaultDetail, Problem, Retry
from fourfold.model.listed import ToolAnswer

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("code", "retry", "next_step", "retry_after_ms", "problems", "operation_id", "reference")
FACTS = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, JSON))
RESULTS = st.fixed_dictionaries(
    {},
    optional={
        "isError": st.just(True) | JSON,
        "content": JSON | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": JSON})),
        "structuredContent": JSON,
        "_meta": JSON | st.fixed_dictionaries({"fourfold/fault": FACTS | JSON}),
        "inputRequests": JSON
        | st.dictionaries(st.text(max_size=3), st.fixed_dictionaries({"method": JSON, "params": JSON}), max_size=2),
        "requestState": JSON,
    },
)


@given(RESULTS)
def test_no_answer_is_too_strange_to_read(result: dict[str, Any]) -> None:
    """What has the wrong shape counts as not said, and a repeat needs a verb that was said."""
    answer = ToolAnswer(result=result)

    fault = fault_of(answer)

    assert (fault is not None) == (result.get("isError") is True)
    assert fault is None or fault.retry is Retry.NEVER or isinstance(result["_meta"], dict)
    assert isinstance(text_of(answer), str)
    assert isinstance(is_conclusive(answer), bool)
    assert isinstance(questions_of(answer), (tuple, type(None)))
    assert isinstance(state_of(answer), (str, type(None)))


def test_a_fault_is_read_whole() -> None:
    """Code, verb, next step, and the places to correct."""
    problem = {"pointer": "/lines/0/sku", "path": "lines.0.sku", "code": "pattern_mismatch", "expected": "AAA-0000"}
    facts = {"code": "invalid_arguments", "retry": "after_fix", "next_step": "Correct it", "problems": [problem, 3]}

    found = fault_of(_error("invalid_arguments: No.", facts))

    assert found == FaultDetail(
        code="invalid_arguments",
        retry=Retry.AFTER_FIX,
        message="invalid_arguments: No.",
        next_step="Correct it",
        problems=(Problem(pointer="/lines/0/sku", code="pattern_mismatch", expected="AAA-0000"),),
    )


@pytest.mark.parametrize(
    ("said", "read"), [(1_500, 1_500), (0, 0), (-1, None), (True, None), ("5", None), (10**400, 2**53)]
)
def test_a_wait_is_a_number_of_milliseconds_or_nothing(said: object, read: int | None) -> None:
    """A number too long for a float is one that nobody waits for."""
    found = fault_of(_error("too_busy: No.", {"code": "too_busy", "retry": "after", "retry_after_ms": said}))

    assert found is not None
    assert found.retry_after_ms == read


@pytest.mark.parametrize(
    ("meta", "conclusive"),
    [
        ({"fourfold/fault": {"code": "credit_limit"}}, True),
        ({"fourfold/fault": {"code": "rate_limited"}}, False),
        ({"fourfold/fault": {"code": "upstream_rejected"}, "fourfold/replayed": True}, True),
        ({}, False),
    ],
    ids=["domain", "framework", "replayed", "unlabelled"],
)
def test_only_some_faults_tell_what_became_of_an_earlier_request(meta: dict[str, Any], conclusive: bool) -> None:
    """That the second request is turned away says nothing about the first."""
    assert is_conclusive(ToolAnswer(result={"isError": True, "content": [], "_meta": meta})) is conclusive


def _error(text: str, facts: dict[str, Any]) -> ToolAnswer:
    meta = {"fourfold/fault": facts}
    return ToolAnswer(result={"isError": True, "content": [{"type": "text", "text": text}], "_meta": meta})
