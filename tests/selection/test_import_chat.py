"""Chat records: OpenAI's and Anthropic's, as request with response or as whole conversations."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest

from fourfold.selection.digest import tools_digest
from fourfold.selection.recording import CaseWriter
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from tests.selection.imported import REFUND, SCHEMA, hindrances, import_records

FUNCTION: dict[str, Any] = {
    "type": "function",
    "function": {"name": "refund", "description": "Pay an invoice back.", "parameters": SCHEMA},
}
CALL: dict[str, Any] = {
    "id": "c1",
    "type": "function",
    "function": {"name": "refund", "arguments": '{"id": "INV-7"}'},
}
ASKED: dict[str, Any] = {"role": "user", "content": "Refund INV-7."}
CALLED: dict[str, Any] = {"role": "assistant", "tool_calls": [CALL]}
OPENAI: dict[str, Any] = {"model": "m", "tools": [FUNCTION], "messages": [ASKED], "response": CALLED}
ANTHROPIC: dict[str, Any] = {
    "model": "m",
    "system": "You help.",
    "tools": [{"name": "refund", "description": "Pay an invoice back.", "input_schema": SCHEMA}],
    "messages": [ASKED],
    "response": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "refund", "input": {"id": "INV-7"}}],
        "stop_reason": "tool_use",
    },
}
EXPECTED = {"decision": "call", "calls": [{"name": "refund", "args": {"id": {"eq": "INV-7"}}}]}


def _completion(message: dict[str, Any], ended: str = "stop") -> dict[str, Any]:
    return {"id": "chatcmpl-1", "choices": [{"message": message, "finish_reason": ended}]}


def test_an_openai_request_and_its_response_are_a_case() -> None:
    """A8: the conversation, what was chosen, the digest of the tools; nobody has reviewed it."""
    (case,), counted = import_records(OPENAI)

    assert case.pop("id").startswith("imported-")
    assert case == {
        "class": "positive",
        "split": "holdout",
        "source": {"format": "openai"},
        "tools_ref": tools_digest([REFUND]),
        "messages": [ASKED],
        "expect": EXPECTED,
    }
    assert (counted.decisions, counted.cases, counted.hindered) == (1, 1, {})


def test_what_was_recorded_live_is_the_same_case_when_it_is_imported() -> None:
    """A8: one decision has one id, in whichever words it passed and however it comes to the suite."""
    out = StringIO()
    writer = CaseWriter(out=out)
    asked = {key: OPENAI[key] for key in ("model", "tools", "messages")}
    turns = {key: ANTHROPIC[key] for key in ("model", "tools", "messages")}
    writer.keep(OPENAI_CHAT, asked, _completion(CALLED, "tool_calls"))
    writer.keep(ANTHROPIC_MESSAGES, turns, ANTHROPIC["response"])

    imported = [import_records(record)[0] for record in (OPENAI, ANTHROPIC)]

    (live,) = (json.loads(line) for line in out.getvalue().splitlines())
    assert writer.again == 1
    assert {case["id"] for (case,) in imported} == {live["id"]}


@pytest.mark.parametrize(
    "record",
    [
        {"request": {"tools": [FUNCTION], "messages": [ASKED]}, "response": _completion(CALLED)},
        {"tools": [FUNCTION], "messages": [ASKED], **_completion(CALLED, "tool_calls")},
        {"body": {"tools": [FUNCTION], "messages": [ASKED]}, "response": {"body": _completion(CALLED)}},
        {"tools": [FUNCTION], "messages": [ASKED, CALLED]},
        {"functions": [FUNCTION["function"]], "messages": [ASKED, CALLED]},
    ],
)
def test_the_parts_of_an_openai_record_may_stand_elsewhere(record: dict[str, Any]) -> None:
    """A8: as proxies, batch files and files for tuning keep them."""
    (case,), _ = import_records(record)

    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)


def test_an_anthropic_request_and_its_response_are_a_case() -> None:
    """A8: in the words of chat messages, with the id of the answer."""
    (case,), _ = import_records(ANTHROPIC)

    assert case["source"] == {"format": "anthropic", "id": "msg_1"}
    assert case["messages"] == [{"role": "system", "content": "You help."}, ASKED]
    assert (case["tools_ref"], case["expect"]) == (tools_digest([REFUND]), EXPECTED)


def test_each_answer_in_a_conversation_is_a_decision() -> None:
    """A8: the first one calls, the second one says something, which may be right as a question or as a refusal."""
    done = {"role": "tool", "tool_call_id": "c1", "content": "done"}
    said = {"role": "assistant", "content": "It is on its way."}

    (first, second), _ = import_records({"tools": [FUNCTION], "messages": [ASKED, CALLED, done, said]})

    assert (first["source"]["message"], first["expect"]) == (1, EXPECTED)
    assert (second["source"]["message"], second["expect"]) == (3, {"decision": ["ask", "abstain"], "calls": []})
    assert second["messages"] == [ASKED, {**CALLED, "content": None}, done]


def test_an_anthropic_conversation_keeps_calls_with_their_results() -> None:
    """A8: blocks become messages."""
    use = {"type": "tool_use", "id": "t1", "name": "refund", "input": {"id": "INV-7"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "done"}]}
    turns = [ASKED, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]

    cases, _ = import_records({**ANTHROPIC, "messages": turns})

    assert cases[0]["messages"][2:] == [
        {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": "t1"}]},
        {"role": "tool", "content": "done", "tool_call_id": "t1"},
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tools": []}, "no_schemas"),
        ({"tools": [{"type": "function", "function": {"name": "refund"}}]}, "no_schemas"),
        ({"response": _completion(CALLED, "length")}, "truncated"),
        ({"response": {"error": {"message": "overloaded"}}}, "failed"),
        ({"response": _completion({"role": "assistant", "refusal": "I won't."})}, "failed"),
        ({"response": {}}, "no_decision"),
        ({"response": {"role": "assistant", "content": ""}}, "no_decision"),
        ({"messages": []}, "no_conversation"),
        ({"messages": [{"role": "system", "content": "You help."}]}, "no_conversation"),
        ({"messages": [{"role": "robot", "content": "hi"}]}, "unknown_role"),
        ({"messages": [{"content": "hi"}]}, "unknown_role"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, "media"),
        ({"messages": [{"role": "user", "content": 7}]}, "media"),
        ({"messages": [ASKED, CALLED, ASKED]}, "no_result"),
        ({"messages": [ASKED, CALLED]}, "no_result"),
        ({"messages": [{"role": "tool", "tool_call_id": "c9", "content": "x"}, ASKED]}, "no_conversation"),
        ({"messages": [ASKED] * 2_001}, "too_long"),
        ({"messages": [{"role": "user", "content": "long " * 220_000}]}, "too_long"),
        ({"response": {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom"}]}}, "unknown_tool"),
        (
            {"response": {"tool_calls": [{"function": {"name": "send", "arguments": "{}"}}]}},
            "unknown_tool",
        ),
        (
            {"response": {"tool_calls": [{"function": {"name": "refund", "arguments": '{"id": '}}]}},
            "bad_arguments",
        ),
        (
            {
                "response": {
                    "tool_calls": [{"function": {"name": "refund", "arguments": '{"id": 12345678901234567890}'}}]
                }
            },
            "bad_arguments",
        ),
        (
            {"response": {"tool_calls": [{"function": {"name": "refund", "arguments": "[1]"}}]}},
            "bad_arguments",
        ),
        (
            {"response": {"tool_calls": [{"function": {"name": "refund", "arguments": '{"id": 1, "id": 2}'}}]}},
            "bad_arguments",
        ),
    ],
)
def test_what_cannot_be_replayed_is_counted_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    """A8: and with the line of the first example."""
    cases, counted = import_records(OPENAI, {**OPENAI, **changes})

    assert len(cases) == 1
    assert hindrances(counted) == {reason: (1, "line 2")}


def test_a_request_without_an_answer_holds_no_decision() -> None:
    """A8."""
    _, counted = import_records({"tools": [FUNCTION], "messages": [ASKED]})

    assert hindrances(counted) == {"no_decision": (1, "line 1")}


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}],
        [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "document"}]}],
    ],
)
def test_a_picture_is_not_left_out_of_an_anthropic_conversation(content: list[Any]) -> None:
    """A8: what was decided may hang on it, so that there is no case."""
    cases, counted = import_records({**ANTHROPIC, "messages": [{"role": "user", "content": content}]})

    assert cases == []
    assert hindrances(counted) == {"media": (1, "line 1")}


def test_tools_that_a_record_does_not_tell_of_are_those_of_the_target() -> None:
    """A8: the record's own win where it has them; a name that a client has prefixed is the tool's."""
    called = {"tool_calls": [{"function": {"name": "mcp__pay__refund", "arguments": '{"id": "INV-7"}'}}]}

    (case,), _ = import_records({"messages": [ASKED], "response": called}, tools=[REFUND])

    assert (case["tools_ref"], case["expect"]) == (tools_digest([REFUND]), EXPECTED)


def test_secrets_and_addresses_are_replaced_and_ids_stay() -> None:
    """A8: in what was said and in arguments; the same address is the same stand-in, and stays an address."""
    said = "Key sk-abcdefghijklmnop, mail Ada@x.org or bob@x.org, invoice INV-7. Again: ada@x.org"
    arguments = '{"id": "INV-7", "to": "ada@x.org", "token": 12345, "key": "sk-abcdefghijklmnop"}'
    called = {"tool_calls": [{"function": {"name": "refund", "arguments": arguments}}]}

    (case,), _ = import_records({**OPENAI, "messages": [{"role": "user", "content": said}], "response": called})

    assert case["messages"][0]["content"] == (
        "Key [redacted], mail person1@example.com or person2@example.com, invoice INV-7. Again: person1@example.com"
    )
    assert case["expect"]["calls"][0]["args"] == {
        "id": {"eq": "INV-7"},
        "to": {"eq": "person1@example.com"},
        "token": {"any": True},
        "key": {"any": True},
    }


def test_arguments_in_the_conversation_stay_json_when_secrets_are_taken_out() -> None:
    """A8: a masked value in its quotes."""
    call = {"id": "c", "function": {"name": "refund", "arguments": '{"id": "INV-7", "password": "hunter2"}'}}
    messages = [ASKED, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "content": "done"}]

    (case,), _ = import_records({**OPENAI, "messages": messages})

    kept = case["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert kept == '{"id": "INV-7", "password": "[redacted]"}'


def test_the_same_decision_is_one_case() -> None:
    """A8: same tools, same last words of the user, same calls; another call makes another case."""
    other = {"tool_calls": [{"function": {"name": "refund", "arguments": '{"id": "INV-8"}'}}]}
    greeted = [{"role": "system", "content": "Hello."}, ASKED]

    cases, counted = import_records(OPENAI, {**OPENAI, "messages": greeted}, {**OPENAI, "response": other})

    assert [case["expect"]["calls"][0]["args"]["id"]["eq"] for case in cases] == ["INV-7", "INV-8"]
    assert (counted.decisions, counted.duplicates) == (3, 1)


def test_tools_in_another_order_are_the_same_tools() -> None:
    """A8: the digest is over the sorted list, whoever's form it is in."""
    other = {"name": "find", "description": "Find.", "parameters": SCHEMA}

    one, two = ({**OPENAI, "tools": tools} for tools in ([FUNCTION, other], [other, FUNCTION]))
    cases, counted = import_records(one, two)

    assert (len(cases), counted.duplicates) == (1, 1)
