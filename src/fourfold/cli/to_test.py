"""`fourfold runs to-test`: regression cases from the records of calls that were refused or failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.maintenance import open_existing
from fourfold.bootstrap.targets import of_catalog
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.filters import time_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.kept import kept_in
from fourfold.cli.load import load_target
from fourfold.errors import ConfigError
from fourfold.model.listed import ListedTool
from fourfold.model.run import Run, RunFilter
from fourfold.runs.kept import FoundKept
from fourfold.runs.regression import makes_case, regression_case

__all__ = ["command"]

_LOOKED_AT = 1_000
"""Runs that --failed looks at, newest first."""

Found = tuple[Run, FoundKept | None]


@click.command("to-test", cls=StrictCommand, short_help="A regression case from a run that failed.")
@click.argument("words", nargs=-1, required=True, metavar="[RUN] TARGET")
@click.option("--failed", is_flag=True, help="Instead of RUN: the newest failure of each tool and code.")
@click.option("--tool", default="", metavar="NAME", help="With --failed: only this tool.")
@time_option("--since", "since_ms", about="With --failed: from then on, such as 24h.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file to write; with --failed, the folder. tests/test_TOOL_CODE.py by default.",
)
@store_option
@config_option
def command(
    words: tuple[str, ...],
    store_url: str | None,
    *,
    failed: bool,
    tool: str,
    since_ms: int | None,
    output: Path | None,
    config_path: Path | None,
) -> None:
    """Write a regression case from the record of a call that was refused, denied or failed.

    RUN is an id, or the reference of an internal answer; TARGET is the catalog, such as billing:catalog. If the tool's
    contract keeps arguments, the case runs as it is, on a store that is thrown away. What is never kept, such as a
    secret, has to be filled in; without kept arguments, all of them. Until then the case fails.

    \b
    Examples
      fourfold runs to-test run_01a22a5902f77b1187acef124703b65e billing:catalog
      fourfold runs to-test --failed --tool quote_create --since 24h billing:catalog
    """
    if len(words) != 2 - failed:
        raise click.UsageError("give RUN and TARGET, or --failed and TARGET")
    if not failed and (tool or since_ms is not None):
        raise click.UsageError("--tool and --since go with --failed")
    target, store = words[-1], find_store(store_url, config_path)
    tools = {each.name: each for each in of_catalog(load_target(target), target=target).tools}
    if failed:
        where = RunFilter(tool=tool, since_ms=since_ms, failed=True)
        for found in anyio.run(_failures, store, where):
            _write_if_new(found, tools.get(found[0].tool), target=target, folder=output or Path("tests"))
        return
    found = anyio.run(_one, store, words[0])
    _write(found, tools.get(found[0].tool), target=target, path=output)


async def _one(store: str, run_id: str) -> Found:
    async with open_existing(store) as opened:
        record = await opened.runs.show(run_id)
        if record is None:
            raise ConfigError(f"no run and no reference is {run_id!r} in this store")
        return record.run, await kept_in(store, opened.runs, run=record.run)


async def _failures(store: str, where: RunFilter) -> Sequence[Found]:
    """The newest failure of each tool and code, of those that make a case."""
    async with open_existing(store) as opened:
        newest: dict[tuple[str, str], Run] = {}
        for record in await opened.runs.list(where, limit=_LOOKED_AT):
            if makes_case(record.run):
                newest.setdefault((record.run.tool, record.run.code), record.run)
        return [(run, await kept_in(store, opened.runs, run=run)) for run in newest.values()]


def _write_if_new(found: Found, tool: ListedTool | None, *, target: str, folder: Path) -> None:
    """Write one of several cases; what cannot be one, or is there, is said and does not stop the others."""
    try:
        _write(found, tool, target=target, path=None, folder=folder)
    except ConfigError as error:
        click.echo(f"{found[0].run_id}: {error}", err=True)


def _write(
    found: Found, tool: ListedTool | None, *, target: str, path: Path | None, folder: Path = Path("tests")
) -> None:
    """Write the case and say what is missing in it.

    Raises:
        ConfigError: the run makes no case, the catalog has no such tool, or the file is there or cannot be written.
    """
    run, kept = found
    call = kept.call if kept is not None else None
    if tool is None and makes_case(run):
        raise ConfigError(f"{target} has no tool called {run.tool!r} any more")
    case = regression_case(run, tool, target=target, kept=call)
    path = path or folder / case.file_name
    _store(path, case.text)
    if kept is not None and kept.call is None:
        click.echo(f"{run.run_id}: {kept.why}", err=True)
    state = f"it fails until filled in: {', '.join(case.missing)}" if case.missing else "it runs as it is"
    click.echo(f"{path} written; {state}")


def _store(path: Path, text: str) -> None:
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
