"""What a write answers with is what the reads show right after it: the same object, in the same state."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.model.effect import Destroy
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.own import asked_with, differing, own_id, own_reads, records_of
from fourfold.prove.pages import as_record
from fourfold.prove.working import working
from fourfold.review.view import CatalogView, ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    arguments, answer = await working(desk, tool, check=CHECK.name)
    record, seen = as_record(answer), 0
    if own_id(tool) not in record:
        raise NotTested("its answer does not say what it is about", next_step="let it answer with its id")
    for read in own_reads(desk.view, tool):
        asked = asked_with(desk, read, record=record, own=str(own_id(tool)))
        found = next(records_of(await desk.call(read.name, asked), str(own_id(tool)), record=record), None)
        wrong = _left(tool, read, found) if _destroys(tool) else _otherwise(tool, read, record=record, found=found)
        if wrong:
            raise Broken(wrong, desk.sent_as(tool.name, arguments), desk.sent_as(read.name, asked))
        seen += _destroys(tool) or found is not None
    if not seen:
        raise NotTested("no read showed what it answered with", next_step="let a read find it by its id")


def _left(tool: ToolView, read: ToolView, found: JsonObject | None) -> str:
    return "" if found is None else f"after {tool.name}, {read.name} shows it still"


def _otherwise(tool: ToolView, read: ToolView, *, record: JsonObject, found: JsonObject | None) -> str:
    wrong = None if found is None else next(differing(record, found), None)
    if found is None or wrong is None:
        return ""
    return f"{tool.name} answered with {wrong} {record[wrong]!r}, and {read.name} shows {found[wrong]!r}"


def _destroys(tool: ToolView) -> bool:
    contract = tool.tool.contract
    return contract is not None and isinstance(contract.effect, Destroy)


def _is_shown(view: CatalogView, tool: ToolView) -> bool:
    return bool(own_reads(view, tool))


CHECK = Check(
    name="written-is-read",
    family="effect",
    proves="the reads show what a write has answered with, and nothing of what it has deleted",
    requires=("B12", "C9"),
    run=_run,
    applies=lambda tool: tool.tool.contract is not None and tool.action != "read",
    fits=_is_shown,
    writes=True,
)
