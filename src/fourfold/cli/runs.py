"""`fourfold runs`: questions to the run records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import click

from fourfold.bootstrap.maintenance import open_existing
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.filters import OUTCOMES, Asked, filtered
from fourfold.cli.flags import InOrder, StrictCommand
from fourfold.cli.kept import facts_of_kept, kept_in, lines_of_kept
from fourfold.cli.output import json_option, print_json, table, when
from fourfold.cli.record import facts_of, lines_of
from fourfold.cli.runs_cost import accounts, cost, fill
from fourfold.cli.runs_counts import counts, failures
from fourfold.cli.runs_rates import rebuild, retry_rate
from fourfold.cli.runs_records import export, last, prune, tail
from fourfold.cli.runs_report import report_versions
from fourfold.cli.runs_seals import head, proof, seal, verify_runs
from fourfold.cli.to_test import command as to_test
from fourfold.errors import ConfigError
from fourfold.ports.runs import RunRecord, Runs
from fourfold.runs.kept import FoundKept

__all__ = ["command"]

A = TypeVar("A")


@click.group("runs", cls=InOrder)
def command() -> None:
    """Ask the run records of a store. Every call leaves one, denied and invalid ones too.

    \b
    Examples
      fourfold runs list --account 8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60
      fourfold runs last --failed
      fourfold runs failures --since 24h
      fourfold runs retry-rate --tool quote_create --around 2026-11-01
    """


@command.command("list", cls=StrictCommand, short_help="Runs, newest first.")
@click.option("--outcome", type=click.Choice(OUTCOMES), metavar="NAME", help="Only this outcome.")
@click.option("--failed", is_flag=True, help="Only calls that did not succeed.")
@filtered
def list_(asked: Asked) -> None:
    """Runs, newest first.

    An outcome is one of done, invalid, rejected, denied, refused, needs_input, failed, unknown, cancelled. On a
    terminal, columns that do not fit are cut or left out; a pipe and --json get everything.

    \b
    Examples
      fourfold runs list --failed --since 24h
      fourfold runs list --account unknown --json
    """
    records = _answer(asked.store, lambda runs: runs.list(asked.where, limit=asked.limit))
    if asked.as_json:
        print_json("runs-list/v1", {"runs": [facts_of(record) for record in records]})
        return
    rows = [
        (when(run.at_ms), run.run_id, run.tool, f"{run.outcome} {run.code}".rstrip(), run.subject, run.principal)
        for run in (record.run for record in records)
    ]
    table(("at", "run", "tool", "outcome", "account", "principal"), rows, empty="No runs.")
    _say_if_cut(records, asked.limit)


@command.command("show", cls=StrictCommand, short_help="One run, by its id or a reference.")
@click.argument("run_id", metavar="RUN")
@store_option
@json_option
@config_option
def show(run_id: str, store_url: str | None, *, config_path: Path | None, as_json: bool) -> None:
    """One run, by its id or by the reference that an `internal` answer gave.

    Where the tool's contract keeps arguments or results, they are shown as well, if the keys of the store are here:
    beside its file, or in FOURFOLD_KEYS. Secrets and personal data are never kept.

    \b
    Examples
      fourfold runs show run_01a22a5902f77b1187acef124703b65e
      fourfold runs show ref_01a22a5902f96116ed4c47e9ad20821e
    """
    store = find_store(store_url, config_path)
    record, kept = _answer(store, partial(_with_kept, store, run_id))
    if as_json:
        print_json("runs-show/v1", {"run": facts_of(record), "kept": facts_of_kept(kept)})
        return
    for line in (*lines_of(record), *lines_of_kept(kept)):
        click.echo(line)


async def _with_kept(store: str, run_id: str, runs: Runs) -> tuple[RunRecord, FoundKept | None]:
    """The run, and what is kept of its call.

    Raises:
        ConfigError: there is no such run.
    """
    record = await runs.show(run_id)
    if record is None:
        raise ConfigError(f"no run and no reference is {run_id!r} in this store")
    return record, await kept_in(store, runs, run=record.run)


for _added in (
    failures,
    counts,
    last,
    tail,
    retry_rate,
    report_versions,
    cost,
    accounts,
    fill,
    to_test,
    export,
    prune,
    rebuild,
    seal,
    head,
    verify_runs,
    proof,
):
    command.add_command(_added)


def _say_if_cut(rows: Sequence[object], limit: int) -> None:
    if len(rows) == limit:
        click.echo(f"{limit} rows, and there may be more: see --limit", err=True)


def _answer(store: str, question: Callable[[Runs], Awaitable[A]]) -> A:
    """What the run records of `store` answer."""

    async def ask() -> A:
        async with open_existing(store) as found:
            return await question(found.runs)

    return anyio.run(ask)
