"""The claim stage: one effect for one intent, in one transaction with its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold import Catalog, Create, Decision, Limits, PolicyQuestion, Unit
from fourfold.errors import CommitUnknown, StoreBusy, StoreError
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.outcome import Done
from fourfold.model.run import Run
from fourfold.ports.claims import Claims
from fourfold.ports.runs import Runs
from fourfold.testing import Kit, caller, open_kit
from tests.stages.desk import ACCOUNT, FileClosed, FileLocked, FileMoved, Note, NoteAdd, Notes, add, desk, one_tool
from tests.stages.serving import Failing, Served, over, serving

KEY, OTHER_KEY = "a-key-of-16-signs", "another-key-of-it"
HI = {"account_id": ACCOUNT, "text": "hi"}
WINDOW_S = 600


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store of each kind."""
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/notes.db"


async def notes_in(served: Served) -> int:
    """How many notes there are."""
    return int((await served.call("note_count")).structured["text"])


@pytest.mark.anyio
async def test_thirty_callers_of_one_key_make_one_note(store: str) -> None:
    """D1: thirty equal answers, twenty-nine of them replays."""
    async with serving(desk(), store=store) as served:
        answers = await served.together([("note_add", HI)] * 30, key=KEY)

        assert {answer.outcome.structured for answer in answers if isinstance(answer.outcome, Done)} == {
            b'{"note_id":1,"flags":[]}'
        }
        assert len({(answer.operation_id, answer.outcome.run_id) for answer in answers}) == 1
        assert sorted(answer.replayed for answer in answers) == [False] + [True] * 29
        assert await notes_in(served) == 1


@pytest.mark.anyio
async def test_thirty_callers_without_a_key_make_one_note(store: str) -> None:
    """D1, MP-088: twenty-nine are told which operation they repeat."""
    async with serving(desk(), store=store) as served:
        answers = await served.together([("note_add", HI)] * 30)

        (done,) = (answer for answer in answers if answer.ok)
        others = [answer for answer in answers if not answer.ok]
        assert {(answer.code, answer.operation_id) for answer in others} == {("possible_duplicate", done.operation_id)}
        assert await notes_in(served) == 1


def test_a_twin_without_a_key_is_told_what_it_repeats(kit: Kit) -> None:
    """D1, B7: the earlier operation by name, and how to say again."""
    first = kit.call("note_add", HI)
    twin = kit.call("note_add", HI)

    assert (twin.kind, twin.code, twin.operation_id) == ("rejected", "possible_duplicate", first.operation_id)
    assert twin.fault is not None
    assert twin.fault.text == (
        f"possible_duplicate: The same call was made just now as operation {first.operation_id}. "
        "If it is meant as a second one, send it again with a new idempotency_key."
    )
    assert kit.writes == 1


@pytest.mark.parametrize(("seconds", "writes"), [(0, 1), (WINDOW_S - 0.001, 1), (WINDOW_S, 2), (86_400, 2)])
def test_a_twin_is_a_twin_for_ten_minutes(kit: Kit, seconds: float, writes: int) -> None:
    """D1, MP-088: an intended repeat, much later and without a key, is allowed."""
    kit.call("note_add", HI)
    kit.clock.advance(seconds)
    kit.call("note_add", HI)

    assert kit.writes == writes


def test_the_window_is_the_contracts() -> None:
    """B4: a tool may declare a shorter one."""
    with open_kit(desk(effect=Create(window_s=5))) as kit:
        kit.call("note_add", HI)
        kit.clock.advance(5)

        assert kit.call("note_add", HI).ok


@pytest.mark.parametrize(("first", "second"), [(KEY, OTHER_KEY), (None, KEY)])
def test_a_new_key_separates_two_equal_calls(kit: Kit, first: str | None, second: str) -> None:
    """D1: both happen; the second says whose twin it is, in its replay too."""
    one = kit.call("note_add", HI, key=first)
    two, again = (kit.call("note_add", HI, key=second) for _ in range(2))

    assert isinstance(one.outcome, Done)
    assert isinstance(two.outcome, Done)
    assert isinstance(again.outcome, Done)
    assert (one.outcome.twin_of, two.outcome.twin_of, again.outcome.twin_of) == (None, *[one.operation_id] * 2)
    assert kit.writes == 2


def test_a_twin_is_of_the_same_caller_and_arguments(kit: Kit) -> None:
    """D1: other notes, other principals and other tenants have nothing to do with it."""
    for by, text in ((caller(), "hi"), (caller(), "ho"), (caller("other"), "hi")):
        assert kit.call("note_add", {**HI, "text": text}, by=by).ok

    assert kit.writes == 3


def test_a_tool_may_refuse_a_twin_with_a_new_key() -> None:
    """D1, B4: for money that leaves; the advice does not lead into the same refusal."""
    with open_kit(desk(effect=Create(duplicates="refuse"))) as kit:
        first = kit.call("note_add", HI, key=KEY)
        twin = kit.call("note_add", HI, key=OTHER_KEY)

        assert (twin.code, twin.operation_id) == ("possible_duplicate", first.operation_id)
        assert twin.fault is not None
        assert twin.fault.next_step == "If a second one is meant, ask the user, and send it 600 seconds after the first"
        kit.clock.advance(WINDOW_S)
        assert kit.call("note_add", HI, key=OTHER_KEY).ok


@pytest.mark.parametrize("text", ["closed", "locked", "moved", "broken"])
def test_a_fault_undoes_what_the_handler_wrote(kit: Kit, text: str) -> None:
    """B4, D1: whatever its verb, with a key and without."""
    kit.call("note_add", {**HI, "text": text}, key=KEY)
    kit.call("note_add", {**HI, "text": text})

    assert kit.writes == 0
    assert kit.call("note_count").structured == {"text": "0"}


@pytest.mark.parametrize(
    ("text", "code"),
    [("locked", "file_locked"), ("moved", "file_moved"), ("broken", "internal"), ("late", "deadline_exceeded")],
)
def test_a_fault_that_may_pass_frees_the_key(text: str, code: str) -> None:
    """D1: the second try under the same key runs, and succeeds."""
    tried: list[str] = []

    def add_at_last(request: NoteAdd, notes: Notes) -> Note:
        tried.append(request.text)
        if len(tried) > 1:
            return Note(note_id=notes.add(request.account_id, "at last"), flags=[])
        if text == "late":
            kit.clock.advance(60)
        return add(request, notes)

    catalog = one_tool(add_at_last, Create(), faults=[FileClosed, FileLocked, FileMoved])
    with open_kit(catalog) as kit:
        arguments = {**HI, "text": text}
        assert kit.call("note_add", arguments, key=KEY).code == code
        again = kit.call("note_add", arguments, key=KEY)

        assert again.ok
        assert not again.replayed
        assert kit.writes == 1


def test_a_final_fault_without_a_key_is_not_kept(kit: Kit) -> None:
    """D1: nobody can ask for it again, and the next call may fare better."""
    kit.call("note_add", {**HI, "text": "closed"})

    assert kit.call("note_add", {**HI, "text": "closed"}).code == "file_closed"


def test_a_final_fault_names_its_operation(kit: Kit) -> None:
    """B7, D1: what is kept can be asked for."""
    answer = kit.call("note_add", {**HI, "text": "closed"}, key=KEY)

    assert answer.operation_id is not None
    assert answer.operation_id == kit.runs()[0].operation_id


def test_a_result_that_is_too_large_undoes_the_write() -> None:
    """B19, B4: nothing is saved that could not be answered, and the key is free."""
    with open_kit(desk(limits=Limits(result_bytes=30))) as kit:
        answer = kit.call("note_add", {**HI, "text": "x" * 101, "copies": 2}, key=KEY)

        assert (answer.kind, answer.code) == ("rejected", "result_too_large")
        assert kit.writes == 0
        assert kit.call("note_add", HI, key=KEY).ok


class Refusing:
    """Runs that refuse to be inserted with an effect."""

    def __init__(self, real: Runs) -> None:
        self._real = real
        self.append = real.append

    def insert(self, unit: Unit, run: Run) -> None:
        """Fail as a full disk would."""
        raise StoreError("disk full at /var/lib/notes")


@pytest.mark.anyio
async def test_a_write_is_undone_when_its_run_cannot_be_stored() -> None:
    """A9, D1: the run is in the effect's transaction, so there is none of them without the other."""
    async with serving(desk()) as served:
        refusing = over(served, runs=Refusing(served.service.ports.runs))
        answer = await refusing.call("note_add", HI, key=KEY)

        assert answer.code == "internal"
        assert await notes_in(served) == 0
        assert [record.run.outcome for record in await served.records()] == ["done", "failed"]
        assert not (await served.call("note_add", HI, key=KEY)).replayed


@pytest.mark.anyio
async def test_a_lost_commit_is_unknown_and_never_repeated_blindly() -> None:
    """D1, MP-089: the caller is told what to look with; the run is there, and the same key finds out."""
    async with serving(desk()) as served:
        failing = over(served, units=Failing(served.service.ports.units, CommitUnknown("connection reset")))
        answer = await failing.call("note_add", HI, key=KEY)

        assert (answer.kind, answer.code) == ("unknown", "outcome_unknown")
        assert answer.fault is not None
        assert answer.fault.next_step == "Do not repeat it; look with note_count, or ask the user to check"
        again = await served.call("note_add", HI, key=KEY)
        assert (again.replayed, again.operation_id) == (True, answer.operation_id)


class NoCounting:
    """Nobody sees `note_count`."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """By the tool."""
        return Decision(verdict="deny" if question.contract.name == "note_count" else "allow")


@pytest.mark.anyio
@pytest.mark.parametrize("catalog", [one_tool(add, Create(), faults=[FileClosed]), desk(NoCounting())])
async def test_without_a_reading_tool_the_user_is_asked_to_check(catalog: Catalog) -> None:
    """D1, B11: only tools that this caller has are named."""
    async with serving(catalog) as served:
        failing = over(served, units=Failing(served.service.ports.units, CommitUnknown("connection reset")))
        answer = await failing.call("note_add", HI)

        assert answer.fault is not None
        assert answer.fault.next_step == "Do not repeat it; read the resource or ask the user to check"


@pytest.mark.anyio
async def test_a_store_that_another_process_holds_is_too_busy() -> None:
    """B19: waiting helps; the reason is in the run."""
    async with serving(desk()) as served:
        busy = over(served, units=Failing(served.service.ports.units, StoreBusy("pid 17 writes")))
        answer = await busy.call("note_add", HI)

        assert (answer.kind, answer.code) == ("rejected", "too_busy")
        assert answer.fault is not None
        assert answer.fault.retry_after_ms == 1_000


class Late:
    """Claims that see an earlier one only when they take theirs, as a database with many writers may."""

    def __init__(self, real: Claims) -> None:
        self._real = real
        self.twin = real.twin
        self.take = real.take

    def find(self, unit: Unit, scope: ClaimScope) -> Claim | None:
        """Not yet."""
        return None


@pytest.mark.anyio
async def test_the_unique_key_arbitrates_between_two_takers() -> None:
    """D1: who comes second gets the answer of the first, and what it has begun is undone."""
    async with serving(desk()) as served:
        first = await served.call("note_add", HI, key=KEY)
        answer = await over(served, claims=Late(served.service.ports.claims)).call("note_add", HI, key=KEY)

        assert (answer.replayed, answer.operation_id) == (True, first.operation_id)
        assert await notes_in(served) == 1
