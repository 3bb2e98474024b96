"""A COMMIT whose answer is lost, and a server that is started anew: what the caller is told is what became of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import psycopg
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.postgres.commit import was_committed
from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.errors import CommitUnknown, StoreBusy, StoreError
from fourfold.ports.units import Unit
from tests.postgres.cluster import ROLE, Cluster
from tests.stores.breaking import Gate
from tests.stores.clocks import SteppedClock
from tests.stores.domain import postgres_schema, quote, quote_names, read, write
from tests.stores.records import run_at

pytestmark = pytest.mark.anyio

Broken = psycopg.OperationalError


def leave(_: str, __: Connection) -> None:
    """Cut nothing."""


class Cable:
    """Connections that a test can cut before or after a statement, as a network does."""

    def __init__(self) -> None:
        self.before: Callable[[str, Connection], None] = leave
        self.after: Callable[[str, Connection], None] = leave

    @property
    def connection_class(self) -> type[Connection]:
        """What the connections of a store are made of."""
        cable = self

        class Seen(psycopg.Connection[dict[str, Any]]):
            def execute(self, query: Any, *arguments: Any, **more: Any) -> Any:
                text = query.decode() if isinstance(query, bytes) else str(query)
                cable.before(text, self)
                cursor = super().execute(query, *arguments, **more)
                cable.after(text, self)
                return cursor

        return Seen


def cut(connection: Connection) -> None:
    """End the connection, as seen from here."""
    connection.close()
    raise Broken("server closed the connection unexpectedly")


class Once:
    """Cuts at the first COMMIT, and at no other one."""

    def __init__(self) -> None:
        self.done = False

    def cut(self, text: str, connection: Connection) -> None:
        """Cut after or before `text`, if it is the one."""
        if text == "COMMIT" and not self.done:
            self.done = True
            cut(connection)


@pytest.fixture
def cable() -> Cable:
    """What breaks the connections of `store`."""
    return Cable()


@pytest.fixture
async def store(url: str, clock: SteppedClock, cable: Cable) -> AsyncGenerator[PostgresStore]:
    """A store whose connections the cable can cut."""
    opened = open_postgres(url, clock=clock, connection_class=cable.connection_class)
    await opened.units.prepare(postgres_schema)
    yield opened
    cable.before = cable.after = leave
    await opened.aclose()


async def test_a_commit_that_took_place_is_answered_though_its_answer_was_lost(
    store: PostgresStore, cable: Cable
) -> None:
    """D1: the database is asked about the transaction on a new connection, and knows it."""
    cable.after = Once().cut

    assert await write(store.units, quote("Q-1")) == 1
    assert (await quote_names(store.units), store.units.writes) == (["Q-1"], 1)


async def test_a_commit_that_did_not_arrive_is_made_again(store: PostgresStore, cable: Cable) -> None:
    """D1: the database is asked, does not have it, and nobody was answered yet."""
    cable.before, runs = Once().cut, list[int]()

    def work(unit: Unit) -> int:
        runs.append(1)
        return quote("Q-1")(unit)

    assert await write(store.units, work) == 1
    assert (await quote_names(store.units), len(runs), store.units.writes) == (["Q-1"], 2, 1)


async def test_a_commit_that_nobody_can_be_asked_about_is_unknown(
    store: PostgresStore, cable: Cable, postgres: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    """D1: then neither "saved" nor "not saved" would be true."""
    once = Once()

    def and_locked_out(text: str, connection: Connection) -> None:
        if text == "COMMIT" and not once.done:
            postgres.execute(f"ALTER ROLE {ROLE} NOLOGIN")
            once.cut(text, connection)

    cable.after = and_locked_out
    try:
        with pytest.raises(CommitUnknown, match="the answer to COMMIT was lost"):
            await write(store.units, quote("Q-1"))
    finally:
        postgres.execute(f"ALTER ROLE {ROLE} LOGIN")

    assert "the transaction is in progress" in caplog.text
    assert await quote_names(store.units) == ["Q-1"]


def test_a_transaction_that_another_server_may_have_numbered_alike_is_unknown(postgres: Cluster, url: str) -> None:
    """D1: after a failover its number means nothing; the timeline tells."""
    address = read_address(url)
    ((xid, timeline),) = postgres.execute(
        "SELECT pg_current_xact_id()::text, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"
    )

    assert was_committed(address, {"xid": xid, "timeline": timeline}) is True
    assert was_committed(address, {"xid": xid, "timeline": "000000FF"}) is None


async def test_a_connection_that_breaks_in_the_middle_costs_nothing(store: PostgresStore, cable: Cable) -> None:
    """D1: nothing was committed, so the work runs again."""
    broken: list[str] = []

    def at_the_second_quote(text: str, connection: Connection) -> None:
        if "INSERT INTO quote" in text and not broken:
            broken.append(text)
            cut(connection)

    cable.after = at_the_second_quote

    assert await write(store.units, quote("Q-1")) == 1
    assert (await quote_names(store.units), len(broken)) == (["Q-1"], 1)


async def test_a_read_whose_connection_breaks_is_told_so(store: PostgresStore, cable: Cable) -> None:
    """D1: a read that has begun is not begun again by itself; the next one finds another connection."""
    cable.before = lambda text, connection: cut(connection) if "FROM quote" in text else None
    with pytest.raises(StoreError, match="closed the connection"):
        await quote_names(store.units)
    cable.before = leave

    assert await quote_names(store.units) == []


async def test_a_deferred_constraint_fails_at_commit_and_nothing_is_saved(store: PostgresStore) -> None:
    """B4: the database answered, so there is nothing to ask."""
    await store.units.prepare(
        lambda unit: unit.execute(
            "CREATE TABLE line (quote_id BIGINT REFERENCES quote (id) DEFERRABLE INITIALLY DEFERRED)"
        )
    )
    with pytest.raises(StoreError, match="ForeignKeyViolation"):
        await write(store.units, lambda unit: unit.execute("INSERT INTO line VALUES (7)"))

    assert await read(store.units, lambda unit: unit.rows("SELECT * FROM line")) == []


async def test_writes_and_reads_go_on_after_the_server_was_started_anew(postgres: Cluster, url: str) -> None:
    """D1: what was answered is there; a write in the middle of it runs again, and idle connections are replaced."""
    store = open_postgres(url, clock=SystemClock())
    await store.units.prepare(postgres_schema)
    gate = Gate()

    def work(unit: Unit) -> int:
        changed = quote("Q-during")(unit)
        gate.wait()
        return changed

    async with anyio.create_task_group() as tasks:
        for number in range(6):
            tasks.start_soon(write, store.units, quote(f"Q-{number}"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write, store.units, work)
        await gate.reached()
        postgres.restart()
        gate.open()

    store.runs.append(run_at(1))
    await store.runs.flush()
    assert await store.runs.show("run-1") is not None
    assert await quote_names(store.units) == [*(f"Q-{number}" for number in range(6)), "Q-during"]
    await store.aclose()


async def test_a_database_that_is_not_there_is_told_without_its_password(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B18: where, and why, and nothing else."""
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "2")
    with pytest.raises(StoreError, match=r"cannot connect to postgresql://app@/postgres: ") as caught:
        open_postgres(f"postgresql://app:hunter2@/postgres?host={postgres.folder}/nowhere", clock=SteppedClock())

    assert "hunter2" not in str(caught.value)


async def test_a_server_that_stays_away_makes_the_store_busy(url: str, clock: SteppedClock) -> None:
    """B4: a caller hears of it by its deadline."""

    class Refused(psycopg.Connection[dict[str, Any]]):
        @classmethod
        def connect(cls, *_: Any, **__: Any) -> Any:
            raise Broken("connection refused")

    store = open_postgres(url, clock=clock, connection_class=Refused)
    with pytest.raises(StoreBusy, match="no connection to postgresql://app@/postgres became free or could be made"):
        await write(store.units, quote("Q-1"), deadline=clock.ticks() + 0.2)
    await store.aclose()
