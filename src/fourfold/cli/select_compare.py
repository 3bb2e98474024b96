"""`fourfold select compare`: what changed between two results, and whether it is chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fourfold.bootstrap.selecting import load_result
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, plain, print_json, styled
from fourfold.selection.comparable import Difference, differences, refuse_incomparable
from fourfold.selection.compare import Comparison, Gate, compare
from fourfold.selection.measured import gated, seen_by_gate
from fourfold.selection.reports.facts import comparison_facts, differences_facts, gate_facts
from fourfold.selection.reports.figures import can_see, compared
from fourfold.selection.reports.lines import Line, heading, shown
from fourfold.selection.result import Result

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("compare", cls=StrictCommand)
@click.argument("before", type=_FILE)
@click.argument("after", type=_FILE)
@click.option("--force", is_flag=True, help="Compare although more than one thing differs.")
@json_option
def command(before: Path, after: Path, *, force: bool, as_json: bool) -> int:
    """Compare two results of a suite, case by case: files that `fourfold select run --out` has written.

    Only cases whose verdict changed say anything; the p-value is that of the exact McNemar test, adjusted over
    slices (Holm). Results that differ in more than one thing are refused: catalog, chooser, model version, system
    prompt, sampling, scorer or suite. Exits with 1 if the gate fails.

    \b
    Examples
      fourfold select compare before.jsonl after.jsonl
      fourfold select compare before.jsonl after.jsonl --json
    """
    earlier, later = load_result(before), load_result(after)
    found = differences(earlier, later)
    if not force:
        refuse_incomparable(found, before=earlier.name, after=later.name)
    comparison, gate = compare(earlier.tally, later.tally), gated(earlier.tally, later.tally)
    if as_json:
        facts = {
            "before": earlier.name,
            "after": later.name,
            "differences": differences_facts(found),
            "comparison": comparison_facts(comparison),
            "gate": gate_facts(gate),
        }
        print_json("selection-comparison/v1", facts)
    else:
        lines = _lines((earlier, later), found, comparison=comparison, gate=gate)
        click.echo("\n".join(shown(lines, style=styled, plain=plain)))
    return int(bool(gate.failures))


def _lines(
    results: tuple[Result, Result], found: Sequence[Difference], *, comparison: Comparison, gate: Gate
) -> Iterator[Line | str]:
    yield heading(f"{results[0].name} against {results[1].name}")
    yield from (f"differs in {each.kind}: {each.detail}" for each in found)
    if not found:
        yield "nothing that a result depends on differs"
    yield from compared(comparison)
    yield from _named("error", "broken", comparison.broken)
    yield from _named("pass", "fixed", comparison.fixed)
    yield from _named("warning", "left out, with one verdict only", comparison.left_out)
    for change in comparison.slices:
        pairs = change.pairs
        yield (
            f"  {change.name:20} {pairs.fixed:>3} fixed {pairs.broken:>3} broken of {pairs.trials:<5} "
            f"p = {change.p:.2g} over {len(comparison.slices)} slices"
        )
    yield can_see(comparison.pairs.trials, comparison.smallest)
    if said := seen_by_gate(results[1].tally.cases):
        yield Line("warning", "note", f" {said}")
    yield from (Line("error", "gate", f" {failure}") for failure in gate.failures)
    yield from (Line("warning", "gate", f" {warning}") for warning in gate.warnings)


def _named(word: str, what: str, cases: Sequence[str]) -> Iterator[Line]:
    if cases:
        yield Line(word, what, f": {', '.join(cases)}")
