"""How every outcome looks on the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import MCPError
from mcp_types import CallToolResult, InputRequiredResult

from fourfold.contracts.strict_json import parse
from fourfold.edge.translate import answer, listed_tool
from fourfold.model.asking import QuestionMode
from fourfold.model.effect import Create, Destroy, Effect, ObservableRead, Preview, Read, Update
from fourfold.model.fault import FaultDetail, Problem, Retry
from fourfold.model.outcome import (
    Denied,
    Done,
    Failed,
    Invalid,
    NeedsInput,
    Outcome,
    Question,
    Refused,
    Rejected,
    Unknown,
)
from tests.edge.edge_service import contract, fault

QUESTION = Question(
    key="ok", message="Delete it?", schema={"type": "object", "properties": {"yes": {"type": "boolean"}}}
)
NEEDS = NeedsInput(questions=(QUESTION,), state="sealed", run_id="run-1")
STALE = fault("stale_version", current_version="v7", retry_after_ms=250)


def _wire(outcome: Outcome) -> Any:
    result = answer(outcome)
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def test_a_success_has_a_line_the_json_and_the_object() -> None:
    """A5, B3: a reader of text alone misses nothing."""
    done = Done(structured=b'{"total":7500,"note":null}', text="Quoted 75.00 EUR.", run_id="run-1")
    assert _wire(done) == {
        "content": [
            {"type": "text", "text": "Quoted 75.00 EUR."},
            {"type": "text", "text": '{"total":7500,"note":null}'},
        ],
        "structuredContent": {"total": 7500, "note": None},
        "isError": False,
        "resultType": "complete",
        "_meta": {"fourfold/run": "run-1"},
    }


def test_a_success_names_its_operation_and_its_twin() -> None:
    """D1: a caller sees that the same arguments were just used under another key."""
    done = Done(structured=b"{}", text="Done.", run_id="run-1", operation_id="op-2", twin_of="op-1")
    assert _wire(done)["_meta"] == {
        "fourfold/run": "run-1", "fourfold/operation": "op-2", "fourfold/possibleDuplicateOf": "op-1",
    }  # fmt: skip


def test_a_replayed_success_differs_by_its_mark_alone() -> None:
    """D1: the outcome is the one that was stored, byte for byte."""
    first = _wire(Done(structured=b'{"n":1}', text="Done.", run_id="run-1", operation_id="op-1"))
    again = _wire(Done(structured=b'{"n":1}', text="Done.", run_id="run-1", operation_id="op-1", replayed=True))
    assert again["_meta"].pop("fourfold/replayed") is True
    assert json.dumps(first) == json.dumps(again)


def test_a_fault_says_what_happened_and_what_to_do() -> None:
    """MP-040, A5, B7: the code leads the text, and a program finds the same in `_meta`."""
    assert _wire(Rejected(fault=STALE, run_id="run-1", replayed=True)) == {
        "content": [
            {
                "type": "text",
                "text": "stale_version: The resource has changed since it was read. "
                "Read it again and decide with the current version.\nretry_after_ms: 250\ncurrent_version: v7",
            }
        ],
        "isError": True,
        "resultType": "complete",
        "_meta": {
            "fourfold/fault": {
                "code": "stale_version",
                "retry": "refresh",
                "next_step": "Read it again and decide with the current version",
                "retry_after_ms": 250,
                "current_version": "v7",
            },
            "fourfold/replayed": True,
        },
    }


def test_each_problem_is_a_line_and_an_entry() -> None:
    """A2: path, rule and what is accepted, for a model that reads text and for a program."""
    problem = Problem(pointer="/lines/0/sku", code="pattern", expected="three capitals, a dash, four digits")
    wire = _wire(Invalid(fault=fault("invalid_arguments", problems=(problem,)), run_id="run-1"))
    assert wire["content"][0]["text"].splitlines()[1] == (
        "- lines.0.sku: pattern; expected three capitals, a dash, four digits"
    )
    assert wire["_meta"]["fourfold/fault"]["problems"] == [
        {
            "pointer": "/lines/0/sku",
            "path": "lines.0.sku",
            "code": "pattern",
            "expected": "three capitals, a dash, four digits",
        }
    ]


def test_a_problem_with_the_whole_is_called_arguments() -> None:
    """A2: an empty path would read as nothing."""
    problem = Problem(pointer="", code="wrong_type", expected="an object")
    wire = _wire(Invalid(fault=fault("invalid_arguments", problems=(problem,)), run_id="run-1"))
    assert wire["content"][0]["text"].splitlines()[1] == "- arguments: wrong_type; expected an object"


@pytest.mark.parametrize(
    "outcome",
    [
        Invalid(fault=STALE, run_id="r"),
        Rejected(fault=STALE, run_id="r"),
        Denied(fault=STALE, run_id="r"),
        Failed(fault=STALE, run_id="r"),
        Unknown(fault=STALE, run_id="r"),
    ],
)
def test_no_fault_carries_a_structured_content(outcome: Outcome) -> None:
    """MP-041: clients compare it with the output schema and then hide the message."""
    wire = _wire(outcome)
    assert ("structuredContent" in wire, wire["isError"], len(wire["content"])) == (False, True, 1)


def test_the_text_alone_tells_how_long_to_wait() -> None:
    """MP-047: a client that drops everything else still shows the code and the wait."""
    wire = _wire(Rejected(fault=fault("rate_limited", retry_after_ms=30_000), run_id="run-1"))
    assert wire["content"][0]["text"] == (
        "rate_limited: Too many calls in a short time. Wait, then repeat the call.\nretry_after_ms: 30000"
    )


def test_a_denied_and_an_absent_object_give_the_same_bytes() -> None:
    """B18: the run differs, and nothing else; so the run is not in the answer."""
    missing = FaultDetail(code="unknown_account", retry=Retry.NEVER, message="No such account", next_step="Ask")
    assert _wire(Denied(fault=missing, run_id="run-1")) == _wire(Rejected(fault=missing, run_id="run-2"))


def test_an_unknown_tool_is_a_protocol_error_that_names_nothing() -> None:
    """B6: -32602, and not a word of what was asked for."""
    with pytest.raises(MCPError) as raised:
        answer(Refused(reason="unknown_tool", run_id="run-1"))
    assert (raised.value.code, raised.value.message, raised.value.data) == (-32602, "Unknown tool", None)


def test_a_missing_scope_is_a_protocol_error_with_the_scopes() -> None:
    """B18: where there is no HTTP status for it, as on stdio."""
    with pytest.raises(MCPError) as raised:
        answer(Refused(reason="missing_scope", run_id="run-1", needs=frozenset({"b", "a"})))
    assert (raised.value.code, raised.value.data) == (-32602, {"scopes": ["a", "b"]})


def test_a_question_becomes_a_form_with_its_state() -> None:
    """B8: input_required is an outcome of its own."""
    asked = answer(NEEDS)
    assert isinstance(asked, InputRequiredResult)
    assert asked.model_dump(mode="json", by_alias=True, exclude_none=True) == {
        "resultType": "input_required",
        "requestState": "sealed",
        "inputRequests": {
            "ok": {
                "method": "elicitation/create",
                "params": {"mode": "form", "message": "Delete it?", "requestedSchema": QUESTION.schema},
            }
        },
    }


def test_a_page_to_open_becomes_a_url_question() -> None:
    """B8: credentials go by URL mode."""
    page = Question(key="visit_1", message="Sign in", url="https://pay.example/sign-in")
    asked = _wire(NeedsInput(questions=(page,), state="sealed", run_id="run-1"))
    assert asked["inputRequests"]["visit_1"]["params"] == {
        "mode": "url",
        "message": "Sign in",
        "url": "https://pay.example/sign-in",
    }


@pytest.mark.parametrize(
    ("lacks", "needed"), [({"form"}, {}), ({"url"}, {"url": {}}), ({"form", "url"}, {"form": {}, "url": {}})]
)
def test_a_client_that_cannot_be_asked_is_told_what_it_lacks(
    lacks: set[QuestionMode], needed: dict[str, object]
) -> None:
    """B8: -32021 with a capabilities object, never a question that nobody can answer."""
    with pytest.raises(MCPError) as raised:
        answer(Refused(reason="missing_capability", run_id="run-1", lacks=frozenset(lacks)))
    assert (raised.value.code, raised.value.data) == (-32021, {"requiredCapabilities": {"elicitation": needed}})


def test_a_state_that_does_not_open_is_a_protocol_error_that_says_no_more() -> None:
    """B8: one message for every cause."""
    with pytest.raises(MCPError) as raised:
        answer(Refused(reason="invalid_request_state", run_id="run-1"))
    assert (raised.value.code, raised.value.data) == (-32602, {"reason": "invalid_request_state"})


@pytest.mark.parametrize(
    ("effect", "hints"),
    [
        (Read(), (True, False, True, False)),
        (ObservableRead(), (True, False, True, True)),
        (Preview(), (True, False, True, False)),
        (Create(), (False, False, False, False)),
        (Create(reach="outside"), (False, False, False, True)),
        (Update(), (False, False, True, False)),
        (Destroy(), (False, True, True, False)),
    ],
)
def test_annotations_follow_from_the_effect(effect: Effect, hints: tuple[bool, ...]) -> None:
    """B5: nobody writes them by hand."""
    tool = listed_tool(contract("quote_create", effect))
    given_hints = tool.annotations
    assert given_hints is not None
    assert hints == (
        given_hints.read_only_hint, given_hints.destructive_hint, given_hints.idempotent_hint,
        given_hints.open_world_hint,
    )  # fmt: skip


def test_a_listed_tool_has_its_title_only_if_there_is_one() -> None:
    """B1: an empty title would hide the name."""
    tool = listed_tool(contract("quote_create"))
    assert (tool.name, tool.title, tool.description) == ("quote_create", "Quote create", "Does quote_create.")


def test_a_number_that_would_change_on_the_way_is_not_sent() -> None:
    """B3: the effect stands, so the answer names its operation and says that repeating will not help."""
    done = Done(structured=b'{"n":9007199254740993}', text="n", run_id="run-1", operation_id="op-1")
    wire = _wire(done)
    fault_sent = wire["_meta"]["fourfold/fault"]
    assert (wire["isError"], fault_sent["code"], fault_sent["operation_id"]) == (True, "internal", "op-1")
    assert "9007199254740993" not in json.dumps(wire)


def test_text_with_half_a_character_is_mended() -> None:
    """MP-127: a lone surrogate would break the client's parser; a pair is a character."""
    done = Done(structured=b'{"a":"ok \\ud83d end","b":"\\ud83d\\ude00"}', text="ok \ud83d end", run_id="run-1")
    wire = _wire(done)
    assert [block["text"] for block in wire["content"]] == ["ok \ufffd end", '{"a":"ok \ufffd end","b":"\U0001f600"}']
    assert wire["structuredContent"] == {"a": "ok \ufffd end", "b": "\U0001f600"}


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=4)
NESTED = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(max_size=4), NESTED, max_size=3))
def test_whatever_is_sent_every_strict_reader_accepts(structured: dict[str, Any]) -> None:
    """B3: no result leaves with a number or a text that another parser reads differently."""
    done = Done(structured=json.dumps(structured).encode(), text="\ud800", run_id="run-1")
    result = answer(done)
    assert isinstance(result, CallToolResult)
    sent = json.dumps(result.model_dump(mode="json", by_alias=True, exclude_none=True), ensure_ascii=False).encode()
    assert parse(sent).faults == ()
