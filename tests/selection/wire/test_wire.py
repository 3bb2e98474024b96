"""The wire formats without HTTP: names, events, turns and arguments, for every input that may come."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES
from fourfold.selection.wire.events import EventReader
from fourfold.selection.wire.format import WireFormat
from fourfold.selection.wire.names import WireNames
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.turns import from_turns, to_turns
from fourfold.selection.wire.values import arguments_of

WIRES = [OPENAI_CHAT, ANTHROPIC_MESSAGES]
NAMES = st.lists(st.text("ab./-_é", min_size=1, max_size=70), unique=True, max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def tools(*names: str) -> list[OfferedTool]:
    """Tools of these names."""
    return [OfferedTool(name=name, description="d", input_schema={"type": "object"}) for name in names]


@given(NAMES)
def test_names_come_back_and_fit_every_provider(names: list[str]) -> None:
    """However alike they are once the API's letters are all that is left."""
    found = WireNames.of(tools(*names))
    sent = [tool.name for tool in found.tools(tools(*names))]

    assert len({*sent}) == len(names)
    assert all(name and len(name) <= 64 and name.replace("_", "a").replace("-", "a").isalnum() for name in sent)
    assert all(name.isascii() for name in sent)
    choice = Choice(calls=tuple(ChosenCall(name=name, arguments={}) for name in sent))
    assert [call.name for call in found.restored(choice).calls] == names


def test_a_name_that_is_fine_stays_and_the_calls_before_are_renamed_as_well() -> None:
    """A tool that was called earlier and is not offered any more is mapped, too."""
    names = WireNames.of(tools("a.b", "a_b"))
    calls = [{"id": "1", "function": {"name": name, "arguments": "{}"}} for name in ("a.b", "a_b", "old/one")]
    (message,) = names.messages([{"role": "assistant", "tool_calls": calls}])

    assert [call["function"]["name"] for call in message["tool_calls"]] == ["a_b_2", "a_b", "old_one"]
    assert names.restored(Choice(calls=(ChosenCall(name="made_up", arguments={}),))).calls[0].name == "made_up"


EVENTS: list[dict[str, Any]] = [{"a": 1}, {"b": "é\n"}, {"c": []}]
STREAM = "".join(f": hi\r\nevent: x\r\ndata: {json.dumps(event)}\r\n\r\n" for event in EVENTS) + "data: [DONE]\n\n"


@given(st.lists(st.integers(0, len(STREAM)), max_size=6))
def test_events_are_the_same_however_the_bytes_are_cut(cuts: list[int]) -> None:
    """A network cuts anywhere."""
    raw, places = STREAM.encode(), sorted({0, len(STREAM.encode()), *cuts})
    reader = EventReader()
    found = [event for at, end in pairwise(places) for event in reader.read(raw[at:end])]

    assert found == EVENTS


def test_data_in_several_lines_is_one_event_and_what_is_no_json_is_none() -> None:
    """WHATWG HTML, 9.2.6: lines are joined with a line feed."""
    assert [*EventReader().read(b'data: {"a":\ndata:1}\n\ndata: {\n\ndata: [1]\n\n\n\n')] == [{"a": 1}]


CONVERSATION: list[JsonObject] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "refund INV-7"},
    {
        "role": "assistant",
        "content": "One moment.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"id": "INV-7"}'}},
            {"id": "c2", "type": "function", "function": {"name": "find", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "found"},
    {"role": "tool", "tool_call_id": "c2", "content": "not found"},
    {
        "role": "user",
        "content": [{"type": "text", "text": "and?"}, {"type": "image_url", "image_url": {"url": "https://x"}}],
    },
]


def test_a_conversation_becomes_turns_in_which_roles_alternate() -> None:
    """As Anthropic's API wants them: results stand in the user's turn, before what the user says next."""
    system, turns = to_turns(CONVERSATION)

    assert (system, [turn["role"] for turn in turns]) == ("Be brief.", ["user", "assistant", "user"])
    assert [block["type"] for block in turns[1]["content"]] == ["text", "tool_use", "tool_use"]
    assert [block["type"] for block in turns[2]["content"]] == ["tool_result", "tool_result", "text", "image"]
    assert turns[1]["content"][1] == {"type": "tool_use", "id": "c1", "name": "find", "input": {"id": "INV-7"}}


def test_turns_become_the_conversation_again() -> None:
    """What one format holds the other can say."""
    assert from_turns(*to_turns(CONVERSATION)) == CONVERSATION


def test_instructions_that_are_named_stand_in_the_place_of_those_of_the_case() -> None:
    """A8: a prompt is compared with another one over the same cases."""
    sampling = Sampling(system="Be kind.")
    chat = OPENAI_CHAT.write(CONVERSATION[:2], [], model="m", sampling=sampling)
    message = ANTHROPIC_MESSAGES.write(CONVERSATION[:2], [], model="m", sampling=sampling)

    assert [each["content"] for each in chat["messages"]] == ["Be kind.", "refund INV-7"]
    assert (message["system"], len(message["messages"])) == ("Be kind.", 1)
    assert "tools" not in {*chat, *message}


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ("", {}),
        ('{"n": 12345678901234567890}', {"n": None}),
        ('{"a": {"b": [1.5]}}', {"a": {"b": [1.5]}}),
        ("[]", None),
        ("{", None),
        ('"{}"', None),
        ('{"a": Infinity}', None),
        ('{"a": "\\ud800"}', None),
        ("{" * 99, None),
    ],
)
def test_arguments_are_a_json_object_or_none(raw: str, arguments: object) -> None:
    """A8: what a strict reader would refuse is not guessed at."""
    assert arguments_of(raw) == arguments


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@given(body=JSON)
def test_no_answer_of_any_shape_breaks_the_reader(*, wire: WireFormat, body: Any) -> None:
    """An answer that is none is malformed, and never an exception."""
    shapes: list[JsonObject] = [
        {"choices": body},
        {"choices": [body]},
        {"choices": [{"message": body}]},
        {"content": body},
    ]
    for shaped in shapes:
        assert wire.read(shaped).calls == ()


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@given(
    events=st.lists(st.dictionaries(st.sampled_from(["type", "index", "delta", "choices", "usage", "message"]), JSON))
)
def test_no_stream_of_any_shape_breaks_the_gathering(*, wire: WireFormat, events: list[dict[str, Any]]) -> None:
    """Nor does a stream of them; without an end it was cut."""
    gathering = wire.gather()
    for event in events:
        gathering.take(event)

    assert wire.read(gathering.body()).failure in ("truncated", "refused", "provider_error")
