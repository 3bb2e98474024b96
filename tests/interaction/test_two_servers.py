"""Two server processes over one store: whatever meets there, one effect."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import KEYS_VARIABLE, open_service, open_store
from fourfold.model.call import Call
from fourfold.model.outcome import Done
from tests.interaction.one_of_two import CLERK, adding, slips
from tests.meta.repository import ROOT
from tests.postgres.cluster import HANDLERS, Cluster

RING = f"k1:{base64.b64encode(b'a key that both servers share...').decode()}"
STORES = ["sqlite", "postgres", "postgres with a role for handlers", "postgres, serializable"]
KEY = "one-key-for-all-of-them"


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty store that two processes can share."""
    monkeypatch.setenv(KEYS_VARIABLE, RING)
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/slips.db"
    cluster: Cluster = request.getfixturevalue("postgres")
    options = {"postgres with a role for handlers": {"handlers": HANDLERS}}
    serializable = {"isolation": "serializable"} if request.param.endswith("serializable") else {}
    return cluster.store(**options.get(request.param, serializable))


def run_two(url: str, call: Call, *, calls_each: int) -> Counter[str]:
    """How the calls of two servers end, which begin together."""
    asked = json.dumps({"tool": call.tool, "arguments": dict(call.arguments), "meta_key": call.meta_key})
    command = [sys.executable, "-m", "tests.interaction.one_of_two", url, str(calls_each), asked]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    servers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
        for _ in range(2)
    ]
    for server in servers:
        assert server.stdout
        assert server.stdout.readline() == "ready\n"
    for server in servers:
        assert server.stdin
        server.stdin.write("go\n")
        server.stdin.flush()
    endings = Counter[str]()
    for server in servers:
        endings.update(json.loads(server.communicate(timeout=60)[0]))
        assert server.returncode == 0
    return endings


def effects(url: str) -> int:
    """How many slips there are."""

    async def count() -> int:
        store = open_store(url, clock=SystemClock()).store
        row = await store.units.read(
            lambda unit: unit.row("SELECT count(*) AS n FROM slip"), deadline=float("inf"), subject=lambda _: None
        )
        await store.aclose()
        return row["n"] if row else 0

    return anyio.run(count)


def test_a_hundred_callers_of_one_key_make_one_effect(url: str) -> None:
    """D1: the others get its answer."""
    assert run_two(url, adding(KEY), calls_each=50) == {"done": 1, "replayed": 99}
    assert effects(url) == 1
    assert run_two(url, adding(KEY), calls_each=1) == {"replayed": 2}


def test_a_hundred_equal_calls_without_a_key_make_one_effect(url: str) -> None:
    """D1: the others are shown the first one."""
    assert run_two(url, adding(None), calls_each=50) == {"done": 1, "possible_duplicate": 99}
    assert effects(url) == 1


def planned(url: str) -> Call:
    """The call that executes a plan that was made just now."""

    async def plan() -> Call:
        arguments = {"text": "one", "expected_version": "1"}
        async with open_service(slips().build(), url) as service:
            made = await service.call(Call(tool="slip_burn_plan", arguments=arguments, caller=CLERK))
        assert isinstance(made, Done), made
        names = json.loads(made.structured)
        execute = {name: names[name] for name in ("plan_id", "digest")}
        return Call(tool="slip_burn_execute", arguments=execute, caller=CLERK)

    return anyio.run(plan)


def test_two_hundred_executes_of_one_plan_make_one_effect(url: str) -> None:
    """C7, D1: a plan is used once, whichever server it is executed on, and the others get its answer."""
    execute = planned(url)

    assert run_two(url, execute, calls_each=100) == {"done": 1, "replayed": 199}
    assert effects(url) == 1
    assert run_two(url, execute, calls_each=1) == {"replayed": 2}
