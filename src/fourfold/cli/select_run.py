"""`fourfold select run`: asks a chooser for every case of a suite, and scores what it chose."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import anyio
import click

from fourfold.bootstrap.enacting import CatalogEnactor
from fourfold.bootstrap.keeping import Keepable, keep, place_for_results
from fourfold.bootstrap.measuring import Asking, measure
from fourfold.bootstrap.selecting import (
    ChooserSpec,
    Provider,
    load_result,
    load_suite,
    offered_tools,
    prices_of,
    sampling_of,
    versions_of,
)
from fourfold.budget.cost import amount
from fourfold.cli.context import config_option, find_store, read_setting
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import as_json_text, plain, styled
from fourfold.cli.progress import Progress
from fourfold.cli.select_words import Named, asking_options, named, spec_of, toolset_option
from fourfold.errors import ConfigError
from fourfold.model.case import CASE_CLASSES, Case
from fourfold.model.scored import RULES, Rule
from fourfold.selection.measured import Measured
from fourfold.selection.reports.facts import run_facts
from fourfold.selection.reports.lines import shown
from fourfold.selection.reports.run_html import run_html
from fourfold.selection.reports.run_text import run_text
from fourfold.selection.running import RunProgress, RunTerms
from fourfold.selection.tasks import Enactor

__all__ = ["command"]

Format = Literal["text", "json", "html"]
_FORMATS: tuple[Format, ...] = ("text", "json", "html")
_FILE = click.Path(dir_okay=False, path_type=Path)


class _Options(TypedDict):
    chooser: str | None
    samples: int | None
    system: Path | None
    temperature: float | None
    rule: Rule | None
    out: Path | None
    store_url: str | None
    execute: bool
    caller: str | None
    against: Path | None
    force: bool
    base_url: str | None
    api_key_env: str | None
    max_cost: str | None
    input_price: str | None
    output_price: str | None
    concurrency: int
    classes: tuple[str, ...]
    only: tuple[str, ...]
    split: str | None
    unreviewed: bool
    toolsets: tuple[str, ...]
    form: Format
    config_path: Path | None


@click.command("run", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="[SUITE] TARGET")
@asking_options
@click.option("--rule", type=click.Choice(RULES), help="How arguments are scored; exact, and tools for a baseline.")
@click.option("--out", type=_FILE, metavar="FILE", help="Keep answers and verdicts; a run that ended early goes on.")
@click.option("--store", "store_url", metavar="URL", help="Keep the result there, too; else in [serve] store.")
@click.option("--execute", is_flag=True, help="Make the calls of cases with an end state, on a throwaway store.")
@click.option("--caller", metavar="NAME", help="The [[caller]] that makes them; else [serve] caller or the only one.")
@click.option("--against", type=_FILE, metavar="FILE", help="Compare with an earlier result; the gate looks at it.")
@click.option("--force", is_flag=True, help="Compare although more than one thing differs.")
@click.option("--base-url", metavar="URL", help="Where a model is asked, such as http://127.0.0.1:11434/v1.")
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the provider's key.")
@click.option("--max-cost", metavar="USD", help="Ask no more than this pays for; needs --output-price.")
@click.option("--input-price", metavar="USD", help="Of a million tokens; else that of docs/budget.md.")
@click.option("--output-price", metavar="USD", help="Of a million tokens; without it no cost is told.")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=4, show_default=True, metavar="N", help="Requests at once."
)
@click.option("--class", "classes", multiple=True, type=click.Choice(tuple(CASE_CLASSES)), help="Only this class.")
@click.option("--only", multiple=True, metavar="WORD", help="Only cases with this id, task type, label or wanted tool.")
@click.option("--split", type=click.Choice(("tune", "holdout")), help="Only this half of the suite.")
@click.option("--unreviewed", is_flag=True, help="Score cases, too, that nobody has reviewed.")
@toolset_option
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", help="What to print; text by default.")
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], **options: Unpack[_Options]) -> int:
    """Ask a chooser what it would call in each case of SUITE, with the tools of TARGET, and score it.

    TARGET is a catalog, a URL, a saved tools/list (.json), or a command after --; its tools are offered and, but for
    --execute, never called. Suite, chooser and the like may stand in [select] of fourfold.toml. Exits with 1 if the
    gate fails: a case that must pass does not, or the rate fell by more than chance since --against. Exits with 3 if
    the run is not whole, whatever the gate says. A whole one is kept in the store, for `select history` and
    `runs report`.

    \b
    Examples
      fourfold select run suite.jsonl billing:catalog --chooser bm25
      fourfold select run suite.jsonl billing:catalog --chooser openai:gpt-4o --samples 3 --out today.jsonl
      fourfold select run suite.jsonl billing:catalog --chooser replay:today.jsonl --against before.jsonl
    """
    found = named(ctx, words, config_path=options["config_path"])
    spec = spec_of(options["chooser"], found.section)
    if spec is None:
        raise click.UsageError("name what chooses with --chooser, such as --chooser bm25")
    # Baselines and replays cost nothing, so that nothing is lost where they are not kept.
    if spec.is_paid and options["out"] is None:
        raise click.UsageError("name a file for the answers with --out, so that a run which ends early can go on")
    cases, remarks = _cases(found.suite, options)
    given = options["store_url"] and find_store(options["store_url"], options["config_path"])
    store, why_not = place_for_results(given, found.store)
    if why_not:
        remarks = (*remarks, why_not)
    with _kept(options["out"]) as file:
        asking = _asking(found, spec, options, cases=cases, remarks=remarks, file=file)
        asked = Progress(len(cases) * asking.terms.samples, doing="asking")
        with asked as progress, redirect_stdout(sys.stderr):  # what a handler prints is no result
            measured = anyio.run(partial(measure, asking, tell=partial(_tell, progress)))
    click.echo(_shown(measured, options["form"]))
    # Behind the report: what was paid for is seen even where the store is not to be had.
    if store is not None and measured.is_whole:
        anyio.run(keep, store, [Keepable(result=measured.kept, confusion=measured.tally.confusion)])
    # Of a run that was cut off nobody knows whether the gate would have passed.
    return int(bool(measured.gate.failures)) if measured.is_whole else 3


def _asking(
    found: Named, spec: ChooserSpec, options: _Options, *, cases: Sequence[Case], remarks: tuple[str, ...], file: Path
) -> Asking:
    section = found.section
    prices = prices_of(
        spec, most=options["max_cost"], input_price=options["input_price"], output_price=options["output_price"]
    )
    return Asking(
        suite=str(found.suite),
        target=str(found.target),
        cases=cases,
        tools=offered_tools(found.catalog, toolsets=options["toolsets"]),
        spec=spec,
        provider=Provider(
            base_url=options["base_url"] or section.base_url, key_env=options["api_key_env"] or section.api_key_env
        ),
        terms=RunTerms(
            samples=options["samples"] or section.samples or 1,
            at_once=options["concurrency"],
            sampling=sampling_of(section, system=options["system"], temperature=options["temperature"]),
            cap=prices if options["max_cost"] is not None else None,
        ),
        # A baseline has no arguments that a configured rule could judge.
        rule=options["rule"] or (spec.rule if spec.rule == "tools" else section.rule or spec.rule),
        file=file,
        prices=prices,
        against=load_result(options["against"]) if options["against"] else None,
        force=options["force"],
        remarks=remarks,
        versions=versions_of(found.catalog),
        enactor=_enactor(found, options),
        name="" if options["out"] is None else options["out"].name,
    )


def _enactor(found: Named, options: _Options) -> Enactor | None:
    """What makes the chosen calls, if they are to be made.

    Raises:
        click.UsageError: the target is no catalog, so that there is no store to throw away.
        ConfigError: nobody is configured to make them.
    """
    if not options["execute"]:
        if options["caller"] is not None:
            raise click.UsageError("--caller makes the calls of --execute; name both")
        return None
    if found.target.catalog is None:
        raise click.UsageError("--execute needs a catalog (module:catalog): it makes the calls on a store of its own")
    setting = read_setting(found.target.catalog, options["config_path"])
    return CatalogEnactor(catalog=setting.loaded.built, caller=setting.caller(options["caller"]))


def _cases(suite: Path, options: _Options) -> tuple[Sequence[Case], tuple[str, ...]]:
    """The cases that are asked, and what to say of those that are not.

    Raises:
        ConfigError: the suite can't be read, or nothing of it is left.
    """
    asked = [case for case in load_suite(suite) if _is_asked(case, options)]
    if not asked:
        raise ConfigError(f"{suite} has no such cases; leave out --class, --only or --split, or write some")
    kept = [case for case in asked if case.reviewed or options["unreviewed"]]
    if not kept:
        raise ConfigError(f"no case of {suite} is reviewed: fourfold select review {suite}, or --unreviewed")
    left = len(asked) - len(kept)
    return kept, (f"{left} cases that nobody has reviewed were left out",) if left else ()


def _is_asked(case: Case, options: _Options) -> bool:
    names = {case.id, case.task_type, *case.labels, *(call.name for call in case.expect.calls)}
    return (
        (not options["classes"] or case.case_class in options["classes"])
        and (not options["only"] or bool(names.intersection(options["only"])))
        and options["split"] in (None, case.split)
    )


@contextmanager
def _kept(out: Path | None) -> Generator[Path]:
    """The file for the answers; without a name, one that is gone afterwards."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "run.jsonl"


def _tell(progress: Progress, run: RunProgress) -> None:
    """How far the run is, how long it will take, and what was spent."""
    progress.done = run.done - 1
    spent = f", {amount(run.spent)} spent" if run.spent else ""
    failed = f", {run.failed} without an answer" if run.failed else ""
    progress.tell(f"{run.case}, about {run.seconds_left:.0f} s left{spent}{failed}")


def _shown(measured: Measured, form: Format) -> str:
    match form:
        case "text":
            return "\n".join(shown(run_text(measured), style=styled, plain=plain))
        case "json":
            return as_json_text({"schema": "fourfold/selection/v1", **run_facts(measured)})
        case "html":
            return run_html(measured)
