"""Raw frames over both transports: what comes back is taken as it is, within bounds, and nothing is left behind."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from fourfold.edge.frames import MAX_ANSWER_BYTES, events, id_of, is_answer, values
from fourfold.edge.wire_http import http_wire
from fourfold.edge.wire_stdio import stdio_wire
from fourfold.errors import TargetError

pytestmark = pytest.mark.anyio

MODERN = "2026-07-28"
ASK = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
NOTICE = b'{"jsonrpc":"2.0","method":"notifications/cancelled"}'
ANSWERS = 'import sys\nfor line in sys.stdin: print(\'{"jsonrpc":"2.0","id":1,"result":{}}\', flush=True)'
ENDS = "import sys\nsys.stdin.readline()"
SILENT = "import sys\nfor line in sys.stdin: pass"
STAYS = "import signal, sys\nfor line in sys.stdin: print(line, end='', flush=True)\nsignal.pause()"
JSON_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
EVENT = b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


@asynccontextmanager
async def http_server(*parts: bytes, holds: bool = False) -> AsyncGenerator[tuple[str, list[bytes]]]:
    """A server that sends `parts` to whoever asks, and then holds the connection or closes it; what it was sent."""
    heard: list[bytes] = []

    async def answer(stream: SocketStream) -> None:
        async with stream:
            heard.append(await stream.receive())
            for part in parts:
                await stream.send(part)
            if holds:
                await anyio.sleep_forever()

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, answer)
        yield f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}/mcp", heard  # noqa: S610  # no Django
        tasks.cancel_scope.cancel()


async def test_a_request_is_there_in_full_when_its_connection_is_cut() -> None:
    """B12, D1: what a server has read, it may have done."""
    async with http_server(holds=True) as (url, heard), http_wire(url, token="secret", revision=MODERN) as wire:
        await wire.cut(b'{"cut":1}', {"x-other": "1", "accept": None}, after_s=0)
        with anyio.fail_after(10):
            while not heard:
                await anyio.lowlevel.checkpoint()
    head, body = heard[0].split(b"\r\n\r\n")
    assert (head.splitlines()[0], body) == (b"POST /mcp HTTP/1.1", b'{"cut":1}')
    assert {b"content-length: 9", b"authorization: bearer secret", b"x-other: 1"} <= {*head.lower().splitlines()}
    assert b"accept:" not in head.lower()


async def test_a_connection_is_cut_when_an_answer_begins_to_come() -> None:
    """B12, D1: the head of a stream is none yet; the server holds the connection open."""
    answering = http_server(STREAM_HEAD, EVENT, holds=True)
    async with answering as (url, _), http_wire(url, token=None, revision=MODERN) as wire:
        await wire.cut(ASK, after_s=None)


async def test_a_line_is_read_before_the_input_ends(tmp_path: Path) -> None:
    """B12, D1: over stdio the process ends with its input, and what it did stays done."""
    keeps = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.stdin.readline())"
    kept = tmp_path / "kept"
    async with stdio_wire([sys.executable, "-c", keeps, str(kept)], revision=MODERN) as wire:
        await wire.cut(ASK, after_s=None)
    assert kept.read_text() == f"{ASK.decode()}\n"


async def test_a_frame_and_its_headers_are_sent_as_they_are() -> None:
    """B13: a usual header is replaced or left out where a check says so."""
    answering = http_server(JSON_HEAD + b"content-length: 2\r\n\r\n{}")
    async with answering as (url, heard), http_wire(url, token="secret", revision=MODERN) as wire:
        answer = await wire.exchange(b"{no json", {"accept": None, "x-other": "1"})
        await wire.exchange(b"", {"authorization": None}, method="GET")
    assert (answer.status, answer.messages, answer.body, answer.ended) == (200, ({},), b"{}", True)
    assert b"authorization: bearer secret" in heard[0].lower()
    assert b"x-other: 1" in heard[0]
    assert b"text/event-stream" not in heard[0]
    assert heard[0].endswith(b"{no json")
    assert heard[1].startswith(b"GET /mcp ")
    assert b"secret" not in heard[1]


async def test_a_stream_that_stays_open_is_left_after_its_answer() -> None:
    """B13: no check waits for ever."""
    open_stream = http_server(STREAM_HEAD, b": comment\n\n", EVENT, holds=True)
    async with open_stream as (url, _), http_wire(url, token=None, revision=MODERN) as wire:
        answer = await wire.exchange(ASK)
    assert (answer.messages, answer.ended) == (({"jsonrpc": "2.0", "id": 1, "result": {}},), False)


async def test_an_answer_is_read_up_to_a_limit() -> None:
    """B13: a server that never stops talking costs no more than that."""
    endless = http_server(STREAM_HEAD, *[b"x" * 1_048_576] * 12)
    async with endless as (url, _), http_wire(url, token=None, revision=MODERN) as wire:
        answer = await wire.exchange(ASK)
    assert MAX_ANSWER_BYTES < len(answer.body) < MAX_ANSWER_BYTES + 2 * 1_048_576
    assert not answer.ended


@pytest.mark.parametrize("holds", [False, True])
async def test_no_answer_is_an_answer_without_status(holds: bool) -> None:
    """B13: closing the connection, or letting it hang, is what some checks look for."""
    async with http_server(holds=holds) as (url, _), http_wire(url, token=None, revision=MODERN, timeout_s=0.3) as wire:
        answer = await wire.exchange(ASK)
    assert (answer.status, answer.messages, answer.ended) == (0, (), True)


async def test_a_url_where_nobody_is_is_no_answer_of_a_server() -> None:
    """B13: then nothing is proved any more."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/mcp"
        async with http_wire(url, token=None, revision=MODERN) as wire:
            with pytest.raises(TargetError, match="can't be reached any more"):
                await wire.exchange(ASK)


async def test_a_line_is_answered_and_a_notification_is_not_waited_for() -> None:
    """B13: a request is waited for until its answer comes, a notification only a moment."""
    async with stdio_wire([sys.executable, "-c", ANSWERS], revision=MODERN) as wire:
        answer = await wire.exchange(ASK)
    async with stdio_wire([sys.executable, "-c", SILENT], revision=MODERN) as wire:
        nothing = await wire.exchange(NOTICE)
    assert (answer.messages, answer.ended) == (({"jsonrpc": "2.0", "id": 1, "result": {}},), False)
    assert (nothing.messages, nothing.body, nothing.ended) == ((), b"", False)


async def test_a_process_that_ended_is_started_again() -> None:
    """B13: one check that ends the server does not end the others."""
    async with stdio_wire([sys.executable, "-c", ENDS], revision=MODERN) as wire:
        answers = [await wire.exchange(ASK), await wire.exchange(ASK)]
    assert [answer.ended for answer in answers] == [True, True]


async def test_a_request_without_answer_is_given_up() -> None:
    """B13: in bounded time."""
    async with stdio_wire([sys.executable, "-c", SILENT], revision=MODERN, timeout_s=0.3) as wire:
        answer = await wire.exchange(ASK)
    assert (answer.messages, answer.ended) == ((), False)


async def test_hanging_up_says_whether_the_process_ended_by_itself() -> None:
    """B13: one that stays is killed, so that none is left behind."""
    async with stdio_wire([sys.executable, "-c", SILENT], revision=MODERN) as wire:
        await wire.exchange(NOTICE)
        ended = await wire.hang_up()
    async with stdio_wire([sys.executable, "-c", STAYS], revision=MODERN) as wire, wire.fresh() as own:
        await own.exchange(b'{"id":1,"method":"m","result":{}}')
        stayed = await own.hang_up()
    assert (ended, stayed) == (True, False)


async def test_a_command_that_is_not_there_is_no_answer_of_a_server() -> None:
    """B13: the message says what to look at."""
    async with stdio_wire(["no-such-command-of-fourfold"], revision=MODERN) as wire:
        with pytest.raises(TargetError, match="can't be started: No such file"):
            await wire.exchange(ASK)


def test_messages_are_found_in_lines_and_in_events() -> None:
    """B13: what is no JSON is left out, and several lines of data are one message."""
    assert [*values([b"1", b"no", b'{"a":2}'])] == [1, {"a": 2}]
    assert [*events(b'data: {"a":\r\ndata: 1}\r\n\r\n: ping\n\nid: 4\ndata: 2\n\ndata: no\n\n')] == [{"a": 1}, 2]


@pytest.mark.parametrize(
    ("frame", "number"),
    [
        (b'{"id":1,"method":"a"}', 1),
        (b'{"id":"x","method":"a"}', "x"),
        (b'{"id":null,"method":"a"}', None),
        (b'{"id":true,"method":"a"}', None),
        (b'{"method":"a"}', None),
        (b'{"id":1,"result":{}}', None),
        (b"[1]", None),
        (b"{", None),
    ],
)
def test_an_answer_is_due_only_to_a_request_with_an_id(frame: bytes, number: str | int | None) -> None:
    """B13: nothing else is waited for."""
    assert id_of(frame) == number


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ({"id": 1, "result": 2}, True),
        ({"error": 2}, True),
        ({"method": "notifications/subscriptions/acknowledged"}, True),
        ({"method": "notifications/progress"}, False),
        ([{"result": 2}], False),
        (None, False),
    ],
)
def test_a_response_or_the_start_of_a_subscription_ends_the_wait(message: object, ends: bool) -> None:
    """B13: a stream is not left before that."""
    assert is_answer(message) is ends
