"""kill -9 between every pair of statements of the whole Create path on PostgreSQL, and of a server under load."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import open_postgres
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.bootstrap.service import KEYS_VARIABLE, OpenStore, open_service, service_of
from fourfold.model.call import Call
from fourfold.model.outcome import Done
from fourfold.stages.service import Service
from tests.interaction.faults import Found, write_down
from tests.interaction.one_of_two import BUSY, CLERK, ending, slips
from tests.postgres.cluster import Cluster
from tests.stores.kill_harness import PATIENCE_S, Acknowledge, Killer, KillServer, kills_wanted, rounds

KILLS = kills_wanted(200)

CALLS = 10_000
"""How often a call is repeated, until the test fails."""

RING = f"k1:{base64.b64encode(b'k' * 32).decode()}"


def add_slips(place: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: `slip_add` for every key at once, through the stages."""
    anyio.run(_every, place.read_text("utf-8"), kill_at, keys, acknowledge)


async def _every(url: str, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    clock = SystemClock()
    store = open_postgres(url, clock=clock, connection_class=Killer(kill_at).connection_class)
    service = service_of(slips().build(), OpenStore(store=store, keys=KeyRing.from_text(RING)), clock=clock)
    async with anyio.create_task_group() as tasks:
        for key in keys:
            tasks.start_soon(_one, service, key, acknowledge)
    await store.aclose()


async def _one(service: Service, key: str, acknowledge: Acknowledge) -> None:
    call = Call(tool="slip_add", arguments={"text": key}, caller=CLERK, meta_key=f"kill-test-{key}-0000000")
    for _ in range(CALLS):
        outcome = await service.call(call)
        if isinstance(outcome, Done):
            acknowledge(key)
            return
        assert ending(outcome) in BUSY, outcome
    raise AssertionError(f"{key} was never answered")


@pytest.fixture
def url(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with the catalog's table."""
    monkeypatch.setenv(KEYS_VARIABLE, RING)
    url = postgres.store()

    async def prepare() -> None:
        async with open_service(slips().build(), url):
            pass

    anyio.run(prepare)
    return url


@pytest.mark.serial
@pytest.mark.timeout(PATIENCE_S)
def test_no_kill_duplicates_or_loses_an_effect(postgres: Cluster, url: str, tmp_path: Path) -> None:
    """D1, B4, A9: one effect, one settled claim and one run for each key, whenever the process dies."""
    place = tmp_path / "url"
    place.write_text(url, "utf-8")
    points = set[int]()
    with KillServer(f"{__name__}:add_slips", place) as server:
        for round_ in rounds(server, kills=KILLS):
            made = column(postgres, url, "SELECT text FROM slip")
            lost = [key for key in round_.attempt.acknowledged if made[key] != 1]
            assert not lost, f"lost or doubled after a kill at statement {round_.kill_at}: {lost}"
            if round_.attempt.killed:
                points.add(round_.kill_at)

    made = column(postgres, url, "SELECT text FROM slip")
    assert set(made.values()) == {1}
    assert column(postgres, url, "SELECT state FROM fourfold_claim") == {"done": len(made)}
    effects = "SELECT outcome FROM fourfold_run WHERE replayed = 0 AND outcome = 'done'"
    assert column(postgres, url, effects) == {"done": len(made)}
    assert len(points) >= 30, "fewer statements than three creations have"
    write_down(
        Found(
            effect="in the store: `slip_add`",
            store="PostgreSQL",
            kills=KILLS,
            points=len(points),
            operations=len(made),
            twice=sum(many > 1 for many in made.values()),
            lost=0,
            unknown=0,
        )
    )


@pytest.mark.serial
def test_a_server_that_is_ended_at_once_under_load_loses_nothing(postgres: Cluster, url: str) -> None:
    """D1: what was answered is there, once; every call is answered in the end."""
    answered: list[str] = []

    async def load() -> None:
        quiet = anyio.Event()
        async with open_service(slips().build(), url) as service, anyio.create_task_group() as tasks:
            for number in range(120):
                tasks.start_soon(_until_done, service, f"key-{number}-0", answered, quiet)
            for _ in range(3):
                reached = len(answered) + 10
                while len(answered) < min(reached, 120):
                    await anyio.lowlevel.checkpoint()
                # Here and not in a thread: the server ends with the thread that started it.
                postgres.restart()
            quiet.set()

    anyio.run(load)
    made = column(postgres, url, "SELECT text FROM slip")
    assert (set(made.values()), sorted(made)) == ({1}, sorted(answered))
    assert column(postgres, url, "SELECT state FROM fourfold_claim") == {"done": 120}


async def _until_done(service: Service, key: str, answered: list[str], quiet: anyio.Event) -> None:
    """Call again until it is done, as a client does that hears nothing or `internal`.

    Calls that come while the server is ended and started are not counted: how many those are is the machine's matter.
    """
    call = Call(tool="slip_add", arguments={"text": key}, caller=CLERK, meta_key=f"load-test-{key}-0000000")
    left = CALLS
    while left:
        left -= quiet.is_set()
        if isinstance(await service.call(call), Done):
            answered.append(key)
            return
        await anyio.lowlevel.checkpoint()
    raise AssertionError(f"{key} was never answered")


def column(postgres: Cluster, url: str, sql: str) -> Counter[str]:
    """The values of a column, counted, as a superuser sees them."""
    return Counter(value for (value,) in postgres.execute(sql, url=url))
