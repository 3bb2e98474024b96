"""`fourfold runs report`: what a suite says of a tool's versions, beside what their callers met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sql.unit import no_subject
from fourfold.bootstrap.service import ServedStore
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import plain, print_json
from fourfold.cli.sums import of_store, place_options, span, sum_options
from fourfold.model.selected import KeptResult
from fourfold.ports.selections import MOST_RESULTS
from fourfold.ports.tallies import OperationSum, SumFilter
from fourfold.runs.report import MEASURES, Moved, ToolReport, VersionFigures, report
from fourfold.runs.upkeep import fold_all
from fourfold.stats.independent import Rate
from fourfold.stats.rates import wilson

__all__ = ["report_versions"]


@click.command("report", cls=StrictCommand, short_help="Selection scores beside retry rates, by contract version.")
@click.option("--suite", default="", metavar="NAME", help="Only results of this suite, such as suite.jsonl.")
@sum_options
@place_options
def report_versions(store: str, where: SumFilter, *, suite: str, as_json: bool) -> None:
    """Did the edit help in production, too?

    For each tool and version of its contract, side by side: how many cases of the newest kept result are right, how
    many operations took more than one attempt, and how many began with invalid arguments; and from each version to
    the next, whether the difference is more than chance explains.

    Results come into the store with `fourfold select run --store`. Two of them are compared where they differ in the
    tools alone. Versions are of different times and callers, so that a difference need not come from the edit.

    \b
    Examples
      fourfold runs report
      fourfold runs report --tool quote_create --since 2026-09-01 --json
    """
    sums, results = of_store(store, lambda opened: _asked(opened, where, suite=suite))
    found, confidence = report(sums, _about(results, where.tool))
    if as_json:
        tools = [_facts(each) for each in found]
        print_json("runs-report/v1", {**span(where), "confidence": confidence, "tools": tools})
        return
    click.echo("\n".join(map(plain, _lines(found, confidence))) if found else "No operations, and no results.")


async def _asked(
    opened: ServedStore, where: SumFilter, *, suite: str
) -> tuple[Sequence[OperationSum], Sequence[KeptResult]]:
    await fold_all(opened, clock=SystemClock())
    return await opened.units.read(
        lambda unit: (
            opened.tallies.operations(unit, where, by=("tool", "contract_version", "code")),
            opened.selections.results(unit, suite=suite, limit=MOST_RESULTS),
        ),
        deadline=float("inf"),
        subject=no_subject,
    )


def _lines(found: Sequence[ToolReport], confidence: float) -> Iterator[str]:
    for each in found:
        yield each.tool
        for version in each.versions:
            yield f"  {version.version or '(none)'}"
            yield from (f"    {name:17}  {_figure(version, measure)}" for measure, name in MEASURES.items())
        for change in each.changes:
            yield f"  {change.before or '(none)'} to {change.after or '(none)'}"
            yield from (f"    {MEASURES[moved.measure]:17}  {_verdict(moved)}" for moved in change.moved)
        if not each.changes:
            yield "  one version only: there is nothing to compare"
    yield f"intervals of versions are at 95 % each; those of differences at {100 * confidence:.2f} %, 95 % together"


def _figure(version: VersionFigures, measure: str) -> str:
    if measure == "selection":
        if version.selection is None or version.result is None:
            return "missing: no result in the store knows this version"
        by = version.result
        return f"{_rate(version.selection)} cases of {by.suite or 'a suite'}, {by.facts.chooser}, {by.at}"
    rate = version.retry_rate if measure == "retry_rate" else version.invalid_arguments
    return f"{_rate(rate)} operations" if rate.trials else "missing: no operations in this time"


def _rate(rate: Rate) -> str:
    low, high = wilson(rate.successes, rate.trials).low, wilson(rate.successes, rate.trials).high
    return f"{100 * rate.share:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {rate.successes} of {rate.trials}"


def _verdict(moved: Moved) -> str:
    if moved.difference is None or moved.interval is None:
        return f"missing: {moved.missing}"
    low, high = 100 * moved.interval.low, 100 * moved.interval.high
    words = {True: "better, by more than chance", False: "worse, by more than chance", None: "this could be chance"}
    return f"{100 * moved.difference:+.1f} points ({low:+.1f} to {high:+.1f}): {words[moved.is_better]}"


def _about(results: Sequence[KeptResult], tool: str) -> Sequence[KeptResult]:
    """The results, with nothing but the tool that is asked about."""
    if not tool:
        return results
    return [replace(each, tools=tuple(score for score in each.tools if score.tool == tool)) for each in results]


def _facts(found: ToolReport) -> dict[str, object]:
    return {
        "tool": found.tool,
        "versions": [_version_facts(each) for each in found.versions],
        "changes": [
            {"before": each.before, "after": each.after, "moved": [*map(_moved_facts, each.moved)]}
            for each in found.changes
        ],
    }


def _version_facts(found: VersionFigures) -> dict[str, object]:
    return {
        "version": found.version,
        "selection": None if found.selection is None else _rate_facts(found.selection),
        "result": None if found.result is None else _result_facts(found.result),
        "retry_rate": _rate_facts(found.retry_rate),
        "invalid_arguments": _rate_facts(found.invalid_arguments),
    }


def _result_facts(result: KeptResult) -> dict[str, object]:
    facts = {"suite": result.suite, "chooser": result.facts.chooser, "models": [*result.models], "at": result.at}
    return {"id": result.result_id, **facts, "rule": result.rule}


def _rate_facts(rate: Rate) -> dict[str, object] | None:
    if not rate.trials:
        return None
    interval = wilson(rate.successes, rate.trials)
    return {"count": rate.successes, "of": rate.trials, "rate": rate.share, "interval": asdict(interval)}


def _moved_facts(moved: Moved) -> dict[str, object]:
    return {
        "measure": moved.measure,
        "missing": moved.missing,
        "difference": moved.difference,
        "interval": None if moved.interval is None else asdict(moved.interval),
        "could_be_chance": moved.could_be_chance,
        "is_better": moved.is_better,
    }
