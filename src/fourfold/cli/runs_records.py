"""`fourfold runs last`, `tail`, `export` and `prune`: single records, as they come, as they leave, and when they go."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from functools import partial

import anyio
import click

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import ServedStore
from fourfold.bootstrap.signing import found_signer
from fourfold.cli.filters import OUTCOMES, Asked, filtered, time_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import plain, print_json, when
from fourfold.cli.record import facts_of, lines_of
from fourfold.cli.sums import charges_text, cost_facts, dollars_text, of_store, place_options, priced
from fourfold.errors import ConfigError
from fourfold.model.run import RunFilter
from fourfold.ports.runs import RunRecord, Runs
from fourfold.runs.spending import TokenPrice, spent_on
from fourfold.runs.upkeep import drop_runs

__all__ = ["export", "last", "prune", "tail"]

_PAGE = 500
_LATE_MS = 60_000
"""How long after a later one a run may be stored: a write is, when it commits."""

_outcome = click.option("--outcome", type=click.Choice(OUTCOMES), metavar="NAME", help="Only this outcome.")
_failed = click.option("--failed", is_flag=True, help="Only calls that did not succeed.")


@click.command("last", cls=StrictCommand, short_help="The newest run, which account it touched and what it cost.")
@_outcome
@_failed
@priced
@partial(filtered, limited=False)
def last(asked: Asked, price: TokenPrice | None) -> None:
    """The newest run: which account it touched, what became of it, and what it cost.

    \b
    Examples
      fourfold runs last --failed
      fourfold runs last --failed --tool quote_create --model gpt-6.2-sol
    """
    records = of_store(asked.store, lambda opened: opened.runs.list(asked.where, limit=1))
    if not records:
        raise ConfigError("no run in this store is like that")
    record = records[0]
    spent = spent_on(record.run)
    if asked.as_json:
        print_json("runs-last/v1", {"run": facts_of(record), "cost": cost_facts(spent, price)})
        return
    tokens = spent.tokens
    click.echo(f"account  {plain(record.run.subject)}")
    click.echo(
        f"cost     {tokens.arguments} tokens of arguments, {tokens.result} of the result, {tokens.definition} of the "
        f"definition (estimated); dollars {dollars_text(spent, price)}; charges {charges_text(spent)}"
    )
    for line in lines_of(record):
        click.echo(line)


@click.command("tail", cls=StrictCommand, short_help="The newest runs, oldest of them first, and those that follow.")
@click.option("--follow", is_flag=True, help="Go on, until Ctrl-C.")
@_outcome
@_failed
@filtered
def tail(asked: Asked, *, follow: bool) -> None:
    """The newest runs, oldest of them first; with --follow also those that come. --json prints a run a line.

    \b
    Examples
      fourfold runs tail --limit 10
      fourfold runs tail --follow --failed --json
    """

    async def show(opened: ServedStore) -> None:
        async for record in _newest(opened.runs, asked, follow=follow):
            click.echo(_line(record, as_json=asked.as_json))

    of_store(asked.store, show)


@click.command("export", cls=StrictCommand, short_help="Every run as JSON Lines, oldest first.")
@_outcome
@_failed
@partial(filtered, limited=False)
def export(asked: Asked) -> None:
    """Every run that is asked for as JSON Lines, oldest first, one as `runs show --json` has it a line.

    \b
    Example
      fourfold runs export --since 2026-11-01 > november.jsonl
    """

    async def write(opened: ServedStore) -> None:
        async for record in _oldest(opened.runs, asked.where):
            click.echo(_line(record, as_json=True))

    of_store(asked.store, write)


@click.command("prune", cls=StrictCommand, short_help="Drop old runs; what they add to sums stays.")
@time_option("--before", "before_ms", required=True, about="Drop whole days (UTC) before: 90d.")
@place_options
def prune(store: str, before_ms: int, *, as_json: bool) -> None:
    """Drop runs of whole days before a moment, in small transactions, and keep what they add to the sums.

    The day of the newest run stays. Where runs are sealed, the keys of the store have to be here: that runs were
    dropped is recorded among the seals.

    \b
    Example
      fourfold runs prune --before 90d
    """
    signer = found_signer(store)

    async def drop(opened: ServedStore) -> int:
        return await drop_runs(opened, clock=SystemClock(), before_ms=before_ms, signer=signer)

    dropped = of_store(store, drop)
    if as_json:
        print_json("runs-prune/v1", {"runs": dropped})
        return
    click.echo(f"{dropped:,} runs are dropped; the sums keep what they cost")


async def _newest(runs: Runs, asked: Asked, *, follow: bool) -> AsyncGenerator[RunRecord]:
    """The newest runs in the order of their arrival, then whatever is stored until the command is ended."""
    seen: dict[str, int] = {}
    found: Sequence[RunRecord] = await runs.list(asked.where, limit=asked.limit)
    while True:
        for record in reversed(found):
            if record.run.run_id not in seen:
                seen[record.run.run_id] = record.run.at_ms
                yield record
        if not follow:
            return
        await anyio.sleep(1)
        since = max(seen.values(), default=SystemClock().now_ms()) - _LATE_MS
        seen = {run_id: at_ms for run_id, at_ms in seen.items() if at_ms >= since}
        found = await runs.list(replace(asked.where, since_ms=since), limit=10_000)


async def _oldest(runs: Runs, where: RunFilter) -> AsyncGenerator[RunRecord]:
    """Every run, a page at a time."""
    after: RunRecord | None = None
    while page := await runs.following(where, after=after, limit=_PAGE):
        for record in page:
            yield record
        after = page[-1]


def _line(record: RunRecord, *, as_json: bool) -> str:
    """A run in one line."""
    if as_json:
        return json.dumps(facts_of(record))
    run = record.run
    words = (when(run.at_ms), run.run_id, run.tool, f"{run.outcome} {run.code}".rstrip(), run.subject, run.principal)
    return plain("  ".join(words)).replace("\n", " ")
