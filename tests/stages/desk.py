"""A small domain for tests of the stages: notes on accounts, in one table, each tenant with its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Create,
    Decision,
    Fault,
    Input,
    Output,
    PolicyQuestion,
    Read,
    Retry,
    RunDraft,
    Subject,
    Unit,
)
from fourfold.model.effect import Effect
from fourfold.ports.policy import Policy

__all__ = [
    "ACCOUNT",
    "FOREIGN",
    "FileClosed",
    "FileLocked",
    "FileMoved",
    "Fixed",
    "Note",
    "NoteAdd",
    "Notes",
    "Nothing",
    "Said",
    "SaidOnce",
    "UnknownAccount",
    "add",
    "desk",
    "one_tool",
    "said",
]

ACCOUNT = "acct-1"
FOREIGN = "acct-9"
"""An account of the tenant `globex`."""

Flag = Literal["long", "copied"]


class NoteAdd(Input):
    """A note for an account."""

    account_id: Annotated[str, Field(pattern=r"^acct-\d{1,6}$", max_length=11), Subject()]
    text: Annotated[str, Field(min_length=1, max_length=200)]
    copies: Annotated[int, Field(ge=1, le=100)] = 1


class Note(Output):
    """The note that was added."""

    note_id: Annotated[int, Field(ge=1, le=1_000_000)]
    flags: Annotated[list[Flag], Field(max_length=3)]


class Nothing(Input):
    """No arguments at all."""


class SaidOnce(Input):
    """One word."""

    word: Annotated[str, Field(max_length=100)] = ""


class Said(Output):
    """Some text."""

    text: Annotated[str, Field(max_length=100_000)]


class UnknownAccount(Fault):
    """No account with that id is visible to you."""

    code, retry, next_step = "unknown_account", Retry.NEVER, "Ask the user which account they mean"


class FileClosed(Fault):
    """The file of this account is closed."""

    code, retry, next_step = "file_closed", Retry.NEVER, "Tell the user that the file is closed"


class FileLocked(Fault):
    """Somebody else works on this file."""

    code, retry, next_step = "file_locked", Retry.AFTER, "Wait, then repeat the call"


class FileMoved(Fault):
    """The file has moved."""

    code, retry, next_step = "file_moved", Retry.REFRESH, "Read the account again"


def prepare(unit: Unit) -> None:
    """The domain's tables, with two accounts of `acme` and one of `globex`."""
    unit.execute("CREATE TABLE IF NOT EXISTS account (id TEXT PRIMARY KEY, tenant TEXT NOT NULL)")
    unit.execute(
        "CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, account_id TEXT NOT NULL,"
        " body TEXT NOT NULL)"
    )
    for account, tenant in ((ACCOUNT, "acme"), ("acct-2", "acme"), (FOREIGN, "globex")):
        unit.execute("INSERT OR IGNORE INTO account (id, tenant) VALUES (?, ?)", (account, tenant))


class Notes:
    """The notes of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def knows(self, account_id: str) -> bool:
        """Whether the tenant has that account."""
        found = self._unit.row("SELECT 1 FROM account WHERE id = ? AND tenant = ?", (account_id, self._tenant))
        return found is not None

    def add(self, account_id: str, body: str) -> int:
        """Write a note; its number."""
        values = (self._tenant, account_id, body)
        self._unit.execute("INSERT INTO note (tenant, account_id, body) VALUES (?, ?, ?)", values)
        return self.count()

    def count(self) -> int:
        """How many notes the tenant has."""
        found = self._unit.row("SELECT count(*) AS n FROM note WHERE tenant = ?", (self._tenant,))
        return int(found["n"]) if found else 0


FAULTS: dict[str, Fault] = {"closed": FileClosed(), "locked": FileLocked(retry_after_ms=2_000), "moved": FileMoved()}


def add(request: NoteAdd, notes: Notes) -> Note:
    """Write the note first, then fail in the way that its text names."""
    if not notes.knows(request.account_id):
        raise UnknownAccount
    note_id = notes.add(request.account_id, request.text)
    if request.text in FAULTS:
        raise FAULTS[request.text]
    if request.text == "broken":
        raise RuntimeError("cannot reach postgresql://svc:hunter2@db.internal/prod, password=hunter2")
    flags: list[Flag] = ["long"] if len(request.text) > 100 else []
    return Note(note_id=note_id, flags=[*flags, "copied"] if request.copies > 1 else flags)


def said(request: SaidOnce, run: RunDraft) -> Said:
    """Say the word back; the run's Subject is the word."""
    run.subject = request.word or run.subject
    return Said(text=request.word)


class Fixed:
    """Answers every call alike; at listing it allows."""

    def __init__(self, verdict: Any, reason: str = "") -> None:
        self._decision = Decision(verdict=verdict, reason=reason)

    def decide(self, question: PolicyQuestion) -> Decision:
        """One decision for all."""
        return self._decision if question.arguments is not None else Decision(verdict="allow")


def one_tool(handler: Callable[..., Any], effect: Effect | None = None, **contract: Any) -> Catalog:
    """A catalog of the one tool `note_add`, on the domain's tables, with `contract` on top of what is needed."""
    catalog = Catalog("desk", policy=contract.pop("policy", None))
    catalog.provide(Notes)
    catalog.prepare(prepare)
    declared: dict[str, Any] = {
        "name": "note_add",
        "version": "1.0",
        "does": "Adds a note to the file of an account",
        "use_when": "the user wants a note kept",
        "not_for": "reading notes that are there",
        **contract,
    }
    catalog.tool(effect=effect or Read(), **declared)(handler)
    return catalog


def desk(policy: Policy | None = None, **contract: Any) -> Catalog:
    """The catalog of `note_add` as a `Create` with its faults, and the reads `note_count` and `word_say`."""
    declared: dict[str, Any] = {"missing": UnknownAccount, "faults": [FileClosed, FileLocked, FileMoved], **contract}
    catalog = one_tool(add, declared.pop("effect", Create()), policy=policy, **declared)

    @catalog.tool(
        name="word_say",
        version="1.0",
        does="Says one word back to you",
        use_when="the connection is tried out",
        not_for="anything that is kept",
        effect=Read(),
    )
    def word_say(request: SaidOnce, run: RunDraft) -> Said:
        return said(request, run)

    @catalog.tool(
        name="note_count",
        version="1.0",
        does="Counts every note of the tenant",
        use_when="the user asks how many there are",
        not_for="adding one",
        effect=Read(),
    )
    def note_count(request: Nothing, notes: Notes) -> Said:
        return Said(text=str(notes.count()))

    return catalog
