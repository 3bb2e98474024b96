"""The same call without a key, twice, is noticed instead of done twice."""

from __future__ import annotations

from fourfold.model.effect import Create
from fourfold.prove.books import watching
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import key_argument
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.prove.writing import require_seen, written
from fourfold.review.view import ToolView
from fourfold.review.writes import adds

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    if tool.tool.contract is None:
        reason = "a repeat without a key may be meant: nothing says what this server promises"
        raise NotTested(reason, next_step="repeat it with a key, which same-key-one-effect does")
    watch = await watching(desk)
    first = await written(desk, tool, watch=watch, check=CHECK.name)
    require_seen(first)
    # The one with a key is the twin of the one without: which of them came first makes no difference.
    keyless = {name: value for name, value in first.arguments.items() if name != key_argument(tool)}
    after = (desk.sent_as(tool.name, first.arguments),)
    duplicate = frozenset({"possible_duplicate"})
    what = "the same call once more, without a key,"
    await require_refused(watch, Forbidden(what=what, tool=tool, arguments=keyless, codes=duplicate, after=after))


def _applies(tool: ToolView) -> bool:
    contract = tool.tool.contract
    if contract is not None:
        return isinstance(contract.effect, Create) and "plan_id" not in contract.framework_arguments
    return adds(tool) is not None and key_argument(tool) is not None


CHECK = Check(
    name="no-key-twice-noticed",
    family="effect",
    proves="a call that adds something and comes again without a key is answered with possible_duplicate",
    requires=("D1", "C9"),
    run=_run,
    applies=_applies,
    writes=True,
)
