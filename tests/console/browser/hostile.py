"""A catalog whose every text is a program for whoever forgets to escape it: served by tests, never by anybody else."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Destroy, Fault, Input, Output, Resource, Retry, Subject, Unit
from fourfold.model.plan import Impact, PlanTerms

HOSTILE = "\"><img src='/taken/{}'><script>window.taken='{}'</script>javascript:window.taken='{}'\u202e"
"""Asks for an address under /taken, and sets a variable, wherever it is taken for markup."""


def hostile(field: str) -> str:
    """The text that says which field let it through."""
    return HOSTILE.replace("{}", field)


catalog = Catalog("hostile", version="1")


class UnknownRoom(Fault):
    """There is no room with that name."""

    code, retry, next_step = "unknown_room", Retry.NEVER, f"Ask the user. {hostile('next_step')}"


class NoteWrite(Input):
    """A note."""

    account: Annotated[str, Field(max_length=1_000), Subject()]
    text: Annotated[str, Field(max_length=1_000, description=f"The text. {hostile('description')}")]


class NoteWritten(Output):
    """What was written."""

    text: Annotated[str, Field(max_length=1_000)]


class RoomClear(Input):
    """A room to clear."""

    room: Annotated[str, Field(max_length=1_000), Subject()]


class RoomCleared(Output):
    """What was cleared."""

    things: Annotated[int, Field(ge=0, le=1000)]


@catalog.tool(
    name="note_write",
    version="1.0",
    does=f"Writes a note. {hostile('does')}",
    use_when=f"the user wants a note. {hostile('use_when')}",
    not_for=f"clearing a room (room_clear_plan). {hostile('not_for')}",
    effect=Create(),
    keep=("arguments", "results"),
)
def note_write(request: NoteWrite, unit: Unit) -> NoteWritten:
    """Write it."""
    return NoteWritten(text=request.text)


def find(request: RoomClear, unit: Unit) -> Resource | None:
    """The room that is meant."""
    return Resource(id=request.room, version="1")


def impact(request: RoomClear, unit: Unit) -> Impact:
    """What clearing it does, in words that came from a model."""
    return Impact(summary=f"Clears {request.room}")


@catalog.tool(
    name="room_clear",
    version="1.0",
    does="Throws everything in a room away",
    use_when="the user wants an empty room",
    not_for="writing a note (note_write)",
    effect=Destroy(plan=PlanTerms(impact=impact, approval="second_person")),
    missing=UnknownRoom,
    resource=find,
)
def room_clear(request: RoomClear, unit: Unit) -> RoomCleared:
    """Clear it."""
    return RoomCleared(things=1)
