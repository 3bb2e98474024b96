"""One run: what became of it, stage by stage, with everything that is kept about it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.effects import effect_of, sealed
from fourfold.console.meaning import meaning_of
from fourfold.console.timing import timing_of
from fourfold.model.contract import ToolContract
from fourfold.model.run import Run
from fourfold.runs.kept import FoundKept, find_kept
from fourfold.runs.regression import makes_case
from fourfold.runs.spending import spent_on
from fourfold.runs.stories import Story, story

__all__ = ["contract_of", "kept_of", "run", "story_that_is_seen"]


async def run(asked: Asked) -> Response:
    """The page of a run, found by its id or by the reference that an `internal` answer gave."""
    found, console = await story_that_is_seen(asked), asked.console
    record = found.record
    contract = contract_of(asked, record.run.tool)
    price = console.prices.get(asked.value("model"))
    spent = spent_on(record.run)
    return asked.page(
        "run.html",
        story=found,
        record=record,
        run=record.run,
        contract=contract,
        meaning=meaning_of(record.run, contract),
        timing=timing_of(record),
        effect=await effect_of(console, record.run),
        kept=await kept_of(asked, record.run),
        spent=spent,
        cost=None if price is None else spent.tokens.cost(price),
        makes_case=asked.viewer.sees_content and makes_case(record.run),
        sealed=await sealed(console, record.run),
    )


def contract_of(asked: Asked, tool: str) -> ToolContract | None:
    """The contract that a tool has now, if it is in the catalog, and theirs to look at."""
    catalog = asked.console.catalog if asked.viewer.sees_catalog else None
    built = None if catalog is None else catalog.tools.get(tool)
    return None if built is None else built.contract


async def kept_of(asked: Asked, run: Run) -> FoundKept | None:
    """What is kept of the call, if anything is, and theirs to look at."""
    if not asked.viewer.sees_content:
        return None
    console = asked.console
    return await find_kept(console.store.runs, run, sealer=console.sealer, now_ms=console.clock.now_ms())


async def story_that_is_seen(asked: Asked) -> Story:
    """The run that the path names, with the other attempts of its operation.

    Raises:
        HTTPException: 404 if there is none, or it is another tenant's.
    """
    found = await story(asked.console.store, asked.request.path_params["run_id"].replace("\0", ""), tenant=None)
    if found is None or not asked.viewer.sees(found.record.run.tenant):
        raise HTTPException(404)
    return found
