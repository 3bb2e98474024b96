"""A state machine over callers, keys, arguments, faults and time, against a model in plain Python."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from fourfold import Caller
from fourfold.model.outcome import Done
from fourfold.model.run import Run
from fourfold.testing import Answer, FixedClock, caller, open_kit
from tests.stages.desk import ACCOUNT, desk
from tests.stages.serving import Served, serving

WINDOW_MS = 600_000
CALLERS = [caller("ann"), caller("bob"), caller("ann", tenant="globex")]
KEYS = [None, "first-key-of-16-s", "second-key-of-16-"]
TEXTS = ["a", "b", "closed", "locked", "broken"]
FAULTS = {"closed": "file_closed", "locked": "file_locked", "broken": "internal"}
ACCOUNTS = {"acme": ACCOUNT, "globex": "acct-9"}


class Desk(Protocol):
    """What the machine drives: the kit, or the same on a file."""

    @property
    def clock(self) -> FixedClock:
        """The time of everything."""
        ...

    def together(
        self, calls: Sequence[tuple[str, Mapping[str, Any]]], *, by: Caller | None = None, key: str | None = None
    ) -> list[Answer]:
        """Calls at the same time."""
        ...

    def runs(self) -> list[Run]:
        """Every run so far."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A claim, as the model knows it."""

    who: tuple[str, str]
    key: str | None
    text: str
    at_ms: int
    answer: Answer


class Desks(RuleBasedStateMachine):
    """Every answer is what the model says, and nothing happens twice."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = self.open()
        self.desk = self.opened.__enter__()
        self.kept: list[Kept] = []
        self.effects = dict.fromkeys(ACCOUNTS, 0)
        self.calls = 0

    def open(self) -> AbstractContextManager[Desk]:
        """The desk on a store of its own."""
        return open_kit(desk())

    def teardown(self) -> None:
        """Close the store."""
        self.opened.__exit__(None, None, None)

    @rule(seconds=st.sampled_from([0.001, 1, 599.999, 600, 4_000]))
    def time_passes(self, seconds: float) -> None:
        """The window of twins closes."""
        self.desk.clock.advance(seconds)

    @rule(by=st.sampled_from(CALLERS), key=st.sampled_from(KEYS), text=st.sampled_from(TEXTS), times=st.integers(1, 3))
    def calls_arrive(self, by: Caller, key: str | None, text: str, times: int) -> None:
        """One call, or several equal ones at once; the model takes them one after the other."""
        arguments = {"account_id": ACCOUNTS[by.tenant], "text": text}
        answers = self.desk.together([("note_add", arguments)] * times, by=by, key=key)
        self.calls += times

        # Those that ran come first in the order of the model, whichever caller they belong to.
        for answer in sorted(answers, key=lambda found: (found.replayed, found.code == "possible_duplicate")):
            self.judge(answer, by=by, key=key, text=text)

    def judge(self, answer: Answer, *, by: Caller, key: str | None, text: str) -> None:
        """Compare one answer with the model, and let the model follow."""
        who, now = (by.tenant, by.principal), self.desk.clock.ms
        mine = [kept for kept in self.kept if kept.who == who]
        claimed = next((kept for kept in mine if key is not None and kept.key == key), None)
        if claimed is not None:
            assert_answers_for(answer, claimed, text=text)
            return
        happened = [kept for kept in mine if kept.answer.ok]
        twins = [kept for kept in happened if kept.text == text and now - kept.at_ms < WINDOW_MS]
        if twins and key is None:
            assert (answer.code, answer.operation_id) == ("possible_duplicate", twins[-1].answer.operation_id)
            return
        assert (answer.code, answer.replayed) == (FAULTS.get(text, ""), False)
        if isinstance(answer.outcome, Done):
            self.effects[by.tenant] += 1
            assert answer.structured["note_id"] == self.effects[by.tenant]
            assert answer.outcome.twin_of == (twins[-1].answer.operation_id if twins else None)
        if answer.ok or (text == "closed" and key is not None):
            self.kept.append(Kept(who=who, key=key, text=text, at_ms=now, answer=answer))

    @invariant()
    def every_effect_is_there_once(self) -> None:
        """At most one for each intent: the notes are those of the model."""
        for by in (CALLERS[0], CALLERS[2]):
            (answer,) = self.desk.together([("note_count", {})], by=by)
            self.calls += 1
            assert answer.structured == {"text": str(self.effects[by.tenant])}

    @invariant()
    def every_call_has_one_run(self) -> None:
        """And each run an id of its own."""
        runs = self.desk.runs()
        assert len({run.run_id for run in runs}) == len(runs) == self.calls


def assert_answers_for(answer: Answer, claimed: Kept, *, text: str) -> None:
    """A used key: the same answer for the same call, a conflict for any other."""
    if claimed.text != text:
        assert (answer.code, answer.operation_id) == ("idempotency_conflict", claimed.answer.operation_id)
    elif isinstance(claimed.answer.outcome, Done):
        assert answer.outcome == replace(claimed.answer.outcome, replayed=True)
    else:
        assert answer.replayed
        assert answer.fault == claimed.answer.fault


@dataclass(frozen=True, slots=True)
class FileDesk:
    """The desk on a SQLite file."""

    portal: BlockingPortal
    served: Served
    clock: FixedClock

    def together(
        self, calls: Sequence[tuple[str, Mapping[str, Any]]], *, by: Caller | None = None, key: str | None = None
    ) -> list[Answer]:
        """Calls at the same time."""
        return self.portal.call(lambda: self.served.together(calls, by=by, key=key))

    def runs(self) -> list[Run]:
        """Every run so far."""
        return [record.run for record in self.portal.call(self.served.records)]


@contextmanager
def file_desk() -> Generator[FileDesk]:
    """A desk on a new file."""
    clock = FixedClock()
    with tempfile.TemporaryDirectory() as folder, start_blocking_portal() as portal:
        opening = serving(desk(), store=f"sqlite:///{Path(folder)}/notes.db", clock=clock)
        with portal.wrap_async_context_manager(opening) as served:
            yield FileDesk(portal, served, clock)


class FileDesks(Desks):
    """The same on SQLite, where writes go through groups on a thread of their own."""

    def open(self) -> AbstractContextManager[Desk]:
        """The desk on a new file."""
        return file_desk()


class TestMemory(Desks.TestCase):
    """D1, A9: the kit's store."""

    settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


class TestSqlite(FileDesks.TestCase):
    """D1, A9: the embedded store, with fewer steps: each write waits for the disk."""

    settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
