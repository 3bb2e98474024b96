"""A plan is executed as it was made, and no other way."""

from __future__ import annotations

from fourfold.prove.books import watching
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes
from fourfold.prove.pairs import planned
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MISMATCH = frozenset({"plan_mismatch"})


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    plan = await planned(watch, tool, check=CHECK.name)
    other = await planned(watch, tool, check=f"{CHECK.name} once more")
    digests = (other.arguments["digest"], "0" * 64)
    for digest in digests:
        arguments = {**plan.arguments, "digest": digest}
        what = "a plan with the digest of another one" if digest != digests[-1] else "a plan with a made-up digest"
        forbidden = Forbidden(what=what, tool=tool, arguments=arguments, codes=_MISMATCH, after=(plan.call, other.call))
        await require_refused(watch, forbidden)


CHECK = Check(
    name="plan-with-other-digest-refused",
    family="effect",
    proves="a plan is not executed under another digest than its own",
    requires=("C7", "C9"),
    run=_run,
    applies=executes,
    writes=True,
)
