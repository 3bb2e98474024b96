"""A catalog that keeps everything it may, logs everything it can, and whose handlers quote what they got in errors."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated, Any

import httpx2
from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Personal, Read, Retry, Secret, Subject, Unit, Waiver
from fourfold.asking import Ask, Form
from fourfold.effects import Blind, Impact, PlanTerms

logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)

catalog = Catalog("canary")

KEEP = {"arguments", "results"}
Text = Annotated[str, Field(max_length=200)]


class BoxFull(Fault):
    """There is no room in this box."""

    code, retry, next_step = "box_full", Retry.NEVER, "Ask the user for another box"


class Holder(Input):
    """Who has a key to the box."""

    name: Annotated[str, Field(max_length=200), Personal()]
    pin: Annotated[str, Field(max_length=200), Secret()]


class Item(Input):
    """What is put where, and by whom."""

    box: Annotated[str, Field(max_length=40), Subject()]
    item: Text = ""
    pieces: Annotated[int, Field(ge=1, le=9)] = 1
    pin: Annotated[str, Field(max_length=200), Secret()] = ""
    name: Annotated[str, Field(max_length=200), Personal()] = ""
    holders: Annotated[list[Holder], Field(max_length=3)] = Field(default_factory=list[Holder])


class Stored(Output):
    """What is in the box now."""

    item: Text
    pin: Annotated[str, Field(max_length=200), Secret()]
    name: Annotated[str, Field(max_length=200), Personal()]


class Floor(Form):
    """Where the box is to stand."""

    floor: Text


def declared(name: str, does: str, **more: Any) -> dict[str, Any]:
    """What the tools have in common."""
    return {
        "name": name,
        "version": "1.0",
        "does": does,
        "use_when": f"the user wants it done with a box, and says so: {name.replace('_', ' ')}",
        "not_for": "anything else that can be done with a box",
        "keep": KEEP,
        **more,
    }


def stored(request: Item) -> Stored:
    """Everything back, marked."""
    return Stored(item=request.item, pin=request.pin, name=request.name)


@catalog.tool(**declared("item_put", "Put an item into a box", effect=Create(), faults=[BoxFull]))
def item_put(request: Item, unit: Unit) -> Stored:
    """Keep it, refuse it, or break with everything in the error."""
    if request.box == "box-full":
        raise BoxFull
    if request.box == "box-broken":
        raise RuntimeError(f"{request!r} and {request.model_dump_json()} and {request.model_dump()}")
    return stored(request)


@catalog.tool(**declared("item_get", "Look into a box", effect=Read()))
def item_get(request: Item) -> Stored:
    """Say what is in it."""
    return stored(request)


def ask(request: Item, floor: Floor | None) -> Ask[Floor] | None:
    """Ask where."""
    return None if floor else Ask(Floor, f"Where shall {request.box} stand?")


@catalog.tool(**declared("box_move", "Move a box to another floor", effect=Create(), ask=ask))
def box_move(request: Item, floor: Floor, unit: Unit) -> Stored:
    """Move it."""
    return stored(request)


def impact(request: Item) -> Impact:
    """What it would do, without a word of the caller's."""
    return Impact(summary="Empties one box.")


@catalog.tool(
    **declared("box_empty", "Empty a box", effect=Create(plan=PlanTerms(impact=impact, approval="none"))),
)
def box_empty(request: Item, unit: Unit) -> Stored:
    """Nothing is left, or it breaks with everything in the error."""
    if request.box == "box-broken":
        raise RuntimeError(f"{request!r}")
    return stored(request)


@catalog.tool(
    **declared(
        "rent_pay",
        "Pay the rent of a box",
        effect=Create(reach="outside"),
        waivers=[Waiver(rule="no_plan", where="rent_pay", reason="an example of what is not planned")],
    ),
)
async def rent_pay(request: Item, upstream: Blind) -> Stored:
    """Ask a bank that repeats the credential in its error."""
    credential = os.environ["CANARY_CREDENTIAL"]
    async with upstream.once(), httpx2.AsyncClient(headers={"authorization": f"Bearer {credential}"}) as http:
        answer = await http.post(os.environ["CANARY_BANK"], json={"pin": request.pin})
        raise RuntimeError(f"{answer.text}; sent {dict(answer.request.headers)} with {request!r}")
    return stored(request)
