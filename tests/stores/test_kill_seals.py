"""kill -9 between every pair of statements of sealing: an entry is there with all that belongs to it, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import open_postgres
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.signer import Ed25519Signer, Ed25519Verifier, public_keys
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.adapters.store_url import is_postgres
from fourfold.runs.sealing import seal_all
from fourfold.runs.verifying import Verified, verify
from tests.postgres.cluster import Cluster
from tests.stores.domain import read
from tests.stores.kill_harness import PATIENCE_S, Acknowledge, Killer, KillServer, kills_wanted, open_killed, rounds
from tests.stores.records import run_at

KILLS = kills_wanted(40)
_RING = KeyRing.of(("k1", b"1" * 32))


def seal_keys(place: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: a run for each key that has none, and then seals over all that are there, two runs in each."""
    store = open_killed(place.read_text("utf-8"), Killer(kill_at), clock=SystemClock())

    async def every() -> None:
        for key in keys:
            if await store.runs.show(key) is None:
                store.runs.append(replace(run_at(0, counted=()), run_id=key))
        await store.runs.flush()
        await seal_all(store, clock=SystemClock(), signer=Ed25519Signer(_RING), most=2)
        for key in keys:
            acknowledge(key)
        await store.aclose()

    anyio.run(every)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new store of each kind that outlives its process."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 's.db'}"
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.store()


@pytest.mark.serial
@pytest.mark.timeout(PATIENCE_S)
def test_no_kill_leaves_half_a_seal(url: str, tmp_path: Path) -> None:
    """D6: the chain checks whenever the process dies, and the next one goes on where it ended."""
    anyio.run(_found, url)
    (tmp_path / "place").write_text(url, "utf-8")
    points = set[int]()
    with KillServer(f"{__name__}:seal_keys", tmp_path / "place") as server:
        for round_ in rounds(server, kills=KILLS):
            verified = anyio.run(_found, url)
            assert verified.findings == (), f"after a kill at statement {round_.kill_at}"
            if round_.attempt.killed:
                points.add(round_.kill_at)

    verified = anyio.run(_found, url)
    assert (verified.waiting.runs, verified.findings) == (0, ())
    assert verified.runs >= 3 * KILLS
    assert len(points) >= 12, "fewer statements than runs and two seals over them take"


async def _found(url: str) -> Verified:
    clock = SystemClock()
    store = open_postgres(url, clock=clock) if is_postgres(url) else open_sqlite(url, clock=clock)
    verifier = Ed25519Verifier(public_keys(_RING))
    try:
        return await read(store.units, lambda unit: verify(unit, store.seals, verifier=verifier))
    finally:
        await store.aclose()
