"""The invoke stage: handlers, the faults that they may raise, and what stays inside."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from fourfold import (
    Caller,
    Create,
    Fault,
    ObservableRead,
    Preview,
    Read,
    Retry,
    StaleVersion,
    UpstreamRejected,
    UpstreamUnavailable,
    WrongState,
)
from fourfold.ports.clock import Clock
from fourfold.testing import open_kit
from tests.stages.desk import (
    ACCOUNT,
    FileClosed,
    FileLocked,
    Note,
    NoteAdd,
    Notes,
    Nothing,
    Said,
    SaidOnce,
    UnknownAccount,
    one_tool,
)

HI = {"account_id": ACCOUNT, "text": "hi"}


class FileBurnt(FileClosed):
    """A kind of closed file that no contract declares."""

    code = "file_burnt"


class FileShut(FileClosed):
    """A closed file by another class and the same code."""


class Stranger(Fault):
    """Nobody declared this: password=hunter2."""

    code, retry, next_step = "stranger", Retry.NEVER, "Look away"


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (FileClosed(), "file_closed"),
        (FileShut(), "file_closed"),
        (UnknownAccount(), "unknown_account"),
        (FileLocked(retry_after_ms=50), "file_locked"),
        (WrongState("Finalize the invoice first"), "wrong_state"),
        (StaleVersion(current_version="v3"), "stale_version"),
        (UpstreamUnavailable(retry_after_ms=30_000), "upstream_unavailable"),
        (UpstreamRejected(), "upstream_rejected"),
    ],
)
@pytest.mark.parametrize("effect", [Read(), Create()])
def test_a_declared_fault_is_answered_as_it_was_raised(raised: Fault, code: str, effect: Any) -> None:
    """A4, B7: the contract's own, missing, and those of the framework."""

    def handler(request: NoteAdd) -> Note:
        raise raised

    catalog = one_tool(handler, effect, faults=[FileClosed, FileLocked], missing=UnknownAccount)
    with open_kit(catalog) as kit:
        answer = kit.call("note_add", HI)

        assert (answer.kind, answer.code) == ("rejected", code)
        assert answer.fault == raised.detail()


@pytest.mark.parametrize("raised", [FileBurnt(), Stranger(), Fault("password=hunter2"), UnknownAccount()])
@pytest.mark.parametrize("effect", [Read(), Create()])
def test_an_undeclared_fault_is_internal(raised: Fault, effect: Any) -> None:
    """A4, A5: also a subclass with a code of its own, and the bare class; the run says which, redacted."""

    def handler(request: NoteAdd) -> Note:
        raise raised

    with open_kit(one_tool(handler, effect, faults=[FileClosed])) as kit:
        answer = kit.call("note_add", HI)

        assert (answer.kind, answer.code) == ("failed", "internal")
        note = kit.runs()[0].note
        assert f"the handler raised {type(raised).__name__}, which its contract does not declare" in note
        assert "hunter2" not in note


async def waits(request: SaidOnce) -> Said:
    """Lets others run, then answers or fails."""
    await anyio.lowlevel.checkpoint()
    if request.word == "closed":
        raise FileClosed
    if request.word == "stranger":
        raise Stranger
    if request.word == "exit":
        raise SystemExit
    if request.word == "stop":
        raise StopIteration
    if request.word == "broken":
        raise ConnectionError("no route to db.internal")
    if request.word == "slow":
        raise TimeoutError("db.internal did not answer")
    return Said(text=request.word)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("fine", ""),
        ("closed", "file_closed"),
        *((word, "internal") for word in ("stranger", "exit", "stop", "broken", "slow")),
    ],
)
@pytest.mark.parametrize("effect", [Read(), ObservableRead(), Preview()])
def test_an_async_handler_ends_in_the_same_ways(word: str, code: str, effect: Any) -> None:
    """A3, A5: a timeout that the handler met itself is not the deadline of the call."""
    with open_kit(one_tool(waits, effect, faults=[FileClosed])) as kit:
        answer = kit.call("note_add", {"word": word})

        assert answer.code == code
        assert "db.internal" not in repr(answer)


def test_parameters_are_filled_by_type() -> None:
    """A3: whatever they are called, in a handler that imports no protocol."""

    def handler(anything: NoteAdd, whoever: Caller, when: Clock, where: Notes) -> Note:
        body = f"{whoever.principal} at {when.now_ms()}"
        return Note(note_id=where.add(anything.account_id, body), flags=[])

    with open_kit(one_tool(handler, Create())) as kit:
        assert kit.call("note_add", HI).structured == {"note_id": 1, "flags": []}
        assert kit.writes == 1


def test_a_read_has_no_way_to_write() -> None:
    """B4, B5: the effect is enforced, not believed; nothing of it reaches the caller."""

    def handler(request: Nothing, notes: Notes) -> Said:
        notes.add(ACCOUNT, "sneaked in")
        return Said(text="ok")

    with open_kit(one_tool(handler, Read())) as kit:
        assert kit.call("note_add").code == "internal"
        assert kit.writes == 0
        assert "a read-only unit cannot write" in kit.runs()[0].note


def test_a_handler_cannot_keep_its_unit() -> None:
    """B4: what is written after the answer belongs to no transaction."""
    kept: list[Notes] = []

    def handler(request: Nothing, notes: Notes) -> Said:
        for earlier in kept:
            earlier.add(ACCOUNT, "late")
        kept.append(notes)
        return Said(text="ok")

    with open_kit(one_tool(handler, Create())) as kit:
        codes = [kit.call("note_add", key=key).code for key in ("k" * 16, "l" * 16)]

        assert codes == ["", "internal"]
        assert kit.writes == 0
