"""Formats that wrap others: LangSmith and Langfuse; and the wire log of MCP, which has no conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fourfold.selection.digest import tools_digest
from tests.selection.imported import REFUND, SCHEMA, hindrances, import_records

FUNCTION: dict[str, Any] = {
    "type": "function",
    "function": {"name": "refund", "description": "Pay an invoice back.", "parameters": SCHEMA},
}
CALL: dict[str, Any] = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}
ASKED: dict[str, Any] = {"role": "user", "content": "Refund INV-7."}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
EXPECTED = {"decision": "call", "calls": [{"name": "refund", "args": {"id": {"eq": "INV-7"}}}]}
RUN: dict[str, Any] = {
    "id": "run-1",
    "trace_id": "trace-1",
    "run_type": "llm",
    "inputs": {"messages": [ASKED]},
    "outputs": {"choices": [{"message": CALLED, "finish_reason": "tool_calls"}]},
    "extra": {"invocation_params": {"tools": [FUNCTION]}},
}
GENERATION: dict[str, Any] = {
    "id": "obs-1",
    "traceId": "trace-1",
    "type": "GENERATION",
    "input": {"messages": [ASKED], "tools": [FUNCTION]},
    "output": CALLED,
}
TURN = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "refund", "input": {"id": "INV-7"}}]}


def _lc(kind: str, **facts: Any) -> dict[str, Any]:
    """A message as LangChain serializes it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": facts}


def _answered(message: dict[str, Any]) -> dict[str, Any]:
    return {"generations": [[{"text": "", "message": message}]]}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"outputs": {"messages": [CALLED]}},
        {"outputs": CALLED},
        {"inputs": {"messages": [ASKED], "tools": [FUNCTION]}, "extra": {}},
        {
            "inputs": {"messages": [[_lc("HumanMessage", content="Refund INV-7.")]]},
            "outputs": _answered(
                _lc("AIMessage", content="", tool_calls=[{"id": "c1", "name": "refund", "args": {"id": "INV-7"}}])
            ),
        },
        {
            "inputs": {"messages": [{"type": "human", "data": {"content": "Refund INV-7."}}]},
            "outputs": _answered(_lc("AIMessage", content="", additional_kwargs={"tool_calls": [CALL]})),
        },
    ],
)
def test_a_run_of_langsmith_is_a_case_in_every_form(changes: dict[str, Any]) -> None:
    """A8: OpenAI's words, or LangChain's messages."""
    (case,), _ = import_records({**RUN, **changes})

    assert case["source"] == {"format": "langsmith", "run": "run-1", "trace": "trace-1"}
    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)
    assert case["tools_ref"] == tools_digest([REFUND])


def test_langchain_messages_keep_results_and_leave_blocks_of_calls_out() -> None:
    """A8: Anthropic's calls stand among the content and in `tool_calls`."""
    call = {"id": "c1", "name": "refund", "args": {"id": "INV-7"}}
    said: list[Any] = [
        {"type": "text", "text": "One moment."},
        {"type": "tool_use", "id": "c1", "name": "refund", "input": {}},
    ]
    asked = [
        _lc("SystemMessage", content="You help."),
        _lc("HumanMessage", content="Refund INV-7."),
        _lc("AIMessage", content=said, tool_calls=[call]),
        _lc("ToolMessage", content="done", tool_call_id="c1"),
    ]

    (case,), _ = import_records(
        {**RUN, "inputs": {"messages": [asked]}, "outputs": _answered(_lc("AIMessage", content="It is done."))}
    )

    assert [message["role"] for message in case["messages"]] == ["system", "user", "assistant", "tool"]
    assert (case["messages"][2]["content"], case["messages"][3]["content"]) == ("One moment.", "done")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"outputs": None}, "no_content"),
        ({"inputs": {}}, "no_content"),
        ({"error": "RateLimitError"}, "failed"),
        ({"extra": None}, "no_schemas"),
        (
            {"outputs": {"generations": [[{"generation_info": {"finish_reason": "length"}, "message": CALLED}]]}},
            "truncated",
        ),
    ],
)
def test_a_run_without_what_is_needed_is_counted(changes: dict[str, Any], reason: str) -> None:
    """A8."""
    _, counted = import_records({**RUN, **changes})

    assert hindrances(counted) == {reason: (1, "line 1")}


@pytest.mark.parametrize("kind", ["chain", "tool", "retriever"])
def test_other_runs_are_no_decisions(kind: str) -> None:
    """A8: a chain holds what its model runs hold once more."""
    _, counted = import_records({**RUN, "run_type": kind})

    assert (counted.decisions, counted.hindered) == (0, {})


@pytest.mark.parametrize(
    "record",
    [
        GENERATION,
        {**GENERATION, "input": json.dumps(GENERATION["input"]), "output": json.dumps(CALLED)},
        {**GENERATION, "input": [ASKED], "modelParameters": {"tools": [FUNCTION]}},
        {**GENERATION, "input": [ASKED], "metadata": {"tools": json.dumps([FUNCTION])}},
        {**GENERATION, "output": {"choices": [{"message": CALLED}]}},
        {**GENERATION, "output": [CALLED]},
        {**GENERATION, "output": TURN},
        {"data": [GENERATION, {"type": "SPAN"}], "meta": {"page": 1}},
        {"id": "trace-1", "observations": [{"type": "EVENT"}, GENERATION]},
    ],
)
def test_an_observation_of_langfuse_is_a_case_in_every_form(record: dict[str, Any]) -> None:
    """A8: from its pages or its API, one or many, as values or as JSON text."""
    (case,), _ = import_records(record)

    assert case["source"] == {"format": "langfuse", "id": "obs-1", "trace_id": "trace-1"}
    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)
    assert case["tools_ref"] == tools_digest([REFUND])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"input": None}, "no_content"),
        ({"output": None}, "no_content"),
        ({"level": "ERROR"}, "failed"),
        ({"input": [ASKED]}, "no_schemas"),
    ],
)
def test_an_observation_without_what_is_needed_is_counted(changes: dict[str, Any], reason: str) -> None:
    """A8."""
    _, counted = import_records({**GENERATION, **changes})

    assert hindrances(counted) == {reason: (1, "line 1")}


def test_an_answer_in_words_is_a_decision_of_langfuse() -> None:
    """A8: a text that is no JSON is what was said."""
    (case,), _ = import_records({**GENERATION, "output": "Which invoice?"})

    assert case["expect"]["decision"] == ["ask", "abstain"]


def test_a_wire_log_of_mcp_has_no_conversation() -> None:
    """A8: each call is counted, what was listed and answered is not; with a wrapper or bare."""
    call: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "refund", "arguments": {}},
    }
    listed = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "refund", "inputSchema": SCHEMA}]}}

    cases, counted = import_records(
        {"ts": "2026-11-30T10:00:00Z", "dir": "s2c", "msg": listed},
        {"ts": "2026-11-30T10:00:01Z", "dir": "c2s", "msg": call},
        call,
    )

    assert (cases, counted.records["mcp"], counted.decisions) == ([], 3, 0)
    assert hindrances(counted) == {"no_conversation": (2, "line 2")}
