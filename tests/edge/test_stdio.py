"""The stdio transport, on pipes in this process and as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.edge.edge_service import EdgeService
from tests.edge.pipe_client import PipeClient, pipes
from tests.edge.wire import initialize, modern, request

ROOT = Path(__file__).parents[2]
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def _cancel(number: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}


async def _until_running(service: EdgeService, calls: int = 1) -> None:
    with anyio.fail_after(5):
        while len(service.running) < calls:
            await anyio.lowlevel.checkpoint()


@pytest.mark.anyio
async def test_the_modern_era_needs_no_handshake(service: EdgeService) -> None:
    """B9: any request may be the first."""
    async with pipes(service) as client:
        listed = await client.ask(modern("tools/list", number="a"))
        called = await client.ask(modern("tools/call", {"name": "echo", "arguments": {"text": "é\u2028"}}, number=2))
    assert (listed["id"], len(listed["result"]["tools"])) == ("a", 16)
    assert called["result"]["structuredContent"] == {"arguments": {"text": "é\u2028"}}
    assert service.calls[0].transport == "stdio"


@pytest.mark.anyio
async def test_the_legacy_era_begins_with_a_handshake(service: EdgeService) -> None:
    """B9, MP-035: the same tools for clients of 2025."""
    async with pipes(service) as client:
        opened = await client.ask(initialize("2025-06-18"))
        client.send(INITIALIZED)
        called = await client.ask(request("tools/call", {"name": "list_hosts"}, number=2))
    assert opened["result"]["protocolVersion"] == "2025-06-18"
    assert (called["result"]["isError"], service.calls[0].revision) == (False, "2025-06-18")


@pytest.mark.anyio
async def test_modern_only_refuses_the_handshake(service: EdgeService) -> None:
    """B9: the refusal names what is spoken, and the process serves on."""
    async with pipes(service, modern_only=True) as client:
        refused = await client.ask(initialize())
        incomplete = await client.ask(request("tools/list", number=2))
        served = await client.ask(modern("tools/list", number=3))
    assert refused["error"]["code"] == -32022
    assert refused["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2025-11-25"}
    assert (incomplete["error"]["code"], served["id"]) == (-32602, 3)


@pytest.mark.anyio
@pytest.mark.parametrize("legacy", [False, True])
async def test_a_cancelled_read_ends_and_nothing_more_is_said_about_it(service: EdgeService, legacy: bool) -> None:
    """MP-091, MP-092: the handler stops, its id is never answered, and the next call is served."""
    write = request if legacy else modern
    async with pipes(service) as client:
        if legacy:
            await client.ask({**initialize(), "id": 0})
        client.send(write("tools/call", {"name": "slow_report"}))
        await _until_running(service)
        client.send(_cancel(1), _cancel(99), _cancel(None), write("tools/call", {"name": "echo"}, number=2))
        answered = await client.receive()
        client.hang_up()
        assert await client.rest() == []
    assert (answered["id"], service.cancelled, service.running) == (2, ["slow_report"], set())


@pytest.mark.anyio
async def test_a_claimed_write_ends_after_its_cancellation(service: EdgeService) -> None:
    """B19, D1: cancelled too late, it commits once and stays silent."""
    async with pipes(service) as client:
        client.send(modern("tools/call", {"name": "quote_create"}))
        await _until_running(service)
        client.send(_cancel(1))
        released = await client.ask(modern("tools/call", {"name": "release"}, number=2))
        client.hang_up()
        assert await client.rest() == []
    assert (released["id"], service.writes) == (2, 1)


@pytest.mark.anyio
async def test_open_requests_are_answered_when_the_input_ends_at_once(service: EdgeService) -> None:
    """B9: `printf … | server` gets its answers."""
    async with pipes(service) as client:
        client.send(*(modern("tools/call", {"name": "echo"}, number=number) for number in range(5)))
        client.hang_up()
        answers = await client.rest()
    assert sorted(answer["id"] for answer in answers) == [0, 1, 2, 3, 4]
    assert all("result" in answer for answer in answers)


@pytest.mark.anyio
async def test_the_end_of_the_input_cancels_reads_and_waits_for_writes(service: EdgeService) -> None:
    """MP-091, B19: without an invented error for the calls that nobody waits for."""
    async with pipes(service) as client:
        client.send(
            modern("tools/call", {"name": "slow_report"}), modern("tools/call", {"name": "quote_create"}, number=2)
        )
        await _until_running(service, 2)
        client.hang_up()
        with anyio.fail_after(5):
            while not service.cancelled:
                await anyio.lowlevel.checkpoint()
        assert not client.ended.is_set()
        service.commit_may_end.set()
        assert await client.rest() == []
    assert (service.cancelled, service.writes) == (["slow_report"], 1)


@pytest.mark.anyio
async def test_a_line_that_is_too_long_is_answered_and_skipped(service: EdgeService) -> None:
    """B19: a mebibyte is enough; memory does not grow with what a client sends."""
    answers: list[Any] = []
    async with pipes(service) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, client.send, b"x" * (1_048_576 * 3), modern("tools/list", number=7))
        answers += [await client.receive(), await client.receive()]
    too_large = {"code": -32600, "message": "Message too large"}
    assert (answers[0], answers[1]["id"]) == ({"jsonrpc": "2.0", "error": too_large}, 7)


@pytest.mark.anyio
async def test_a_last_line_without_an_end_is_read(service: EdgeService) -> None:
    """B9: as an editor or `printf` leaves it."""
    async with pipes(service) as client:
        os.write(client.descriptor, json.dumps(modern("tools/list")).encode())
        client.hang_up()
        assert [answer["id"] for answer in await client.rest()] == [1]


@pytest.mark.anyio
async def test_half_a_character_in_a_result_does_not_end_the_process(service: EdgeService) -> None:
    """MP-127: the text is mended, and what is written is ASCII."""
    async with pipes(service) as client:
        odd = await client.ask(modern("tools/call", {"name": "odd_text"}))
        assert await _is_alive(client)
    assert odd["result"]["structuredContent"] == {"text": "ok \ufffd end", "pair": "\U0001f600"}


@pytest.mark.anyio
async def test_a_client_that_stops_reading_does_not_hold_the_server(service: EdgeService) -> None:
    """B19: a full pipe delays answers, and after the end of the input it is not waited for long."""
    async with pipes(service, reads_ahead=1024) as client:
        client.send(*(modern("tools/list", number=number) for number in range(200)))
        client.hang_up()
        with anyio.fail_after(5):
            await client.ended.wait()


@pytest.mark.anyio
async def test_a_client_that_no_longer_listens_ends_the_server(service: EdgeService) -> None:
    """MP-091, B19: reads are cancelled, a claimed write ends, although the input is still open."""
    async with pipes(service) as client:
        client.send(
            modern("tools/call", {"name": "slow_report"}), modern("tools/call", {"name": "quote_create"}, number=2)
        )
        await _until_running(service, 2)
        service.commit_may_end.set()
        client.listening.close()
        client.send(modern("tools/list", number=3))
        with anyio.fail_after(5):
            await client.ended.wait()
    assert (service.cancelled, service.writes, service.running) == (["slow_report"], 1, set())


@pytest.mark.anyio
async def test_an_exception_in_a_handler_leaves_no_text(service: EdgeService) -> None:
    """A5: the legacy era of the SDK would have sent it."""
    async with pipes(service) as client:
        await client.ask(initialize())
        crashed = await client.ask(request("tools/call", {"name": "crash"}, number=2))
    assert (crashed["error"]["code"], crashed["error"]["message"]) == (-32603, "Internal error")


def _serve(kind: str, *messages: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    command = [sys.executable, "-m", "tests.edge.edge_server", kind]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)


def test_standard_output_carries_the_protocol_alone() -> None:
    """MP-130: what user code and its children print is on stderr, from the first import on."""
    run = _serve("noisy", modern("tools/list"), modern("tools/call", {"name": "list_hosts"}, number=2))
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(answer["jsonrpc"], answer["id"]) for answer in answers] == [("2.0", 1), ("2.0", 2)]
    for kept in ("[db] Connected", "INFO:root:ready", "from a child at import", "hi from a handler", "hi from a child"):
        assert kept in run.stderr


def test_a_regular_file_is_served_like_a_pipe(tmp_path: Path) -> None:
    """B9: the loop cannot wait for a file, which is always ready."""
    (tmp_path / "in").write_text(json.dumps(modern("tools/list")) + "\n")
    command = [sys.executable, "-m", "tests.edge.edge_server", "stdio"]
    with (tmp_path / "in").open() as given, (tmp_path / "out").open("w") as taken:
        subprocess.run(command, stdin=given, stdout=taken, timeout=60, check=True, cwd=ROOT)
    assert json.loads((tmp_path / "out").read_text())["id"] == 1


def test_a_process_without_input_ends() -> None:
    """B9: the null device is an input that has ended."""
    command = [sys.executable, "-m", "tests.edge.edge_server", "stdio"]
    run = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT
    )
    assert (run.stdout, "ended with 0 writes" in run.stderr) == ("", True)


async def _is_alive(client: PipeClient) -> bool:
    return "result" in await client.ask(modern("tools/list", number=99))
