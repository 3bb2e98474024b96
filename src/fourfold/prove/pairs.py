"""Plans: which tool plans what another one executes, and plans that are made, and agreed to if somebody has to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall
from fourfold.prove.books import Watch
from fourfold.prove.check import NotTested
from fourfold.prove.desk import FIRST
from fourfold.prove.keys import executes
from fourfold.prove.writing import written
from fourfold.review.view import CatalogView, ToolView

__all__ = ["Planned", "has_other_pair", "planned"]

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan that was made, with nothing in the way of executing it but what a check puts there.

    Attributes:
        arguments: what it is executed with.
        call: the call that made it.
    """

    arguments: JsonObject
    approval: str
    call: SentCall


def has_other_pair(view: CatalogView, tool: ToolView) -> bool:
    """Whether there is another tool that executes plans."""
    return any(executes(other) for other in view.tools if other.name != tool.name)


async def planned(watch: Watch, execute: ToolView, *, check: str, agreed: bool = True, by: str = FIRST) -> Planned:
    """Make a plan for a tool that executes; `agreed` lets somebody agree to it, where somebody has to and can.

    Raises:
        NotTested: none could be made.
    """
    desk = watch.desk
    plan = await written(desk, _plan_of(desk.view, execute), watch=watch, check=check, by=by)
    found = plan.answer.result.get("structuredContent")
    said = cast("JsonObject", found) if isinstance(found, Mapping) else _NOTHING
    arguments = {"plan_id": said.get("plan_id"), "digest": said.get("digest")}
    if agreed and said.get("approval") != "none" and desk.approve is not None:
        await desk.approve(str(arguments["plan_id"]), str(arguments["digest"]))
    call = desk.sent_as(plan.tool.name, plan.arguments, by=by)
    return Planned(arguments=arguments, approval=str(said.get("approval")), call=call)


def _plan_of(view: CatalogView, execute: ToolView) -> ToolView:
    contract = execute.tool.contract
    terms = contract.effect.plan if contract is not None else None
    name = terms.pair[0] if terms is not None and terms.pair else execute.name.removesuffix("_execute") + "_plan"
    found = next((tool for tool in view.tools if tool.name == name), None)
    if found is None:
        raise NotTested(f"{name} is not listed, which plans for it", next_step="prove it as a caller who may plan")
    return found
