"""A list that stops at its limit does not say that it is at its end: whoever reads it would take the part for all."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import as_record, entries, issued_cursor, pager_of, says_more
from fourfold.prove.working import working
from fourfold.review.listing import is_cursor, limits
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LARGE = (1_000, 100, 50, 20, 10)
_MARKS = (("has", "more"), ("more",), ("has", "next"), ("has", "next", "page"), ("truncated",), ("complete",))


async def _run(desk: Desk, tool: ToolView) -> None:
    name = next(limits(tool)).name
    good, _ = await working(desk, tool, check=CHECK.name)
    cut, one = await _listed(desk, tool, good, sizes=(1,), limit=name)
    whole, many = await _listed(desk, tool, good, sizes=_LARGE, limit=name)
    shown, there = len(entries(cut) or ()), len(entries(whole) or ())
    if not 0 < shown < there:
        raise NotTested("the list has fewer than two entries", next_step="give arguments with a longer one in [prove]")
    says_end = _claim_of_end(cut)
    if says_end:
        detail = f"a list of {there} or more was cut after {shown}, and {says_end} says that there is no more"
        raise Broken(detail, desk.sent_as(tool.name, one), desk.sent_as(tool.name, many))
    if issued_cursor(cut) is None and not says_more(cut):
        raise NotTested("the answer does not say whether there is more", next_step="return a cursor, or has_more")


async def _listed(
    desk: Desk, tool: ToolView, good: JsonObject, *, limit: str, sizes: Sequence[int]
) -> tuple[ToolAnswer, JsonObject]:
    """The first success with one of the limits, and what was sent.

    Raises:
        NotTested: the tool takes none of them.
    """
    for size in sizes:
        arguments = {**good, limit: size}
        if misfits(arguments, tool.tool.input_schema):
            continue
        answer = await desk.call(tool.name, arguments)
        if succeeded(answer):
            return answer, arguments
    raise NotTested(f"{limit} takes none of {sizes}", next_step="let the schema say which it takes")


def _claim_of_end(cut: ToolAnswer) -> str:
    """The field that says that the list ends there; empty if none does."""
    if issued_cursor(cut) is not None or says_more(cut):
        return ""
    for name, value in as_record(cut).items():
        parts = words(name)
        is_end = value is (parts == ("complete",)) and parts in _MARKS
        if is_end or (is_cursor(name) and value in ("", None)):
            return f"{name} {value!r}"
    return ""


CHECK = Check(
    name="cut-list-says-so",
    family="contract",
    proves="a list that stops at its limit does not say that it is at its end",
    requires=("B3", "B12"),
    run=_run,
    # Where a cursor continues it, the walk over its pages shows the same.
    applies=lambda tool: any("integer" in place.types for place in limits(tool)) and pager_of(tool) is None,
)
