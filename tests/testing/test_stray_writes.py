"""A handler that writes to the store on a connection of its own, which no transaction of ours can undo."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Catalog, Create, Input, Output, Read, Unit
from fourfold.effects import Blind, Impact, PlanTerms
from fourfold.testing import StrayWrite, call, open_kit


class Note(Input):
    """A note to be written down."""

    text: Annotated[str, Field(min_length=1, max_length=40)]


class Count(Output):
    """How many notes there are."""

    count: Annotated[int, Field(ge=0, le=1_000)]


def tables(unit: Unit) -> None:
    """The one table."""
    unit.execute("CREATE TABLE IF NOT EXISTS note (text TEXT)")


def notes(handler: Callable[..., Any], **declared: Any) -> Catalog:
    """A catalog with `note_create`."""
    catalog = Catalog("notes")
    catalog.prepare(tables)
    parts: dict[str, Any] = {"effect": Create(), **declared}
    catalog.tool(
        name="note_create",
        version="1.0",
        does="Writes a note down",
        use_when="the user wants to keep a note",
        not_for="reading notes",
        **parts,
    )(handler)
    return catalog


def insert(path: Path, text: str) -> None:
    """Write a note as code does that knows no unit; it waits for nobody."""
    with closing(sqlite3.connect(path, timeout=0)) as own, own:
        own.execute("INSERT INTO note VALUES (?)", (text,))


def counted(unit: Unit) -> Count:
    """How many notes this transaction sees."""
    row = unit.row("SELECT count(*) AS n FROM note")
    return Count(count=row["n"] if row else 0)


def in_the_unit(request: Note, unit: Unit) -> Count:
    """As it should be."""
    unit.execute("INSERT INTO note VALUES (?)", (request.text,))
    return counted(unit)


def test_a_write_in_the_unit_passes_on_a_file_too(tmp_path: Path) -> None:
    """C3: claims, effects and records of calls made one by one and together are the store's own commits."""
    with open_kit(notes(in_the_unit), store=tmp_path / "notes.db") as kit:
        first = kit.call("note_create", {"text": "one"})
        both = kit.together([("note_create", {"text": "two"}), ("note_create", {"text": "three"})])

        assert (first.structured, first.writes) == ({"count": 1}, 1)
        assert [answer.ok for answer in both] == [True, True]
        assert len(kit.runs()) == 3


def test_a_file_is_there_for_the_next_kit(tmp_path: Path) -> None:
    """A7: by path or by URL."""
    path = tmp_path / "notes.db"
    with open_kit(notes(in_the_unit), store=path) as kit:
        kit.call("note_create", {"text": "one"})
    with open_kit(notes(in_the_unit), store=f"sqlite:///{path}") as kit:
        assert kit.call("note_create", {"text": "two"}).structured == {"count": 2}


def test_a_commit_on_another_connection_fails_the_test(tmp_path: Path) -> None:
    """C3: nothing in the answer would show it, and a repeat of the call would do it again."""
    path = tmp_path / "notes.db"

    async def past_the_claim(request: Note, upstream: Blind) -> Count:
        async with upstream.once():
            insert(path, request.text)
        return Count(count=1)

    plan = PlanTerms(impact=lambda: Impact(summary="Writes a note"), approval="none")
    catalog = notes(past_the_claim, effect=Create(reach="outside", plan=plan))
    with open_kit(catalog, store=path) as kit:
        made = kit.call("note_create_plan", {"text": "one"}).structured
        with pytest.raises(StrayWrite, match=r"^note_create_execute: the store was changed on another connection"):
            kit.call("note_create_execute", {"plan_id": made["plan_id"], "digest": made["digest"]})


def test_a_read_that_writes_fails_the_test(tmp_path: Path) -> None:
    """B4: its unit cannot write, and its own connection can."""
    path = tmp_path / "notes.db"

    def counting(request: Note, unit: Unit) -> Count:
        insert(path, request.text)
        return counted(unit)

    with open_kit(notes(counting, effect=Read()), store=path) as kit, pytest.raises(StrayWrite, match=r"`Unit`"):
        kit.call("note_create", {"text": "one"})


def test_a_write_that_waits_for_its_own_call_is_told_as_what_it_is(tmp_path: Path) -> None:
    """C3: SQLite has one writer, which is the call; the handler's own waits for it and gives up."""
    path = tmp_path / "notes.db"

    def beside_the_unit(request: Note, unit: Unit) -> Count:
        insert(path, request.text)
        return counted(unit)

    with (
        open_kit(notes(beside_the_unit), store=path) as kit,
        pytest.raises(StrayWrite, match="two connections wanted to write to the store at the same time"),
    ):
        kit.call("note_create", {"text": "one"})


def test_a_transaction_that_is_left_open_is_told_as_what_it_is(tmp_path: Path) -> None:
    """C3: nobody else can write while it is, the store not either."""
    path = tmp_path / "notes.db"
    left: list[sqlite3.Connection] = []

    def unfinished(request: Note, unit: Unit) -> Count:
        left.append(sqlite3.connect(path, timeout=0, check_same_thread=False))
        left[0].execute("INSERT INTO note VALUES (?)", (request.text,))
        return counted(unit)

    with open_kit(notes(unfinished, effect=Read()), store=path) as kit:
        with pytest.raises(StrayWrite, match="another connection holds the store in a transaction that is still open"):
            kit.call("note_create", {"text": "one"})
        left[0].close()


def test_a_write_after_the_fact_is_that_of_the_test(tmp_path: Path) -> None:
    """A7: what a test arranges between two calls is its own business."""
    path = tmp_path / "notes.db"
    with open_kit(notes(in_the_unit), store=path) as kit:
        kit.call("note_create", {"text": "one"})
        insert(path, "by the test")

        assert kit.call("note_create", {"text": "two"}).structured == {"count": 3}


def test_a_store_in_memory_cannot_be_reached_from_outside() -> None:
    """C3: another connection to `:memory:` is another database, without the catalog's tables."""

    def elsewhere(request: Note, unit: Unit) -> Count:
        insert(Path(":memory:"), request.text)
        return counted(unit)

    assert call(notes(elsewhere), "note_create", {"text": "one"}).code == "internal"
