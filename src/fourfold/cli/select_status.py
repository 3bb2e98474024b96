"""`fourfold select status`: whether a result still holds for what would be run today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fourfold.bootstrap.selecting import load_result, load_suite, offered_tools, sampling_of
from fourfold.cli.context import config_option
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, plain, print_json
from fourfold.cli.select_words import Named, asking_options, named, spec_of, toolset_option
from fourfold.model.selected import RunFacts
from fourfold.selection.comparable import Difference, facts_differing, tool_changes
from fourfold.selection.digest import suite_digest
from fourfold.selection.running import RunTerms, facts_of

__all__ = ["command"]


class _Options(TypedDict):
    result: Path
    chooser: str | None
    samples: int | None
    system: Path | None
    temperature: float | None
    toolsets: tuple[str, ...]
    as_json: bool
    config_path: Path | None


@click.command("status", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="[SUITE] TARGET")
@click.option(
    "--result",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What `fourfold select run --out` has written.",
)
@asking_options
@toolset_option
@json_option
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], **options: Unpack[_Options]) -> int:
    """Whether a result still holds: exits with 1 if the tools, the suite, the chooser or the prompt are other ones.

    Nothing is asked. Of chooser, prompt and sampling only what an option or [select] names is looked at. Which
    version of a model answers is only seen in a run.

    \b
    Examples
      fourfold select status suite.jsonl billing:catalog --result last.jsonl
      fourfold select status suite.jsonl billing:catalog --result last.jsonl --chooser openai:gpt-4o
    """
    found, earlier = named(ctx, words, config_path=options["config_path"]), load_result(options["result"])
    today, unknown = _today(found, options, earlier.facts)
    changes, tools = facts_differing(earlier.facts, today), tool_changes(earlier.facts, today)
    if options["as_json"]:
        facts = {
            "result": earlier.name,
            "holds": not changes,
            "differences": [asdict(each) for each in changes],
            "tools": asdict(tools),
            "not_compared": unknown,
        }
        print_json("selection-status/v1", facts)
    else:
        click.echo("\n".join(map(plain, _lines(earlier.name, changes, unknown))))
    return int(bool(changes))


def _today(found: Named, wishes: _Options, before: RunFacts) -> tuple[RunFacts, list[str]]:
    """The facts of a run of today, and which of them nobody has named, so that they are taken from the result."""
    section, spec = found.section, spec_of(wishes["chooser"], found.section)
    cases = load_suite(found.suite)
    reviewed = [case for case in cases if case.reviewed]
    sampling = sampling_of(section, system=wishes["system"], temperature=wishes["temperature"])
    facts = facts_of(
        # A run may have been told to ask what nobody has reviewed, or not.
        cases if suite_digest(cases) == before.suite else reviewed,
        offered_tools(found.catalog, toolsets=wishes["toolsets"]),
        chooser=spec.name if spec is not None else before.chooser,
        terms=RunTerms(samples=wishes["samples"] or section.samples or before.samples, sampling=sampling),
    )
    unnamed: dict[str, bool] = {
        "chooser": spec is None,
        "system": not sampling.system,
        "temperature": sampling.temperature is None,
        "max_tokens": section.max_tokens is None,
    }
    unknown = [name for name, is_unknown in unnamed.items() if is_unknown]
    return replace(facts, **{name: getattr(before, name) for name in unknown}), unknown


def _lines(name: str, changes: Sequence[Difference], unknown: Sequence[str]) -> list[str]:
    lines = [f"{each.kind} is another one: {each.detail}" for each in changes]
    if unknown:
        lines.append(f"not looked at, because nobody names it: {', '.join(unknown)}")
    verdict = f"{name} does not hold any more; run the suite again" if changes else f"{name} holds"
    return [*lines, verdict]
