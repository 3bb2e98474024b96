"""A catalog for people on call: a plan that a second person approves, a bank that hangs up, mails that are refused.

What goes wrong is decided by files in the current folder: `bank-hangs-up`, `mailbox-refuses`, `mailbox-is-full`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Destroy, Fault, Input, Output, Resource, Retry, Subject, Unit, Waiver
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.message import Delivery
from fourfold.model.plan import Impact, PlanTerms
from fourfold.ports.outbox import Outbox
from fourfold.ports.upstream import Blind

catalog = Catalog("house", version="1")


class UnknownRoom(Fault):
    """There is no room with that name."""

    code, retry, next_step = "unknown_room", Retry.NEVER, "Ask the user which room they mean."


class RoomClear(Input):
    """A room to clear."""

    room: Annotated[str, Field(pattern=r"^[a-z]+$", max_length=20), Subject()]
    reason: Annotated[str, Field(max_length=100)] = "not said"


class RoomCleared(Output):
    """What was cleared."""

    room: Annotated[str, Field(max_length=20)]
    things: Annotated[int, Field(ge=0, le=1000)]


class LetterPost(Input):
    """A letter."""

    to: Annotated[str, Field(max_length=40), Subject()]


class LetterPosted(Output):
    """That it goes out."""

    to: Annotated[str, Field(max_length=40)]


class TransferMake(Input):
    """Money to move."""

    account: Annotated[str, Field(max_length=20), Subject()]


class TransferMade(Output):
    """What the bank says."""

    receipt: Annotated[str, Field(pattern=r"^tr-\d{1,6}$", max_length=10)]


@catalog.prepare
def tables(unit: Unit) -> None:
    """Two rooms with things in them."""
    unit.execute("CREATE TABLE IF NOT EXISTS room (name TEXT PRIMARY KEY, version INTEGER, things INTEGER)")
    for name, things in (("attic", 12), ("cellar", 3)):
        unit.execute("INSERT INTO room VALUES (?, 1, ?) ON CONFLICT (name) DO NOTHING", (name, things))


def find(request: RoomClear, unit: Unit) -> Resource | None:
    """The room that is meant."""
    row = unit.row("SELECT * FROM room WHERE name = ?", (request.room,))
    return None if row is None else Resource(id=request.room, version=str(row["version"]))


def impact(request: RoomClear, unit: Unit) -> Impact:
    """What clearing it does, with the reason in it, which a model wrote."""
    row = unit.row("SELECT things FROM room WHERE name = ?", (request.room,)) or {"things": 0}
    return Impact(summary=f"Throws {row['things']} things of the {request.room} away.\nReason given: {request.reason}")


@catalog.tool(
    name="room_clear",
    version="1.0",
    does="Throws everything in a room away",
    use_when="the user wants an empty room",
    not_for="tidying it up",
    effect=Destroy(plan=PlanTerms(impact=impact, approval="second_person")),
    missing=UnknownRoom,
    resource=find,
)
def room_clear(request: RoomClear, unit: Unit) -> RoomCleared:
    """Clear it."""
    row = unit.row("SELECT things FROM room WHERE name = ?", (request.room,)) or {"things": 0}
    unit.execute("UPDATE room SET things = 0, version = version + 1 WHERE name = ?", (request.room,))
    return RoomCleared(room=request.room, things=row["things"])


@catalog.tool(
    name="letter_post",
    version="1.0",
    does="Posts a letter",
    use_when="the user wants to write to somebody",
    not_for="moving money (transfer_make)",
    effect=Create(),
)
def letter_post(request: LetterPost, outbox: Outbox) -> LetterPosted:
    """Send it after the commit."""
    outbox.send("mail", {"to": request.to})
    return LetterPosted(to=request.to)


def is_there(name: str) -> bool:
    """Whether a file of that name is in the current folder."""
    return Path(name).exists()


def note(name: str, line: str) -> None:
    """Add a line to a file."""
    with Path(name).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


@catalog.sender("mail")
async def send_mail(delivery: Delivery) -> None:
    """Note what was sent, unless the mailbox will not have it."""
    if is_there("mailbox-refuses"):
        raise UpstreamRejected("there is no such mailbox")
    if is_there("mailbox-is-full"):
        raise UpstreamUnavailable("the mailbox is full")
    note("sent.txt", f"{delivery.dedupe_key} {delivery.payload['to']}")


@catalog.tool(
    name="transfer_make",
    version="1.0",
    does="Moves money to an account",
    use_when="the user wants something paid",
    not_for="writing to somebody (letter_post)",
    effect=Create(reach="outside"),
    waivers=[Waiver(rule="no_plan", where="transfer_make", reason="the tests are about what is not planned")],
)
async def transfer_make(request: TransferMake, upstream: Blind) -> TransferMade:
    """Ask the bank once; it may hang up before it has answered."""
    async with upstream.once():
        note("bank.txt", request.account)
        if is_there("bank-hangs-up"):
            raise ConnectionError("the bank hung up")
    return TransferMade(receipt="tr-1")
