"""`fourfold select check`: whether a suite fits a target, without asking a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.selecting import offered_tools
from fourfold.cli.context import config_option
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, plain, print_json, styled
from fourfold.cli.select_words import named, toolset_option
from fourfold.contracts.case_file import CaseProblem, read_case
from fourfold.errors import ConfigError
from fourfold.model.case import CASE_CLASSES, Case
from fourfold.model.chosen import OfferedTool
from fourfold.selection.checking import CaseFinding, check_cases
from fourfold.selection.digest import tools_digest
from fourfold.selection.reports.lines import Line, heading, shown
from fourfold.selection.soundness import remarks_on

__all__ = ["command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """A suite that was read and compared with tools."""

    suite: str
    target: str
    cases: Sequence[Case]
    problems: Sequence[CaseProblem]
    findings: Sequence[CaseFinding]
    short: Sequence[str]
    remarks: Sequence[str]

    @property
    def classes(self) -> Mapping[str, int]:
        """How many cases of each class there are."""
        counts = Counter(case.case_class for case in self.cases)
        return {name: counts[name] for name in CASE_CLASSES}

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.problems or self.findings or self.short)


@click.command("check", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="[SUITE] TARGET")
@click.option(
    "--least", type=click.IntRange(0), default=0, metavar="N", help="Exit with 1 if a class has fewer cases than N."
)
@toolset_option
@json_option
@config_option
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    *,
    least: int,
    toolsets: tuple[str, ...],
    as_json: bool,
    config_path: Path | None,
) -> int:
    """Check that SUITE is valid and fits the tools of TARGET; no model is asked.

    Every tool and argument that a case names exists, every value that it expects satisfies the tool's input schema,
    and every required argument is named. Exits with 1 if something does not fit, and names the case and the place.

    \b
    Examples
      fourfold select check suite.jsonl billing:catalog
      fourfold select check suite.jsonl tools.json --least 10
    """
    found = named(ctx, words, config_path=config_path)
    cases, problems = _read(found.suite)
    tools = offered_tools(found.catalog, toolsets=toolsets)
    counts = Counter(case.case_class for case in cases)
    checked = _Checked(
        suite=str(found.suite),
        target=str(found.target),
        cases=cases,
        problems=problems,
        findings=[*check_cases(cases, tools)],
        short=[f"{counts[name]} {name} cases, and {least} are wanted" for name in CASE_CLASSES if counts[name] < least],
        remarks=[*_told(cases, tools), *anyio.run(remarks_on, cases, tools)],
    )
    if as_json:
        print_json("selection-check/v1", _facts(checked))
    else:
        click.echo("\n".join(shown(_lines(checked), style=styled, plain=plain)))
    return int(not checked.is_clean)


def _read(path: Path) -> tuple[list[Case], list[CaseProblem]]:
    """The cases of a file, and what is wrong with each other line.

    Raises:
        ConfigError: it can't be read, or holds nothing.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    # Every line and not only the first that is wrong: a person mends them together.
    found = [(number, read_case(line, number)) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise ConfigError(f"{path} holds no cases")
    cases: dict[str, Case] = {}
    problems: list[CaseProblem] = []
    for number, each in found:
        if isinstance(each, CaseProblem):
            problems.append(each)
        elif each.id in cases:
            problems.append(CaseProblem(line=number, pointer="/id", what=f"{each.id!r} is the id of a line before"))
        else:
            cases[each.id] = each
    return [*cases.values()], problems


def _told(cases: Sequence[Case], tools: Sequence[OfferedTool]) -> Iterator[str]:
    """What is no fault, and a reader should know."""
    unreviewed = sum(not case.reviewed for case in cases)
    if unreviewed:
        yield f"{unreviewed} of {len(cases)} cases are not reviewed; fourfold select review walks through them"
    digest = tools_digest(tools)
    stale = sum(case.tools_ref not in ("", digest) for case in cases)
    if stale:
        yield f"{stale} cases were recorded with other tools than these"


def _lines(checked: _Checked) -> Iterator[Line | str]:
    yield heading(f"{checked.suite} on {checked.target}: {len(checked.cases)} cases")
    yield from (f"  {name:14}  {checked.classes[name]:>5}  {means}" for name, means in CASE_CLASSES.items())
    yield from (Line("error", str(problem)) for problem in checked.problems)
    for finding in checked.findings:
        yield Line("error", finding.case, f" at {finding.pointer}")
        yield f"  {finding.what}"
    yield from (Line("error", "too few", f" {short}") for short in checked.short)
    yield from (Line("warning", "note", f" {remark}") for remark in checked.remarks)
    broken = len({finding.case for finding in checked.findings})
    yield f"{len(checked.problems)} lines are no cases, {broken} cases do not fit, {len(checked.findings)} findings"


def _facts(checked: _Checked) -> Mapping[str, object]:
    return {
        "suite": checked.suite,
        "target": checked.target,
        "classes": dict(checked.classes),
        "problems": [asdict(problem) for problem in checked.problems],
        "findings": [asdict(finding) for finding in checked.findings],
        "too_few": [*checked.short],
        "remarks": [*checked.remarks],
    }
