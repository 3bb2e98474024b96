"""Deadlines and callers that leave: what stops, what finishes, and what the run says."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest

from fourfold import Create, Limits, Unit
from fourfold.adapters.clock import SystemClock
from fourfold.stages.service import THREADS
from fourfold.testing import Answer, FixedClock
from tests.stages.desk import ACCOUNT, FileClosed, Note, NoteAdd, Notes, Nothing, Said, SaidOnce, add, desk, one_tool
from tests.stages.serving import Served, eventually, serving

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"
HI = {"account_id": ACCOUNT, "text": "hi"}
SHORT = Limits(deadline_s=0.1)
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS i FROM n"


@dataclass(slots=True)
class Latch:
    """Holds handlers until the test lets them go."""

    release: threading.Event = field(default_factory=threading.Event)
    inside: int = 0
    _counting: threading.Lock = field(default_factory=threading.Lock)

    def hold(self) -> None:
        """Wait for the test."""
        self._count(1)
        self.release.wait(30)
        self._count(-1)

    def _count(self, change: int) -> None:
        with self._counting:
            self.inside += change


@pytest.fixture
def latch() -> Generator[Latch]:
    """A latch that is open at the end, so that no thread waits for a test that failed."""
    held = Latch()
    yield held
    held.release.set()


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An empty SQLite store."""
    return f"sqlite:///{tmp_path}/notes.db"


def assert_stopped(answer: Answer) -> None:
    """Stopped in time, and told how to go on."""
    assert (answer.kind, answer.code) == ("rejected", "deadline_exceeded")
    assert answer.fault is not None
    assert answer.fault.retry == "same_key"
    assert "nothing was saved" in answer.fault.message


async def test_an_async_handler_is_stopped_at_its_deadline() -> None:
    """B19, MP-091: it is cancelled and can clean up."""
    cleaned: list[str] = []

    async def handler(request: Nothing) -> Said:
        try:
            await anyio.sleep_forever()
        finally:
            cleaned.append("connection closed")
        raise AssertionError

    async with serving(one_tool(handler, limits=SHORT)) as served:
        assert_stopped(await served.call("note_add"))
        assert cleaned == ["connection closed"]
        assert [record.run.code for record in await served.records()] == ["deadline_exceeded"]


async def test_a_call_that_is_stopped_again_and_again_is_not_to_be_repeated() -> None:
    """B7: the same key, twice; then somebody has to look at it."""

    async def handler(request: Nothing) -> Said:
        await anyio.sleep_forever()
        raise AssertionError

    async with serving(one_tool(handler, limits=Limits(deadline_s=0.02))) as served:
        faults = [(await served.call("note_add")).fault for _ in range(3)]

        assert [fault.retry for fault in faults if fault] == ["same_key", "same_key", "never"]
        assert faults[2] is not None
        assert faults[2].text.endswith("do not repeat it, and report it to the user.")


async def test_nobody_waits_for_a_plain_handler_beyond_its_deadline(latch: Latch) -> None:
    """B19: a thread cannot be stopped, but its caller is answered and its place is free."""

    def handler(request: Nothing) -> Said:
        latch.hold()
        return Said(text="late")

    async with serving(one_tool(handler, limits=Limits(deadline_s=0.1, concurrency=1))) as served:
        assert_stopped(await served.call("note_add"))
        assert latch.inside == 1
        assert served.service.ports.guard.running == {}


async def test_handlers_that_never_end_do_not_pile_up(latch: Latch) -> None:
    """B19: sixteen threads at most, however many callers have given up; then the tool works again."""

    def handler(request: SaidOnce) -> Said:
        latch.hold()
        return Said(text="late")

    async with serving(one_tool(handler, limits=SHORT)) as served:
        for answer in await served.together([("note_add", {"word": str(number)}) for number in range(40)]):
            assert_stopped(answer)
        assert latch.inside == THREADS == 16
        latch.release.set()
        await eventually(lambda: latch.inside == 0)
        assert (await served.call("note_add", {"word": "again"})).ok


async def test_a_query_is_interrupted_at_the_deadline(url: str) -> None:
    """B19: in the middle of a statement; the connection serves the next read."""

    def handler(request: SaidOnce, unit: Unit) -> Said:
        row = unit.row(request.word or ENDLESS)
        return Said(text=str(row))

    async with serving(one_tool(handler, limits=SHORT), store=url, clock=SystemClock()) as served:
        assert_stopped(await served.call("note_add"))
        assert (await served.call("note_add", {"word": "SELECT 1 AS n"})).structured == {"text": "{'n': 1}"}


async def test_the_deadline_covers_the_wait_for_a_connection(url: str, latch: Latch) -> None:
    """B19: also when every reader of the store is taken."""

    def handler(request: SaidOnce, notes: Notes) -> Said:
        latch.hold()
        return Said(text="late")

    async with serving(one_tool(handler, limits=SHORT), store=url, clock=SystemClock()) as served:
        for answer in await served.together([("note_add", {"word": str(number)}) for number in range(6)]):
            assert_stopped(answer)
        latch.release.set()


class Hurried(FixedClock):
    """A clock on which each look takes ten milliseconds, so that running statements see time go by."""

    def ticks(self) -> float:
        """Later each time."""
        self.advance(0.01)
        return self.ms / 1000


@pytest.mark.parametrize("store", ["memory:", "sqlite"])
async def test_a_write_over_its_deadline_is_undone(url: str, store: str) -> None:
    """B19, D1: in the middle of a statement; its key is free."""

    def handler(request: SaidOnce, notes: Notes, unit: Unit) -> Said:
        notes.add(ACCOUNT, "before")
        return Said(text=str(unit.row(ENDLESS)))

    catalog = desk()
    catalog.tool(
        name="note_sum",
        version="1.0",
        does="Sums up what never ends",
        use_when="a deadline is tried out",
        not_for="anything else",
        effect=Create(),
        limits=Limits(deadline_s=5),
    )(handler)
    async with serving(catalog, store=url if store == "sqlite" else store, clock=Hurried()) as served:
        for _ in range(2):
            answer = await served.call("note_sum", key=KEY)
            assert_stopped(answer)
            assert not answer.replayed
        assert (await served.call("note_count")).structured == {"text": "0"}


async def cancelled_while(served: Served, running: Any, **call: Any) -> None:
    """Make a call, and leave while its handler runs."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: served.call("note_add", **call))
        await eventually(running)
        tasks.cancel_scope.cancel()


async def test_a_read_stops_when_its_caller_leaves() -> None:
    """MP-091: the handler is cancelled, and the run says so."""
    states: list[str] = []

    async def handler(request: Nothing) -> Said:
        states.append("running")
        try:
            await anyio.sleep_forever()
        finally:
            states.append("stopped")
        raise AssertionError

    async with serving(one_tool(handler)) as served:
        await cancelled_while(served, lambda: states == ["running"])

        assert states == ["running", "stopped"]
        (record,) = await served.records()
        assert (record.run.outcome, record.run.code, record.closing) == ("cancelled", "cancelled", None)
        assert record.run.note == "the caller left"


async def test_a_query_stops_when_its_caller_leaves(url: str) -> None:
    """MP-091: no statement runs on for nobody, and the store is free."""
    ended: list[str] = []
    entered = threading.Event()

    def handler(request: SaidOnce, unit: Unit) -> Said:
        entered.set()
        try:
            return Said(text=str(unit.row(request.word or ENDLESS)))
        finally:
            ended.append(request.word)

    async with serving(one_tool(handler), store=url, clock=SystemClock()) as served:
        await cancelled_while(served, entered.is_set)
        await eventually(lambda: ended == [""])

        assert (await served.call("note_add", {"word": "SELECT 1 AS n"})).ok
        assert [record.run.outcome for record in await served.records()] == ["done", "cancelled"]


async def test_a_caller_leaves_a_plain_handler_behind(latch: Latch) -> None:
    """MP-091: the call ends at once; the thread ends when it can."""

    def handler(request: Nothing) -> Said:
        latch.hold()
        return Said(text="late")

    async with serving(one_tool(handler)) as served:
        await cancelled_while(served, lambda: latch.inside == 1)

        assert served.service.ports.guard.running == {}
        assert [record.run.outcome for record in await served.records()] == ["cancelled"]


async def test_a_claimed_write_finishes_without_its_caller(url: str, latch: Latch) -> None:
    """D1, MP-091: it is committed and recorded, and the key gets its answer later."""

    def handler(request: NoteAdd, notes: Notes) -> Note:
        note_id = notes.add(request.account_id, request.text)
        latch.hold()
        return Note(note_id=note_id, flags=[])

    async with serving(one_tool(handler, Create()), store=url) as served:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: served.call("note_add", HI, key=KEY))
            await eventually(lambda: latch.inside == 1)
            tasks.cancel_scope.cancel()
            latch.release.set()

        (record,) = await served.records()
        assert (record.run.outcome, record.closing and record.closing.delivered) == ("done", False)
        again = await served.call("note_add", HI, key=KEY)
        assert (again.replayed, again.structured) == (True, {"note_id": 1, "flags": []})


async def test_a_refused_write_is_recorded_as_refused_without_its_caller(url: str, latch: Latch) -> None:
    """A9, MP-092: one end for each call, and the one that was decided."""

    def handler(request: NoteAdd, notes: Notes) -> Note:
        latch.hold()
        raise FileClosed

    async with serving(one_tool(handler, Create(), faults=[FileClosed]), store=url) as served:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: served.call("note_add", HI))
            await eventually(lambda: latch.inside == 1)
            tasks.cancel_scope.cancel()
            latch.release.set()

        assert [(record.run.outcome, record.run.code) for record in await served.records()] == [
            ("rejected", "file_closed")
        ]


@pytest.mark.parametrize("store", ["memory:", "sqlite"])
async def test_a_caller_that_left_before_the_claim_changes_nothing(url: str, store: str) -> None:
    """D1: what has not begun does not begin."""
    async with serving(desk(), store=url if store == "sqlite" else store) as served:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await served.call("note_add", HI)

        assert (await served.call("note_count")).structured == {"text": "0"}
        assert [record.run.outcome for record in await served.records()] == ["done", "cancelled"]


async def test_the_closing_of_a_delivered_write_has_its_whole_time() -> None:
    """A9: what the run inside the transaction cannot know yet."""
    clock = FixedClock()

    def slow(request: NoteAdd, notes: Notes) -> Note:
        clock.advance(2)
        return add(request, notes)

    async with serving(one_tool(slow, Create()), clock=clock) as served:
        await served.call("note_add", HI)

        (record,) = await served.records()
        assert record.closing is not None
        assert (record.closing.delivered, record.closing.total_us) == (True, 2_000_000)


async def test_only_stored_writes_have_a_closing() -> None:
    """A9: reads, replays and refusals are stored when they have ended."""
    async with serving(desk()) as served:
        for text in ("hi", "hi", "locked"):
            await served.call("note_add", {**HI, "text": text}, key=KEY if text == "hi" else None)
        await served.call("note_count")

        closings = [(record.run.outcome, record.closing is not None) for record in await served.records()]
        assert closings == [("done", False), ("rejected", False), ("done", False), ("done", True)]
