"""One state, redeemed by many callers in two processes over one file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fourfold.adapters.clock import SystemClock
from tests.stages.serving import serving
from tests.stages.shop import order, shop

ROOT = Path(__file__).parents[2]


@pytest.mark.serial
@pytest.mark.anyio
async def test_fifty_concurrent_replays_in_two_processes_have_one_effect(tmp_path: Path) -> None:
    """B8, B4: redeeming is claiming; forty-nine of them are told what the one did."""
    store = f"sqlite:///{tmp_path}/shop.db"
    async with serving(shop(), store=store, clock=SystemClock()) as served:
        state = (await served.call("order_place", order())).state
    answers = _redeemed(store, state)
    async with serving(shop(), store=store, clock=SystemClock()) as served:
        counted = await served.call("order_count")
        again = await served.call("order_place", order(), state=state, answers={"fewer": {"pieces": 3}})
    assert [(answer["code"], answer["pieces"]) for answer in answers] == [("", 3)] * 50
    assert sorted(answer["replayed"] for answer in answers) == [False] + [True] * 49
    assert (counted.structured["orders"], again.replayed) == (1, True)


def _redeemed(store: str, state: str) -> list[dict[str, Any]]:
    """What two processes were answered that began together."""
    command = [sys.executable, "-m", "tests.interaction.round_replayer", store, state]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    return [answer for output in outputs for answer in json.loads(output)]


@pytest.fixture
def anyio_backend() -> str:
    """The loop of the service."""
    return "asyncio"
