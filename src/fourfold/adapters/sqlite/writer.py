"""The writer thread: takes what waits, holds the writer lock, and lets `group` commit it.

Owns the queue of members and the backlog of records. Between loop and thread pass only members and answers.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread

from fourfold.adapters.sql.backlog import Backlog, Batch
from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sql.records import Record
from fourfold.adapters.sqlite.group import Answer, GroupCommit, Member, refuse
from fourfold.adapters.sqlite.lock import WriterLock
from fourfold.adapters.sqlite.transaction import SqliteTransaction
from fourfold.errors import CommitUnknown, DeadlineExceeded, StoreBusy, StoreError

__all__ = ["Writer"]

T = TypeVar("T")

GROUP_SIZE = 64
"""Members of one group at most: enough to share a sync, few enough that the first does not wait for long."""

BATCH_DELAY_S = 0.05
"""How long records wait for a group to go with. With the commit they are stored within 100 ms."""

_log = logging.getLogger(__name__)


class Writer:
    """One thread that does all writing of one store."""

    def __init__(self, group: GroupCommit, lock: WriterLock) -> None:
        self.backlog = Backlog()
        self._group = group
        self._lock = lock
        self._waiting: deque[Member] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="fourfold-writer", daemon=True)
        self._thread.start()

    @property
    def writes(self) -> int:
        """Rows that handlers changed in committed groups."""
        return self._group.writes

    async def submit(
        self, work: Callable[[SqliteTransaction], T], limit: Limit, *, settled: Callable[[Answer], None] | None = None
    ) -> T:
        """Run `work` as a member of the next group; its value once the group is committed.

        `work` sees the context variables of the caller. A caller that is cancelled takes a waiting member with it;
        a running one finishes, and nobody hears of it. `settled` hears how it ended, on the writer thread.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        member = Member(
            work=partial(contextvars.copy_context().run, work),
            reply=partial(_reply, future, settled=settled),
            limit=limit,
        )
        self._enqueue(member)
        try:
            answer = await future
        finally:
            member.abandoned = True
        return answer.result()

    def put(self, record: Record) -> None:
        """Queue `record` for the next group, or for one of its own after `BATCH_DELAY_S`."""
        if self._closing:
            self.backlog.drop(1, why="the store is closed")
        elif self.backlog.put(record):
            with self._wake:
                self._wake.notify()

    async def flush(self) -> None:
        """Return when every record put so far is committed.

        Raises:
            StoreError: they could not be stored; they stay queued.
        """
        batch = Batch(self.backlog)
        await self.submit(batch.write, NO_LIMIT, settled=partial(_settle, batch))

    async def aclose(self) -> None:
        """Finish what waits, store the backlog and end the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._thread.join, limiter=anyio.CapacityLimiter(1))

    def _enqueue(self, member: Member) -> None:
        with self._wake:
            if self._closing:
                raise StoreError("the store is closed")
            self._waiting.append(member)
            self._wake.notify()

    def _serve(self) -> None:
        """The thread: group after group, and after closing one more for the backlog."""
        while self._await_members():
            self._write_group()
        if len(self.backlog):
            self._write_group()
        # One try is enough: a store that closes does not wait for a full disk.
        if len(self.backlog):
            self.backlog.drop(len(self.backlog), why="the store was closed and could not take them")
        self._group.close()
        self._lock.close()

    def _await_members(self) -> bool:
        """Wait until there is something to write; `False` when the store closes and no member waits."""
        with self._wake:
            while not (self._waiting or self._closing):
                if not self._wake.wait(BATCH_DELAY_S if len(self.backlog) else None):
                    return True
            return bool(self._waiting)

    def _write_group(self) -> None:
        members: list[Member] = []
        try:
            # Members are taken under the lock: until then they can be taken back, and more of them can come.
            with self._lock.held():
                members = self._take(GROUP_SIZE)
                self._group.commit(members)
        except StoreBusy as error:
            refuse(self._take(len(self._waiting)), error)
        except BaseException as error:  # a thread that dies would leave every caller waiting
            _log.critical("the writer failed in a way that it should not", exc_info=error)
            # Closing undoes whatever the group had open, so that the next one can begin.
            self._group.close()
            refuse(members, CommitUnknown("the writer failed; it is not known whether this was saved"))

    def _take(self, most: int) -> list[Member]:
        """Members that are still wanted, in the order they came, and the backlog as the last of them."""
        with self._wake:
            taken = [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]
        wanted = [member for member in taken if not member.abandoned]
        late = [member for member in wanted if member.limit.passed()]
        refuse(late, DeadlineExceeded("the deadline passed before the work could begin"))
        members = [member for member in wanted if member not in late]
        if len(self.backlog):
            batch = Batch(self.backlog)
            members.append(Member(work=batch.write, reply=partial(_settle, batch)))
        return members


def _settle(batch: Batch, answer: Answer) -> None:
    batch.settle(answer.error)


def _reply(future: asyncio.Future[Answer], answer: Answer, *, settled: Callable[[Answer], None] | None) -> None:
    """Hand `answer` to the loop of `future`, from the writer thread."""
    if settled is not None:
        settled(answer)
    # A closed loop has nobody left who waits.
    with suppress(RuntimeError):
        future.get_loop().call_soon_threadsafe(_resolve, future, answer)


def _resolve(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():
        future.set_result(answer)
