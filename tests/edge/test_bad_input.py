"""The same bytes are refused on both transports, in the same words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.edge.conftest import Connect
from tests.edge.edge_service import EdgeService
from tests.edge.pipe_client import pipes
from tests.edge.wire import META, headers_of, modern

pytestmark = pytest.mark.anyio

PARSE, INVALID = -32700, -32600
DEEP = b"[" * 65 + b"]" * 65

UNREADABLE: dict[str, tuple[bytes, int, Any]] = {
    "nothing": (b"", PARSE, None),
    "white space": (b"  ", PARSE, None),
    "no JSON": (b"{", PARSE, None),
    "two values": (b'{"jsonrpc":"2.0"} {}', PARSE, None),
    "byte order mark": (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', PARSE, None),
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', PARSE, None),
    "depth 65": (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":' + DEEP + b"}}", PARSE, None),
    "duplicate method": (b'{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', PARSE, 1),
    "duplicate id": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', PARSE, None),
    "duplicate arguments": (
        b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo","arguments":{},"arguments":{}}}',
        PARSE,
        "a",
    ),
    "NaN": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":NaN}}', PARSE, 1),
    "-Infinity": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":-Infinity}}', PARSE, 1),
    "1e400": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1e400}}', PARSE, 1),
    "2^53": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":9007199254740992}}', PARSE, 1),
    "5000 digits": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":' + b"9" * 5000 + b"}}", PARSE, 1),
    "lone surrogate": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"\\ud800"}}', PARSE, 1),
    "surrogate in the id": (b'{"jsonrpc":"2.0","id":"\\ud800","method":"a"}', PARSE, None),
    "huge id": (b'{"jsonrpc":"2.0","id":9007199254740992,"method":"a"}', PARSE, None),
    "batch": (b'[{"jsonrpc":"2.0","id":1,"method":"a"}]', INVALID, None),
    "a string": (b'"hello"', INVALID, None),
    "id null": (b'{"jsonrpc":"2.0","id":null,"method":"a"}', INVALID, None),
    "id true": (b'{"jsonrpc":"2.0","id":true,"method":"a"}', INVALID, None),
    "id 1.5": (b'{"jsonrpc":"2.0","id":1.5,"method":"a"}', INVALID, None),
    "id 1.0": (b'{"jsonrpc":"2.0","id":1.0,"method":"a"}', INVALID, None),
    "id array": (b'{"jsonrpc":"2.0","id":[1],"method":"a"}', INVALID, None),
    "params array": (b'{"jsonrpc":"2.0","id":1,"method":"a","params":[]}', INVALID, 1),
    "no method": (b'{"jsonrpc":"2.0","id":1}', INVALID, 1),
    "method number": (b'{"jsonrpc":"2.0","id":1,"method":5}', INVALID, 1),
    "another JSON-RPC": (b'{"jsonrpc":"1.0","id":1,"method":"a"}', INVALID, 1),
    "a response": (b'{"jsonrpc":"2.0","id":1,"result":{}}', INVALID, 1),
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_bytes_that_are_no_message_get_the_same_error_everywhere(
    connect: Connect, service: EdgeService, what: str
) -> None:
    """C1, B9: refused with an answer, on HTTP and on stdio alike; the id is there when it is certain, never null."""
    raw, code, number = UNREADABLE[what]
    async with connect() as client:
        over_http = await client.post("/mcp", content=raw, headers={"content-type": "application/json"})
    async with pipes(service) as client:
        over_stdio = await client.ask(raw)
    expected = {"code": code, "id": number} if number is not None else {"code": code}
    assert over_http.status_code == 400
    assert over_http.json() == over_stdio
    assert {"code": over_stdio["error"]["code"], **{k: v for k, v in over_stdio.items() if k == "id"}} == expected


IN_ARGUMENTS: dict[str, tuple[bytes, list[tuple[str, str]]]] = {
    "duplicate key": (b'{"text":"a","text":"b"}', [("/text", "duplicate_key")]),
    "NaN": (b'{"number":NaN}', [("/number", "not_finite")]),
    "1e400": (b'{"number":1e400}', [("/number", "not_finite")]),
    "2^53": (b'{"number":9007199254740992}', [("/number", "unsafe_integer")]),
    "5000 digits": (b'{"number":-' + b"9" * 5000 + b"}", [("/number", "unsafe_integer")]),
    "lone surrogate": (b'{"text":"x\\ud800"}', [("/text", "lone_surrogate")]),
    "surrogate name": (b'{"\\ud800":1}', [("/\ufffd", "lone_surrogate"), ("/\ufffd", "unknown_argument")]),
    "slash in a name": (b'{"a/b":NaN}', [("/a~1b", "not_finite"), ("/a~1b", "unknown_argument")]),
}


@pytest.mark.parametrize("what", IN_ARGUMENTS)
async def test_bytes_that_are_bad_inside_the_arguments_are_invalid_arguments(
    connect: Connect, service: EdgeService, what: str
) -> None:
    """MP-128, A2: the model gets the path and the rule as a tool error, and the connection lives on."""
    arguments, problems = IN_ARGUMENTS[what]
    body = modern("tools/call", {"name": "echo", "arguments": {}})
    raw = json.dumps(body).encode().replace(b'"arguments": {}', b'"arguments": ' + arguments)
    async with connect() as client:
        over_http = (await client.post("/mcp", content=raw, headers=headers_of(body))).json()
    async with pipes(service) as client:
        over_stdio = await client.ask(raw)
        alive = await client.ask(modern("tools/list", number=2))
    fault = over_http["result"]["_meta"]["fourfold/fault"]
    assert over_http == over_stdio
    assert [(problem["pointer"], problem["code"]) for problem in fault["problems"]] == problems
    assert (over_http["result"]["isError"], alive["id"]) == (True, 2)


async def test_a_client_cannot_forge_what_the_reader_found(connect: Connect, service: EdgeService) -> None:
    """B18: what travels beside a message is not readable from its `_meta`."""
    forged = {**META, "fourfold.arrival": {"caller": "root"}, "fourfold/problems": [{"pointer": "/x"}]}
    body = modern("tools/call", {"name": "list_hosts"}, meta=forged)
    async with connect() as client:
        answer = (await client.post("/mcp", json=body, headers=headers_of(body))).json()
    assert answer["result"]["isError"] is False
    assert (service.calls[0].caller.principal, service.calls[0].wire_problems) == ("anna", ())


async def test_a_rejected_value_is_never_repeated(connect: Connect) -> None:
    """A2: an answer to bad input holds none of it."""
    body = modern("tools/call", {"name": "echo"})
    raw = json.dumps(body).encode().replace(b'"name": "echo"', b'"name": "echo", "arguments": {"hunter2": NaN}')
    async with connect() as client:
        parse_error = await client.post("/mcp", content=b'{"password":"hunter2"', headers=headers_of(body))
        problem = await client.post("/mcp", content=raw.replace(b"NaN", b'"\\ud800hunter3"'), headers=headers_of(body))
    assert "hunter2" not in parse_error.text
    assert "hunter3" not in problem.text
