"""Group commit: many members in one transaction, each undone alone, none answered before COMMIT returned.

Owns the writer's connection and what is done when COMMIT fails. Does not know threads, queues or locks: `writer`
calls it, one group at a time, with the writer lock held.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sqlite.connect import Connect
from fourfold.adapters.sqlite.session import Session
from fourfold.adapters.sqlite.transaction import SqliteTransaction, run_member
from fourfold.errors import CommitUnknown, StoreError
from fourfold.ports.telemetry import Telemetry

__all__ = ["Answer", "GroupCommit", "Member", "refuse"]

_log = logging.getLogger(__name__)

_NEXT_GROUP = "UPDATE fourfold_writer SET group_no = group_no + 1"
_THIS_GROUP = "SELECT group_no FROM fourfold_writer"

_FATE = {True: "was committed", False: "was not committed", None: "cannot be read back"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a member ended: with a value, or with the error that its caller gets."""

    value: object = None
    error: BaseException | None = None
    changed: int = 0

    def result(self) -> Any:
        """The value, or the error raised."""
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(slots=True, kw_only=True, eq=False)
class Member:
    """One write that waits for its group.

    `reply` is called on the writer thread, once the group is committed or the member is refused. `abandoned` is set
    from outside when the caller has gone; it counts until the member is taken into a group.
    """

    work: Callable[[SqliteTransaction], object]
    reply: Callable[[Answer], None]
    limit: Limit = field(default=NO_LIMIT)
    abandoned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Members that have run in an open transaction, and how each ended."""

    session: Session
    number: int
    members: Sequence[Member]
    answers: Sequence[Answer]

    @property
    def lost(self) -> bool:
        """Whether the last member to run took the transaction with it."""
        return not self.session.alive

    def reply(self) -> None:
        """Answer every member with how it ended."""
        for member, answer in zip(self.members, self.answers, strict=True):
            member.reply(answer)


class GroupCommit:
    """Commits groups on one connection, which it opens when needed and replaces after a failed COMMIT."""

    def __init__(self, connect: Connect, path: Path, *, telemetry: Telemetry | None = None) -> None:
        self._connect = connect
        self._path = path
        self._telemetry = telemetry
        self._session: Session | None = None
        self.writes = 0
        """Rows that handlers changed in committed groups."""

    def commit(self, members: Sequence[Member]) -> None:
        """Run `members`, commit and answer them.

        A member that raises is undone alone. One that loses the transaction of all (a trigger's RAISE(ROLLBACK), a
        full disk, an interrupted INSERT) is refused, and the group runs again without it.
        """
        while members:
            try:
                group = self._run(members)
            except StoreError as error:
                refuse(members, error)
                return
            if not group.lost:
                self._finish(group)
                return
            # Answers of the others are forgotten: they saw what the lost member wrote, and it was never committed.
            last = len(group.answers) - 1
            members[last].reply(_loss(group.answers[last]))
            members = [*members[:last], *members[last + 1 :]]

    def close(self) -> None:
        """Close the connection."""
        if self._session is not None:
            self._session.close()

    def _run(self, members: Sequence[Member]) -> _Group:
        """The members run in a new transaction, up to one that loses it."""
        session, number = self._begin()
        answers: list[Answer] = []
        for member in members:
            answers.append(_run_one(session, member))
            if not session.alive:
                break
        return _Group(session=session, number=number, members=members, answers=answers)

    def _begin(self) -> tuple[Session, int]:
        """A transaction that counts itself, so that it can be found again if COMMIT's answer is lost."""
        if self._session is None or self._session.closed:
            self._session = Session.open(self._connect, self._path, read_only=False)
        session = self._session
        session.control("BEGIN IMMEDIATE")
        try:
            session.run(_NEXT_GROUP, sqlite3.Cursor.close)
            return session, session.run(_THIS_GROUP, _single)
        except StoreError:
            session.rollback()
            raise

    def _finish(self, group: _Group) -> None:
        started = perf_counter()
        try:
            group.session.control("COMMIT")
        except StoreError as error:
            self._tell(perf_counter() - started, error=type(error).__name__)
            self._commit_failed(group, error)
        else:
            self._tell(perf_counter() - started)
            self._answer(group)

    def _tell(self, seconds: float, *, error: str = "") -> None:
        if self._telemetry is not None:
            self._telemetry.store_worked("commit", seconds=seconds, error=error)

    def _answer(self, group: _Group) -> None:
        self.writes += sum(answer.changed for answer in group.answers)
        group.reply()

    def _commit_failed(self, group: _Group, error: StoreError) -> None:
        """Find out what became of the group, and answer with that."""
        group.session.rollback()
        if isinstance(error.__cause__, sqlite3.IntegrityError) and len(group.members) > 1:
            # A deferred foreign key of one member; alone, each commits or fails for itself.
            for member in group.members:
                self.commit([member])
            return
        # The connection may be broken, or may remember more than the file holds; a new one sees what is there.
        group.session.close()
        committed = self._committed(group.number)
        _log.error("COMMIT failed; the group %s", _FATE[committed], exc_info=error)
        if committed:
            self._answer(group)
            return
        for member, answer in zip(group.members, group.answers, strict=True):
            # What a member undid itself was not saved, whatever became of the group.
            unknown = committed is None and answer.error is None
            refuse([member], CommitUnknown(str(error)) if unknown else StoreError(f"nothing was saved: {error}"))

    def _committed(self, number: int) -> bool | None:
        """Whether group `number` is in the database, read on a new connection; `None` if that fails."""
        try:
            self._session = Session.open(self._connect, self._path, read_only=False)
            self._session.control("BEGIN")
            found = self._session.run(_THIS_GROUP, _single)
        except StoreError:
            return None
        self._session.rollback()
        # The writer lock is still held, so nobody else has counted on.
        return found >= number


def refuse(members: Sequence[Member], error: StoreError) -> None:
    """Answer each member with an error of its own, so that callers do not share one traceback."""
    for member in members:
        own = type(error)(*error.args)
        own.__cause__ = error
        member.reply(Answer(error=own))


def _run_one(session: Session, member: Member) -> Answer:
    try:
        value, changed = run_member(session, member.work, limit=member.limit)
    except BaseException as error:  # all of it is the caller's, SystemExit too: this thread lives on
        return Answer(error=error)
    return Answer(value=value, changed=changed)


def _loss(answer: Answer) -> Answer:
    """What the member that lost the transaction is told."""
    if isinstance(answer.error, StoreError):
        return answer
    error = StoreError("this work undid the transaction that it ran in, so nothing of it was saved")
    error.__cause__ = answer.error
    return Answer(error=error)


def _single(cursor: sqlite3.Cursor) -> int:
    """The only value of the only row."""
    return cursor.fetchone()[0]
