"""Traces: OpenTelemetry GenAI in each of its forms, and OpenInference."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from fourfold.selection.digest import tools_digest
from tests.selection.imported import REFUND, SCHEMA, hindrances, import_records

TOOL: dict[str, Any] = {
    "type": "function",
    "name": "refund",
    "description": "Pay an invoice back.",
    "parameters": SCHEMA,
}
CALL: dict[str, Any] = {"type": "tool_call", "id": "c1", "name": "refund", "arguments": {"id": "INV-7"}}
OUTPUT: list[Any] = [{"role": "assistant", "parts": [CALL], "finish_reason": "tool_call"}]
INPUT: list[Any] = [{"role": "user", "parts": [{"type": "text", "content": "Refund INV-7."}]}]
CHAT: dict[str, Any] = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": json.dumps(INPUT),
    "gen_ai.output.messages": json.dumps(OUTPUT),
    "gen_ai.tool.definitions": json.dumps([TOOL]),
}
ASKED = {"role": "user", "content": "Refund INV-7."}
EXPECTED = {"decision": "call", "calls": [{"name": "refund", "args": {"id": {"eq": "INV-7"}}}]}
LLM: dict[str, Any] = {
    "openinference.span.kind": "LLM",
    "llm.tools.0.tool.json_schema": json.dumps({"type": "function", "function": TOOL}),
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "Refund INV-7.",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "refund",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"id": "INV-7"}',
}


def _any_value(value: Any) -> dict[str, Any]:
    match value:
        case str():
            return {"stringValue": value}
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case list():
            return {"arrayValue": {"values": [_any_value(each) for each in cast("list[Any]", value)]}}
        case _:
            return {"kvlistValue": {"values": _attributes(value)}}


def _attributes(facts: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _any_value(value)} for key, value in facts.items()]


def _otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    listed = [
        {"traceId": "t1", "spanId": f"s{at}", "startTimeUnixNano": 1764500000000000001, "attributes": _attributes(span)}
        for at, span in enumerate(spans)
    ]
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": listed}]}]}


def _logs(*records: dict[str, Any]) -> dict[str, Any]:
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": [*records]}]}]}


def _event(name: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"traceId": "t1", "spanId": "s1", "eventName": name, "body": _any_value(body)}


@pytest.mark.parametrize(
    "record",
    [
        {"name": "chat m", "attributes": CHAT},
        CHAT,
        _otlp(CHAT),
        _otlp({**CHAT, "gen_ai.input.messages": INPUT, "gen_ai.output.messages": OUTPUT}),
        _logs({"traceId": "t1", "attributes": _attributes(CHAT)}),
        _logs({"eventName": "gen_ai.client.inference.operation.details", "attributes": _attributes(CHAT)}),
    ],
)
def test_a_span_with_messages_is_a_case_in_every_form(record: dict[str, Any]) -> None:
    """A8: flat or OTLP, as JSON text or as values, as a span or as a log record."""
    (case,), _ = import_records(record)

    assert case["source"]["format"] == "otel"
    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)
    assert case["tools_ref"] == tools_digest([REFUND])


def test_a_case_names_its_trace_and_its_span() -> None:
    """A8: long times in nanoseconds don't make the record unreadable."""
    (case,), _ = import_records(_otlp({"gen_ai.operation.name": "execute_tool"}, CHAT))

    assert case["source"] == {"format": "otel", "trace": "t1", "span": "s1"}


@pytest.mark.parametrize("name", ["response", "result"])
def test_a_result_is_read_under_both_names(name: str) -> None:
    """A8: the schema of the conventions says `response`, their examples say `result`."""
    parts = [{"type": "tool_call_response", "id": "c1", name: {"state": "paid"}}]
    reasoned = {"type": "reasoning", "content": "Let me see."}
    asked = [*INPUT, {"role": "assistant", "parts": [reasoned, CALL]}, {"role": "tool", "parts": parts}]

    (case,), _ = import_records({**CHAT, "gen_ai.input.messages": asked})

    assert case["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"id": "INV-7"}'
    assert case["messages"][2] == {"role": "tool", "content": '{"state": "paid"}', "tool_call_id": "c1"}


def test_instructions_of_the_system_come_first() -> None:
    """A8: they stand in an attribute of their own."""
    told = [{"type": "text", "content": "You help."}]

    (case,), _ = import_records({**CHAT, "gen_ai.system_instructions": told})

    assert case["messages"] == [{"role": "system", "content": "You help."}, ASKED]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gen_ai.tool.definitions": None}, "no_schemas"),
        ({"gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "refund"}])}, "no_schemas"),
        ({"gen_ai.input.messages": None}, "no_content"),
        ({"gen_ai.input.messages": None, "gen_ai.output.messages": None}, "no_content"),
        ({"gen_ai.output.messages": json.dumps(OUTPUT)[:-9]}, "truncated"),
        ({"gen_ai.input.messages": json.dumps(INPUT)[:-9]}, "truncated"),
        ({"gen_ai.output.messages": [{**OUTPUT[0], "finish_reason": "length"}]}, "truncated"),
        ({"gen_ai.output.messages": [{**OUTPUT[0], "finish_reason": "content_filter"}]}, "failed"),
        ({"gen_ai.output.messages": []}, "no_decision"),
        ({"gen_ai.input.messages": [{"role": "user", "parts": [{"type": "blob", "content": "aGk="}]}]}, "media"),
        ({"mcp.method.name": "tools/call"}, "no_conversation"),
    ],
)
def test_a_span_without_what_is_needed_is_counted(changes: dict[str, Any], reason: str) -> None:
    """A8: content is off by default, definitions come without schemas, long values are cut."""
    facts = {name: value for name, value in {**CHAT, **changes}.items() if value is not None}

    cases, counted = import_records(facts)

    assert cases == []
    assert hindrances(counted) == {reason: (1, "line 1")}


def test_bare_names_are_told_of_by_the_target() -> None:
    """A8: of its tools only those that were offered."""
    other = type(REFUND)(name="find", description="Find.", input_schema=SCHEMA)
    bare = {**CHAT, "gen_ai.tool.definitions": [{"type": "function", "name": "refund"}]}

    (case,), _ = import_records(bare, tools=[REFUND, other])

    assert case["tools_ref"] == tools_digest([REFUND])


@pytest.mark.parametrize("number", ["--5", "-", "5e3", "\u0665", 7, None, "9" * 30, {}])
def test_a_number_that_is_none_breaks_no_span(number: Any) -> None:
    """A8: as foreign exporters write them."""
    record = _otlp(CHAT)
    attributes = record["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"]
    attributes.append({"key": "gen_ai.usage.input_tokens", "value": {"intValue": number}})

    assert len(import_records(record)[0]) == 1


@pytest.mark.parametrize("operation", ["execute_tool", "invoke_agent", "embeddings"])
def test_spans_that_ask_no_model_are_no_decisions(operation: str) -> None:
    """A8: the span of an agent holds what its spans of chats hold once more."""
    cases, counted = import_records({**CHAT, "gen_ai.operation.name": operation})

    assert (cases, counted.decisions, counted.hindered) == ([], 0, {})


def test_events_of_older_conventions_make_a_conversation() -> None:
    """A8: before 1.37 each message was a log record; tools were not told of at all."""
    call = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}
    record = _logs(
        _event("gen_ai.user.message", {"content": "Refund INV-7."}),
        _event("gen_ai.choice", {"index": 0, "finish_reason": "tool_calls", "message": {"tool_calls": [call]}}),
    )

    (case,), _ = import_records(record, tools=[REFUND])

    assert case["source"] == {"format": "otel", "trace": "t1", "span": "s1"}
    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)


def test_events_of_a_span_may_hold_json_text() -> None:
    """A8: as some libraries write them."""
    said = {"index": 0, "finish_reason": "stop", "message": {"content": "Which invoice?"}}
    events = [
        {"name": "gen_ai.user.message", "attributes": {"gen_ai.event.content": '{"content": "Refund it."}'}},
        {"name": "gen_ai.choice", "attributes": {"gen_ai.event.content": json.dumps(said)}},
    ]

    (case,), _ = import_records(
        {"name": "chat", "attributes": {"gen_ai.operation.name": "chat"}, "events": events}, tools=[REFUND]
    )

    assert case["messages"] == [{"role": "user", "content": "Refund it."}]
    assert case["expect"]["decision"] == ["ask", "abstain"]


def _nested(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {
            "tools": [{"tool": {"json_schema": facts["llm.tools.0.tool.json_schema"]}}],
            "input_messages": [{"message": {"role": "user", "content": "Refund INV-7."}}],
            "output_messages": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [{"tool_call": {"function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}}],
                    }
                }
            ],
        },
    }


@pytest.mark.parametrize(
    "record", [LLM, {"name": "llm", "attributes": LLM}, _otlp(LLM), {"name": "llm", "attributes": _nested(LLM)}]
)
def test_an_openinference_span_is_a_case_in_every_form(record: dict[str, Any]) -> None:
    """A8: names that spell out the path, in OTLP or flat; or nested as Phoenix exports them."""
    (case,), _ = import_records(record)

    assert case["source"]["format"] == "openinference"
    assert (case["messages"], case["expect"]) == ([ASKED], EXPECTED)
    assert case["tools_ref"] == tools_digest([REFUND])


def test_openinference_messages_keep_their_order_calls_and_parts() -> None:
    """A8: number 10 comes after number 9; contents in parts are texts."""
    asked: dict[str, Any] = {}
    for at in range(9):
        asked |= {f"llm.input_messages.{at}.message.role": "user", f"llm.input_messages.{at}.message.content": str(at)}
    asked |= {
        "llm.input_messages.9.message.role": "assistant",
        "llm.input_messages.9.message.tool_calls.0.tool_call.id": "c1",
        "llm.input_messages.9.message.tool_calls.0.tool_call.function.name": "refund",
        "llm.input_messages.10.message.role": "tool",
        "llm.input_messages.10.message.tool_call_id": "c1",
        "llm.input_messages.10.message.content": "done",
        "llm.input_messages.11.message.role": "user",
        "llm.input_messages.11.message.contents.0.message_content.type": "text",
        "llm.input_messages.11.message.contents.0.message_content.text": "And now?",
    }

    (case,), _ = import_records({**LLM, **asked})

    assert [message["role"] for message in case["messages"]] == [*["user"] * 9, "assistant", "tool", "user"]
    assert case["messages"][-1]["content"] == "And now?"


@pytest.mark.parametrize(
    ("missing", "reason"),
    [("llm.tools.0", "no_schemas"), ("llm.input_messages", "no_content"), ("llm.output_messages", "no_content")],
)
def test_an_openinference_span_without_a_part_is_counted(missing: str, reason: str) -> None:
    """A8."""
    _, counted = import_records({name: value for name, value in LLM.items() if not name.startswith(missing)})

    assert hindrances(counted) == {reason: (1, "line 1")}


def test_a_batch_may_speak_both_conventions() -> None:
    """A8: each span is read in its own; spans of chains and tools are no decisions."""
    other = {**LLM, "llm.input_messages.0.message.content": "Refund INV-7, please."}

    cases, counted = import_records(_otlp(CHAT, other, {"openinference.span.kind": "CHAIN"}))

    assert [case["messages"][0]["content"] for case in cases] == ["Refund INV-7.", "Refund INV-7, please."]
    assert counted.hindered == {}
