"""A small catalog of notes with every effect that the checks are about: what the framework makes of it is sound."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Create,
    Destroy,
    Fault,
    Input,
    Output,
    Page,
    PageRequest,
    Preview,
    Read,
    Resource,
    Retry,
    Row,
    Unit,
    Update,
    WrongState,
)
from fourfold.effects import Impact, PlanTerms

__all__ = ["catalog"]

catalog = Catalog("shelf")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS note
  (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, text TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL)
"""
NoteId = Annotated[str, Field(pattern=r"^note-\d{1,9}$", max_length=14, examples=["note-1"])]
Text = Annotated[str, Field(min_length=1, max_length=100)]
Version = Annotated[str, Field(max_length=10)]
Action = Literal["note_update", "note_archive", "note_delete_plan", "note_publish_plan"]


class UnknownNote(Fault):
    """No note with that id is visible to you."""

    code, retry, next_step = "unknown_note", Retry.NEVER, "Ask the user which note they mean"


class Draft(Input):
    text: Text


class Key(Input):
    note_id: NoteId


class Change(Input):
    note_id: NoteId
    text: Text


class Pair(Input):
    note_id: NoteId
    other_id: NoteId


class Nothing(Input):
    pass


class Note(Output):
    note_id: NoteId
    text: Text
    version: Version
    allowed_actions: Annotated[list[Action], Field(max_length=4)]


class Gone(Output):
    note_id: NoteId


class Length(Output):
    letters: Annotated[int, Field(ge=0, le=100)]


class Notes:
    """The notes of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self.unit = unit
        self.tenant = caller.tenant

    def row(self, note_id: str) -> Row | None:
        sql = "SELECT * FROM note WHERE tenant = ? AND id = ?"
        return self.unit.row(sql, (self.tenant, int(note_id.removeprefix("note-"))))

    def get(self, note_id: str) -> Note:
        row = self.row(note_id)
        if row is None:
            raise UnknownNote
        return shown(row)

    def change(self, note_id: str, change: str, *values: Any) -> Note:
        if self.row(note_id) is None:
            raise UnknownNote
        number = int(note_id.removeprefix("note-"))
        sql = f"UPDATE note SET {change}, version = version + 1 WHERE tenant = ? AND id = ?"  # noqa: S608  a test's own
        self.unit.execute(sql, (*values, self.tenant, number))
        return self.get(note_id)


def shown(row: Row) -> Note:
    """A note as it is answered with."""
    actions: list[Action] = ["note_update", "note_archive", "note_delete_plan", "note_publish_plan"]
    allowed = actions if row["state"] == "open" else actions[2:]
    number, version = row["id"], str(row["version"])
    return Note(note_id=f"note-{number}", text=row["text"], version=version, allowed_actions=allowed)


catalog.provide(Notes)


@catalog.prepare
def tables(unit: Unit) -> None:
    unit.execute(_SCHEMA)
    for number in range(1, 7):
        tenant = "one" if number % 2 else "two"
        unit.execute("INSERT OR IGNORE INTO note VALUES (?, ?, ?, 'open', 1)", (number, tenant, f"Note {number}"))


def on_note(request: Key, notes: Notes) -> Resource | None:
    row = notes.row(request.note_id)
    return None if row is None else Resource(id=request.note_id, version=str(row["version"]))


def on_change(request: Change, notes: Notes) -> Resource | None:
    return on_note(Key(note_id=request.note_id), notes)


def impact(request: Key, notes: Notes) -> Impact:
    return Impact(summary=f"Acts on {request.note_id}: {notes.get(request.note_id).text}")


def _open(note: Note) -> None:
    if "note_update" not in note.allowed_actions:
        raise WrongState


_ABOUT: dict[str, Any] = {"version": "1.0", "use_when": "the user asks for it", "not_for": "anything else"}


@catalog.tool(name="note_create", does="Saves a note", effect=Create(), **_ABOUT)
def note_create(request: Draft, notes: Notes) -> Note:
    sql = "INSERT INTO note (tenant, text, state, version) VALUES (?, ?, 'open', 1)"
    notes.unit.execute(sql, (notes.tenant, request.text))
    found = notes.unit.row("SELECT max(id) AS id FROM note")
    return notes.get(f"note-{found['id'] if found else 0}")


@catalog.tool(name="note_join", does="Joins two notes", effect=Create(), missing=UnknownNote, **_ABOUT)
def note_join(request: Pair, notes: Notes) -> Gone:
    notes.change(request.note_id, "text = text")
    return Gone(note_id=notes.change(request.other_id, "text = text").note_id)


@catalog.tool(
    name="note_update", does="Changes a note", effect=Update(), missing=UnknownNote, resource=on_change, **_ABOUT
)
def note_update(request: Change, notes: Notes) -> Note:
    _open(notes.get(request.note_id))
    return notes.change(request.note_id, "text = ?", request.text)


@catalog.tool(
    name="note_archive", does="Archives a note", effect=Update(), missing=UnknownNote, resource=on_note, **_ABOUT
)
def note_archive(request: Key, notes: Notes) -> Note:
    _open(notes.get(request.note_id))
    return notes.change(request.note_id, "state = 'archived'")


@catalog.tool(
    name="note_delete",
    does="Deletes a note",
    effect=Destroy(plan=PlanTerms(impact=impact)),
    missing=UnknownNote,
    resource=on_note,
    **_ABOUT,
)
def note_delete(request: Key, notes: Notes) -> Gone:
    notes.unit.execute("DELETE FROM note WHERE id = ?", (int(request.note_id.removeprefix("note-")),))
    return Gone(note_id=request.note_id)


@catalog.tool(
    name="note_publish",
    does="Publishes a note",
    effect=Update(plan=PlanTerms(impact=impact, approval="second_person")),
    missing=UnknownNote,
    resource=on_note,
    **_ABOUT,
)
def note_publish(request: Key, notes: Notes) -> Note:
    return notes.change(request.note_id, "text = text")


@catalog.tool(name="note_get", does="Shows a note", effect=Read(), missing=UnknownNote, **_ABOUT)
def note_get(request: Key, notes: Notes) -> Note:
    return notes.get(request.note_id)


@catalog.tool(name="note_measure", does="Measures a note before it is saved", effect=Preview(), **_ABOUT)
def note_measure(request: Draft) -> Length:
    return Length(letters=len(request.text))


@catalog.tool(name="note_list", does="Lists notes", effect=Read(), page_limit=50, **_ABOUT)
def note_list(request: Nothing, notes: Notes, page: PageRequest) -> Page[Note]:
    sql = "SELECT * FROM note WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?"
    after = int(page.after[0]) if page.after else 0
    rows = notes.unit.rows(sql, (notes.tenant, after, page.limit + 1))
    return Page[Note].of([shown(row) for row in rows], page, position=lambda note: (note.note_id[5:],))
