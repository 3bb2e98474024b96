"""Transcripts of Claude Code: lines that hang together by their ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.selection.imported import REFUND, hindrances, import_lines, import_records

ASKED = {"role": "user", "content": "Refund INV-7."}


def _line(uuid: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": content, **more.pop("message", {})}
    return {"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message, **more}


def _use(call: str, invoice: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": "mcp__pay__refund", "input": {"id": invoice}}


def _result(call: str, said: str) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call, "content": said}]


def _of_message(name: str, **more: Any) -> dict[str, Any]:
    return {"message": {"id": name, **more}}


def _invoices(case: dict[str, Any]) -> list[str]:
    return [call["args"]["id"]["eq"] for call in case["expect"]["calls"]]


def test_lines_of_one_answer_are_one_decision() -> None:
    """A8: text and calls come in lines of their own, and results of the first between them."""
    cases, counted = import_records(
        {"type": "summary", "summary": "A refund", "leafUuid": "u"},
        _line("u", None, "user", "Refund INV-7 and INV-8."),
        _line("a", "u", "assistant", [{"type": "thinking", "thinking": "Two."}], **_of_message("m")),
        _line("b", "a", "assistant", [_use("t1", "INV-7")], **_of_message("m")),
        _line("c", "b", "user", _result("t1", "done")),
        _line("d", "b", "assistant", [_use("t2", "INV-8")], **_of_message("m", stop_reason="tool_use")),
        tools=[REFUND],
    )

    (case,) = cases
    assert _invoices(case) == ["INV-7", "INV-8"]
    assert case["source"] == {"format": "claude-code", "session": "s", "uuid": "a"}
    assert case["messages"] == [{"role": "user", "content": "Refund INV-7 and INV-8."}]
    assert (counted.decisions, counted.hindered) == (1, {})


def test_results_on_different_branches_stand_after_their_answer() -> None:
    """A8: the line after the second result knows the first one, too."""
    cases, _ = import_records(
        _line("u", None, "user", "Refund INV-7 and INV-8."),
        _line("b", "u", "assistant", [_use("t1", "INV-7")], **_of_message("m")),
        _line("d", "b", "assistant", [_use("t2", "INV-8")], **_of_message("m")),
        _line("r1", "b", "user", _result("t1", "done 7")),
        _line("r2", "d", "user", _result("t2", "done 8")),
        _line("e", "r2", "assistant", [{"type": "text", "text": "Both are done."}], **_of_message("n")),
        tools=[REFUND],
    )

    assert [case["expect"]["decision"] for case in cases] == ["call", ["ask", "abstain"]]
    assert [message.get("content") for message in cases[1]["messages"][2:]] == ["done 7", "done 8"]
    names = [call["function"]["name"] for call in cases[1]["messages"][1]["tool_calls"]]
    assert names == ["refund", "refund"]


def test_a_result_says_that_it_is_an_error() -> None:
    """A8, B14: what a model does then is counted apart."""
    failed = [{**_result("t1", "Refused.")[0], "is_error": True}]
    cases, _ = import_records(
        _line("u", None, "user", "Refund INV-7."),
        _line("a", "u", "assistant", [_use("t1", "INV-7")]),
        _line("r", "a", "user", failed),
        _line("b", "r", "assistant", "It was refused."),
        tools=[REFUND],
    )

    assert cases[1]["messages"][-1] == {"role": "tool", "content": "Refused.", "tool_call_id": "t1", "is_error": True}


def test_an_answer_that_was_taken_back_is_not_in_the_conversation() -> None:
    """A8: only the lines that lead to a decision are in it."""
    cases, _ = import_records(
        _line("u", None, "user", "Hi."),
        _line("a", "u", "assistant", [_use("t1", "INV-6")]),
        _line("v", None, "user", "Refund INV-7."),
        _line("b", "v", "assistant", [_use("t2", "INV-7")]),
        tools=[REFUND],
    )

    assert [(case["messages"], _invoices(case)) for case in cases] == [
        ([{"role": "user", "content": "Hi."}], ["INV-6"]),
        ([ASKED], ["INV-7"]),
    ]


def test_agents_beside_each_other_are_kept_apart() -> None:
    """A8: their lines are mixed in the file."""
    cases, _ = import_records(
        _line("u", None, "user", "Refund INV-7."),
        _line("v", None, "user", "Refund INV-8.", isSidechain=True, agentId="x"),
        _line("a", "u", "assistant", [_use("t1", "INV-7")], **_of_message("m")),
        _line("b", "v", "assistant", [_use("t2", "INV-8")], isSidechain=True, agentId="x", **_of_message("n")),
        tools=[REFUND],
    )

    assert [(case["messages"][0]["content"], _invoices(case)) for case in cases] == [
        ("Refund INV-7.", ["INV-7"]),
        ("Refund INV-8.", ["INV-8"]),
    ]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([_line("a", "gone", "assistant", [_use("t", "INV-7")])], "truncated"),
        ([_line("a", None, "assistant", [_use("t", "INV-7")])], "no_conversation"),
        ([_line("u", "u", "user", "Hi."), _line("a", "u", "assistant", [_use("t", "INV-7")])], "too_long"),
        ([_line("a", None, "assistant", "API Error", isApiErrorMessage=True)], "failed"),
        (
            [
                _line("u", None, "user", "Hi."),
                _line("a", "u", "assistant", [_use("t", "INV-7")], **_of_message("m", stop_reason="max_tokens")),
            ],
            "truncated",
        ),
        (
            [
                _line("u", None, "user", [{"type": "image", "source": {"type": "base64", "data": "aGk="}}]),
                _line("a", "u", "assistant", [_use("t", "INV-7")]),
            ],
            "media",
        ),
        (
            [
                _line("u", None, "user", "Hi."),
                _line("a", "u", "assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]),
            ],
            "unknown_tool",
        ),
    ],
)
def test_a_line_that_makes_no_case_is_counted(lines: list[dict[str, Any]], reason: str) -> None:
    """A8: with the first line of the answer."""
    cases, counted = import_records(*lines, tools=[REFUND])

    assert cases == []
    assert hindrances(counted) == {reason: (1, f"line {len(lines)}")}


def test_a_transcript_needs_the_tools_of_somebody_else() -> None:
    """A8: it never tells of them."""
    _, counted = import_records(
        _line("u", None, "user", "Refund INV-7."), _line("a", "u", "assistant", [_use("t", "INV-7")])
    )

    assert hindrances(counted) == {"no_schemas": (1, "line 2")}


def test_a_conversation_of_more_than_two_thousand_lines_is_no_case() -> None:
    """A8: memory has a bound, and so has a case."""

    def lines() -> Iterator[bytes]:
        yield json.dumps(_line("0", None, "user", "Refund INV-7.")).encode()
        for at in range(1, 6_000):
            yield json.dumps(_line(str(at), str(at - 1), "user", "And?")).encode()
            if at in (10, 3_000, 5_900):
                yield json.dumps(_line(f"a{at}", str(at), "assistant", [_use("t", f"INV-{at}")])).encode()

    cases, counted = import_lines(lines(), tools=[REFUND])

    assert [_invoices(case) for case in cases] == [["INV-10"]]
    assert {reason: each.count for reason, each in counted.hindered.items()} == {"too_long": 2}
