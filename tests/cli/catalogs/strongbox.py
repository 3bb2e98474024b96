"""A catalog whose tools end in every way, with texts that nobody but the caller should read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from fourfold import (
    Catalog,
    Create,
    Decision,
    Destroy,
    Fault,
    Input,
    Output,
    PolicyQuestion,
    Read,
    Resource,
    Retry,
    Secret,
    Subject,
    Waiver,
)
from fourfold.model.plan import Impact, PlanTerms
from fourfold.ports.upstream import Blind


@dataclass(frozen=True)
class Keeper:
    """Hides one tool, and lets nobody at one box."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Deny what is about box 13."""
        if question.contract.name == "box_sell":
            return Decision(verdict="deny", reason="canary-reason")
        if (question.arguments or {}).get("box") == "box-13":
            return Decision(verdict="deny", reason="canary-reason")
        return Decision(verdict="allow")


catalog = Catalog("strongbox", version="3.1", policy=Keeper())

Box = Annotated[str, Field(pattern=r"^box-\d{1,2}$", max_length=6), Subject()]
Text = Annotated[str, Field(max_length=100)]


class BoxFull(Fault):
    """There is no room in this box."""

    code, retry, next_step = "box_full", Retry.NEVER, "Ask the user for another box."


class UnknownBox(Fault):
    """No box with that number is visible to you."""

    code, retry, next_step = "unknown_box", Retry.NEVER, "Ask the user which box they mean."


class Item(Input):
    """What to put where."""

    box: Box
    item: Text
    pin: Annotated[str, Field(max_length=40), Secret()]


class Kept(Output):
    """What is in it now."""

    item: Text


class Wanted(Input):
    """Which box."""

    box: Box


@catalog.tool(
    name="item_put",
    version="2.0",
    does="Put an item into a box",
    use_when="the user wants something kept",
    not_for="looking into a box (item_get)",
    effect=Create(),
    missing=UnknownBox,
    faults=[BoxFull],
)
def item_put(request: Item) -> Kept:
    """Keep it, unless the box is full."""
    if request.box == "box-7":
        raise BoxFull(f"No room for {request.item}")
    return Kept(item=request.item)


@catalog.tool(
    name="item_get",
    version="1.0",
    does="Look into a box",
    use_when="the user wants to know what is kept",
    not_for="putting something in (item_put)",
    effect=Read(),
    missing=UnknownBox,
)
def item_get(request: Wanted) -> Kept:
    """Break."""
    raise RuntimeError(f"canary-exception in {request.box}")


@catalog.tool(
    name="box_sell",
    version="1.0",
    does="Sell a box",
    use_when="the user wants to sell",
    not_for="anything else",
    effect=Read(),
    missing=UnknownBox,
)
def box_sell(request: Wanted) -> Kept:
    """Nobody sees it."""
    return Kept(item=request.box)


@catalog.tool(
    name="rent_pay",
    version="1.1",
    does="Pay the rent of a box at a bank that takes no keys",
    use_when="the user wants the rent paid",
    not_for="putting something in (item_put)",
    effect=Create(reach="outside"),
    missing=UnknownBox,
    waivers=[Waiver(rule="no_plan", where="rent_pay", reason="an example of what is not planned")],
)
async def rent_pay(request: Wanted, upstream: Blind) -> Kept:
    """Lose the answer."""
    async with upstream.once():
        raise ConnectionError("canary-exception at the bank")
    return Kept(item=request.box)


def _find(request: Wanted) -> Resource | None:
    return Resource(id=request.box, version="1")


def _impact(request: Wanted) -> Impact:
    return Impact(summary=f"Empties {request.box}.")


@catalog.tool(
    name="box_empty",
    version="1.0",
    does="Empty a box for good",
    use_when="the user wants everything in a box destroyed",
    not_for="looking into a box (item_get)",
    effect=Destroy(plan=PlanTerms(impact=_impact, approval="second_person")),
    resource=_find,
    missing=UnknownBox,
)
def box_empty(request: Wanted) -> Kept:
    """Nothing is left."""
    return Kept(item=request.box)
