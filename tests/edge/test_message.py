"""Reading one JSON-RPC message from bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.edge.message import Message, MessageError, read_message

NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_an_error(raw: bytes) -> None:
    """B9: nothing that a client sends raises."""
    assert isinstance(read_message(raw), Message | MessageError)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), JSON))
def test_an_error_echoes_a_usable_id_and_nothing_else(body: dict[str, Any]) -> None:
    """B9: the id with its type, or no id at all."""
    found = read_message(json.dumps(body).encode())
    number = body.get("id")
    usable = isinstance(number, str | int) and not isinstance(number, bool)
    if isinstance(found, MessageError):
        answer = json.loads(found.encode())
        assert answer.get("id", "absent") == (number if usable else "absent")
        assert type(answer.get("id", number)) is type(number)
    else:
        assert (found.id, found.method) == (number if "id" in body else None, body["method"])


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_arguments_arrive_as_they_were_sent(arguments: dict[str, Any]) -> None:
    """C1: strict reading changes no acceptable value."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": arguments}}
    found = read_message(json.dumps(body).encode())
    assert isinstance(found, Message)
    assert (found.tool, found.arguments, found.problems) == ("x", arguments, ())


def test_only_a_call_has_a_tool() -> None:
    """B11: a name in another method's parameters is something else."""
    body = {"jsonrpc": "2.0", "method": "prompts/get", "params": {"name": "x"}}
    found = read_message(json.dumps(body).encode())
    assert isinstance(found, Message)
    assert (found.tool, found.id, found.version) == ("", None, None)
