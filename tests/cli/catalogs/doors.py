"""One tool whose contract keeps what was sent and returned, with a secret and a name in it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Decision, Fault, Input, Output, Personal, PolicyQuestion, Read, Retry, Secret


class Keeper:
    """Lets nobody into the cellar."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Deny that one door."""
        return Decision(verdict="deny" if (question.arguments or {}).get("door") == "cellar" else "allow")


catalog = Catalog("doors", version="1", policy=Keeper())


class DoorLocked(Fault):
    """The door is locked."""

    code, retry, next_step = "door_locked", Retry.NEVER, "Ask the user for the key"


class Door(Input):
    """Which door, and how it opens."""

    door: Annotated[str, Field(max_length=20)]
    code: Annotated[str, Field(max_length=20), Secret()] = ""


class Opened(Output):
    """Who is at home."""

    owner: Annotated[str, Field(max_length=20), Personal()]
    room: Annotated[str, Field(max_length=20)]


@catalog.tool(
    name="door_open",
    version="1.0",
    does="Opens one door of the house",
    use_when="the user wants to go in",
    not_for="closing doors",
    effect=Read(),
    faults=[DoorLocked],
    keep={"arguments", "results"},
)
def door_open(request: Door) -> Opened:
    """Open it, unless the code is a wrong one."""
    if request.code.startswith("wrong"):
        raise DoorLocked
    if request.door == "stuck":
        raise RuntimeError("it does not move")
    return Opened(owner="ada", room=request.door)
