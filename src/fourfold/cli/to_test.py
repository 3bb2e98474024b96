"""`fourfold runs to-test`: a regression case from the record of a call that was refused or failed."""

from __future__ import annotations

import json
import pprint
import re
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.maintenance import open_existing
from fourfold.bootstrap.targets import of_catalog
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.load import load_target
from fourfold.cli.output import when
from fourfold.errors import ConfigError
from fourfold.model.redact import redact
from fourfold.model.run import Run
from fourfold.ports.runs import RunRecord
from fourfold.review.samples import minimal
from fourfold.review.view import ToolView

__all__ = ["command"]

_ANSWERED = frozenset({"invalid", "rejected", "denied", "refused"})
"""Outcomes that are answers as they should be; a case holds on to them. `failed` should have been another one."""

_CASE = '''\
"""{tool} {version} was answered with {answered} on {day}: {run_id}."""

from __future__ import annotations

from typing import Any

import pytest

from {module} import {catalog}
from fourfold.testing import caller, open_kit

# EXAMPLE, made up from the schema: the record of a run keeps no arguments. Write what was sent, without what belongs to
# a person or is secret; arrange below what was stored; then say so. Until then the test fails.
ARGUMENTS: dict[str, Any] = {arguments}
FILLED_IN = False

# The record names who called, which has no place in a test; it does not say with which scopes.
CALLER = caller({caller})


def test_{name}() -> None:
    """The regression case of that run."""
    if not FILLED_IN:
        pytest.fail("fill in ARGUMENTS, which are an example, and set FILLED_IN", pytrace=False)
    with open_kit({catalog}) as kit:
        answer = kit.call("{tool}", ARGUMENTS, by=CALLER)

    {assertion}
'''


@click.command("to-test", cls=StrictCommand, short_help="A regression case from a run that failed.")
@click.argument("run_id", metavar="RUN")
@click.argument("target", metavar="TARGET")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write; tests/test_TOOL_CODE.py by default.",
)
@store_option
@config_option
def command(run_id: str, target: str, *, output: Path | None, store_url: str | None, config_path: Path | None) -> None:
    """Write a regression case from the record of a call that was refused, denied or failed.

    RUN is an id, or the reference of an internal answer; TARGET is the catalog, such as billing:catalog. The record
    keeps neither arguments nor scopes, so the case fails until you have filled in what it marks.

    \b
    Example
      fourfold runs to-test run_01a22a5902f77b1187acef124703b65e billing:catalog
    """
    record = anyio.run(_found, find_store(store_url, config_path), run_id)
    if record is None:
        raise ConfigError(f"no run and no reference is {run_id!r} in this store")
    run = record.run
    if run.outcome not in _ANSWERED | {"failed"}:
        raise ConfigError(f"the outcome of {run.run_id} is {run.outcome}: only a refusal or a failure makes a case")
    path = output or Path("tests") / f"test_{_name(run)}.py"
    _write(path, _case(run, target, load_target(target)))
    click.echo(f"{path} written; it fails until its arguments are filled in")


async def _found(store: str, run_id: str) -> RunRecord | None:
    async with open_existing(store) as opened:
        return await opened.runs.show(run_id)


def _case(run: Run, target: str, loaded: LoadedCatalog) -> str:
    """The text of the file.

    Raises:
        ConfigError: the catalog has no such tool.
    """
    tool = next((each for each in of_catalog(loaded, target=target).tools if each.name == run.tool), None)
    if tool is None:
        raise ConfigError(f"{target} has no tool called {run.tool!r} any more")
    module, _, catalog = target.partition(":")
    answer = f'assert (answer.kind, answer.code) == ("{run.outcome}", "{run.code}")\n    assert answer.writes == 0'
    return _CASE.format(
        tool=run.tool,
        version=run.contract_version or "without a version",
        answered=run.code or run.outcome,
        day=when(run.at_ms),
        run_id=run.run_id,
        module=module,
        catalog=catalog,
        arguments=pprint.pformat(dict(minimal(ToolView(tool)) or {}), width=100, sort_dicts=False),
        caller=f"tenant={json.dumps(redact(run.tenant))}" + (", scopes=[]" if run.code == "not_permitted" else ""),
        name=_name(run),
        assertion=answer if run.outcome in _ANSWERED else 'assert answer.code != "internal"',
    )


def _name(run: Run) -> str:
    return re.sub(r"[^a-z0-9]+", "_", f"{run.tool} {run.code or run.outcome}".lower())


def _write(path: Path, text: str) -> None:
    """Write a new file.

    Raises:
        ConfigError: it is there already, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ConfigError(f"{path} is there already; name another file with --output") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
