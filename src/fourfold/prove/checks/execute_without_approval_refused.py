"""What somebody has to agree to does not happen before."""

from __future__ import annotations

from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes
from fourfold.prove.pairs import planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name, agreed=False)
    if plan.approval == "none":
        if _is_always_needed(tool):
            raise Broken(
                "the contract says that somebody has to agree, and the plan says that nobody has to", plan.call
            )
        step = "give arguments of a plan that needs it in [prove]"
        raise NotTested("the plan that was made needs nobody's agreement", next_step=step)
    forbidden = Forbidden(
        what="a plan that nobody agreed to",
        tool=tool,
        arguments=plan.arguments,
        codes=frozenset({"approval_required"}),
        after=(plan.call,),
    )
    await require_refused(watch, forbidden)


def _is_always_needed(tool: ToolView) -> bool:
    """Whether the contract says who has to agree, whatever is planned."""
    contract = tool.tool.contract
    terms = contract.effect.plan if contract is not None else None
    return terms is not None and isinstance(terms.approval, str) and terms.approval != "none"


def _applies(tool: ToolView) -> bool:
    contract = tool.tool.contract
    terms = contract.effect.plan if contract is not None else None
    return executes(tool) and terms is not None and terms.approval != "none"


CHECK = Check(
    name="execute-without-approval-refused",
    family="effect",
    proves="a plan that somebody has to agree to is not executed before",
    requires=("C7", "C9"),
    run=_run,
    applies=_applies,
    writes=True,
)
