"""A catalog whose tool sets a seat aside before it asks a box office that hangs up; planned, so that it is undone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Input, Output, Unit
from fourfold.effects import Blind, Impact, Outside, PlanTerms

catalog = Catalog("hall", version="1")
Guest = Annotated[str, Field(pattern=r"^[a-z]+$", max_length=20)]


class Booking(Input):
    """Somebody who wants a seat."""

    guest: Guest


class Booked(Output):
    """Who has one."""

    guest: Guest


@catalog.prepare
def tables(unit: Unit) -> None:
    """Seats that are taken."""
    unit.execute("CREATE TABLE IF NOT EXISTS seat (guest TEXT PRIMARY KEY)")


def what_is_booked(request: Booking) -> Impact:
    """What the plan says."""
    return Impact(summary=f"Books a seat for {request.guest}")


def set_aside(request: Booking, unit: Unit) -> None:
    """Take the seat."""
    unit.execute("INSERT INTO seat VALUES (?)", (request.guest,))


def give_back(request: Booking, unit: Unit) -> None:
    """Let somebody else have it."""
    unit.execute("DELETE FROM seat WHERE guest = ?", (request.guest,))


def is_there(name: str) -> bool:
    """Whether a file of that name is in the current folder."""
    return Path(name).exists()


@catalog.tool(
    name="seat_book",
    version="1.0",
    does="Books a seat",
    use_when="somebody wants to come",
    not_for="telling who comes",
    effect=Create(reach="outside", plan=PlanTerms(impact=what_is_booked, approval="none")),
    outside=Outside(reserve=set_aside, give_back=give_back),
)
async def seat_book(request: Booking, upstream: Blind) -> Booked:
    """Ask the box office once; it may hang up before it has answered."""
    async with upstream.once():
        if is_there("office-hangs-up"):
            raise ConnectionError("the box office hung up")
    return Booked(guest=request.guest)
