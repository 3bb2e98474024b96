"""A regression case from a run: the test as text, to look at and to take along."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from fourfold.console.asked import Asked
from fourfold.console.pages.run import contract_of, kept_of, story_that_is_seen
from fourfold.errors import ConfigError
from fourfold.model.listed import ListedTool
from fourfold.model.run import Run
from fourfold.runs.regression import RegressionCase, makes_case, regression_case

__all__ = ["case", "case_file"]


async def case(asked: Asked) -> Response:
    """The page that shows the test."""
    run = await _failed_run(asked)
    try:
        made, why = await _case_of(asked, run), ""
    except ConfigError as error:
        made, why = None, str(error)
    return asked.page("case.html", run=run, case=made, why=why)


async def case_file(asked: Asked) -> Response:
    """The test as a file."""
    run = await _failed_run(asked)
    try:
        made = await _case_of(asked, run)
    except ConfigError as error:
        raise HTTPException(404) from error
    # The name has letters, digits and underscores alone, so it needs no quoting.
    named = {"content-disposition": f'attachment; filename="{made.file_name}"'}
    return PlainTextResponse(made.text, headers=named)


async def _failed_run(asked: Asked) -> Run:
    """The run that the path names, if it makes a case.

    Raises:
        HTTPException: 404 if it does not, there is none, or what was sent is not theirs to see.
    """
    found = (await story_that_is_seen(asked)).record.run
    if not makes_case(found) or not asked.viewer.sees_content:
        raise HTTPException(404)
    return found


async def _case_of(asked: Asked, run: Run) -> RegressionCase:
    """The test.

    Raises:
        ConfigError: the console was not told which catalog the tool is in.
    """
    contract = contract_of(asked, run.tool)
    if contract is None:
        # The name of a tool that nobody has is whatever a caller wrote; it has no place in a file that will be run.
        raise ConfigError("a case needs the contract of the tool: start the console with the catalog, as module:name")
    kept = await kept_of(asked, run)
    tool = ListedTool(definition={"name": contract.name, "inputSchema": contract.input_schema}, contract=contract)
    return regression_case(run, tool, target=asked.console.target, kept=kept.call if kept else None)
