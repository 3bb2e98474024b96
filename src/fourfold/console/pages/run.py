"""One run: what became of it, stage by stage, with everything that is kept about it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.ports.runs import RunRecord

__all__ = ["run", "run_that_is_seen"]


async def run(asked: Asked) -> Response:
    """The page of a run, found by its id or by the reference that an `internal` answer gave."""
    record = await run_that_is_seen(asked)
    return asked.page("run.html", record=record, run=record.run)


async def run_that_is_seen(asked: Asked) -> RunRecord:
    """The run that the path names.

    Raises:
        HTTPException: 404 if there is none, or it is another tenant's.
    """
    record = await asked.console.store.runs.show(asked.request.path_params["run_id"].replace("\0", ""))
    if record is None or not asked.viewer.sees(record.run.tenant):
        raise HTTPException(404)
    return record
