"""kill -9 of the billing server after the gateway paid and before anybody wrote it down: one refund, all told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from fourfold.stages.lease import LEASE_MS
from tests.adapters.gateway import Gateway, running
from tests.interaction.serving import ROOT, configuration
from tests.stores.breaking import outside

pytestmark = pytest.mark.anyio

SCOPES = "payments:read payments:refund"
REFUND = {
    "payment_id": "PAY-000010",
    "currency": "EUR",
    "amount_minor": 90_000,
    "reason": "Returned goods",
    "expected_version": "1",
}
LATER = """
import sys
from fourfold.adapters.clock import SystemClock
from fourfold.cli.main import main
ahead_ms, now_ms = int(sys.argv.pop(1)), SystemClock.now_ms
SystemClock.now_ms = lambda clock: now_ms(clock) + ahead_ms
main()
"""
"""The command line, by a clock that is ahead: a lease runs out without anybody waiting for it."""


@pytest.fixture
def anyio_backend() -> str:
    """The official client runs on asyncio."""
    return "asyncio"


@dataclass(frozen=True, slots=True)
class Started:
    """A billing server in a process."""

    url: str
    process: subprocess.Popen[str]

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[Client]:
        """The official client, as acme's clerk."""
        headers = {"authorization": "Bearer token-clerk"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(self.url, http_client=http)) as client,
        ):
            yield client


@contextmanager
def started(folder: Path, gateway: Gateway, *, ahead_ms: int = 0) -> Generator[Started]:
    """A billing server whose gateway requests may take a minute, on the store of `folder`, until the block ends."""
    paths = ["--store", f"sqlite:///{folder / 'store.db'}", "--config", str(folder / "fourfold.toml")]
    command = [sys.executable, "-c", LATER, str(ahead_ms), "serve", "billing:catalog", *paths, "--http", "127.0.0.1:0"]
    environment = {**os.environ, "BILLING_GATEWAY_URL": gateway.url, "BILLING_GATEWAY_TIMEOUT_MS": "60000"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert " at http://" in line, line + process.stderr.read()
        try:
            yield Started(line.split(" at ")[1].split()[0], process)
        finally:
            process.terminate()
            process.stderr.close()


@pytest.fixture
def gateway(tmp_path: Path) -> Generator[Gateway]:
    """A payment gateway of this test's own."""
    with running(tmp_path / "ledger.db") as gateway:
        yield gateway


def approve(folder: Path, plan_id: str) -> None:
    """Let a manager approve the plan, on the command line and with a token of their own."""
    new = [sys.executable, "-m", "fourfold.cli", "operators", "new", "manager", "--tenant", "acme"]
    made = subprocess.run(new, capture_output=True, text=True, check=True)
    operators = folder / "operators.toml"
    operators.write_text(made.stdout, encoding="utf-8")
    operators.chmod(0o600)
    token = next(word for word in made.stderr.split() if len(word) >= 32)
    command = [sys.executable, "-m", "fourfold.cli", "plans", "approve", plan_id, "--token-stdin"]
    paths = ["--store", f"sqlite:///{folder / 'store.db'}", "--config", str(operators)]
    done = subprocess.run([*command, *paths], input=token, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def fault_of(result: CallToolResult) -> dict[str, Any]:
    """What stands in `_meta["fourfold/fault"]`."""
    return dict((result.meta or {}).get("fourfold/fault", {}))


def stored(folder: Path) -> tuple[Any, ...]:
    """State and amount of every refund in the books."""
    return tuple(outside(folder / "store.db", "SELECT state, amount_minor FROM refund"))


async def _until(gateway: Gateway, refunds: int) -> None:
    with anyio.fail_after(30):
        while gateway.seen["refunds"] < refunds:
            await anyio.lowlevel.checkpoint()


async def test_a_server_that_dies_after_the_payment_pays_once(tmp_path: Path, gateway: Gateway) -> None:
    """C4, D1: too early a repeat is told to wait; once the lease is over, the same plan finds the same refund."""
    (tmp_path / "fourfold.toml").write_text(configuration(("clerk", "acme", SCOPES)), encoding="utf-8")
    with started(tmp_path, gateway) as first:
        async with first.client() as client:
            planned = await client.call_tool("payment_plan_refund", REFUND)
            assert planned.structured_content is not None
            execute = {name: planned.structured_content[name] for name in ("plan_id", "digest")}
            refused = await client.call_tool("payment_execute_refund", execute)
            approve(tmp_path, execute["plan_id"])
            gateway.trouble("lose_answer")

            async def cut_off() -> None:
                with pytest.raises(Exception):  # noqa: B017, PT011  whatever a client makes of a server that is gone
                    await client.call_tool("payment_execute_refund", execute)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(cut_off)
                await _until(gateway, 1)
                first.process.send_signal(signal.SIGKILL)
                tasks.cancel_scope.cancel()

    assert fault_of(refused)["code"] == "approval_required"
    assert stored(tmp_path) == (("pending", 90_000),)
    with started(tmp_path, gateway) as second:
        async with second.client() as client:
            early = await client.call_tool("payment_execute_refund", execute)
    with started(tmp_path, gateway, ahead_ms=LEASE_MS + 1_000) as third:
        async with third.client() as client:
            done = await client.call_tool("payment_execute_refund", execute)
            again = await client.call_tool("payment_execute_refund", execute)

    assert fault_of(early)["code"] == "in_progress"
    assert done.structured_content is not None
    assert (done.structured_content["refund_id"], done.structured_content["refundable_minor"]) == ("re_000001", 1_690)
    assert again.structured_content == done.structured_content
    assert (again.meta or {})["fourfold/replayed"] is True
    assert (gateway.counts, stored(tmp_path)) == ((2, 1, 1), (("paid", 90_000),))
