"""`fourfold select import`: cases out of decisions that were recorded elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.importing import growing, ids_in, lines_of, stand_ins
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, plain, print_json
from fourfold.cli.progress import Progress
from fourfold.cli.target import list_target, read_target
from fourfold.errors import ConfigError
from fourfold.model.chosen import OfferedTool
from fourfold.selection.importing.decision import FORMATS, HINDRANCES, Hindrance
from fourfold.selection.importing.run import Hindrances, Import
from fourfold.selection.importing.to_case import CaseMaker

__all__ = ["command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Imported:
    """What was read, and where the cases went; without a suite they were only counted."""

    source: Path
    suite: Path | None
    counted: Import


@click.command("import", cls=StrictCommand)
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="The format of the records; auto asks each record.",
)
@click.option(
    "--tools",
    metavar="TARGET",
    help="The tools that were offered, for records that don't tell: a catalog, a URL or a saved tools/list (.json).",
)
@click.option(
    "--out",
    "suite",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SUITE",
    help="The suite (.jsonl) that gets the new cases; without it they are only counted.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, source: Path, *, form: str, tools: str | None, suite: Path | None, as_json: bool
) -> int:
    """Make cases of the decisions in FILE: JSON Lines, or one JSON document.

    A case holds the conversation up to a decision and expects what was chosen then. Nobody has said yet that this is
    right: the cases are unreviewed. Credentials and e-mail addresses are replaced. What is in the suite already, or
    twice in FILE, is left out; what cannot be replayed is counted with the reason.

    Exits with 1 if no decision could be used, and with 2 if nothing could be read.

    \b
    Examples
      fourfold select import requests.jsonl --out suite.jsonl
      fourfold select import session.jsonl --tools billing:catalog --out suite.jsonl
      fourfold select import traces.json --format otel
    """
    counted = Import(
        maker=CaseMaker(_offered(ctx, tools) if tools else ()),
        form=next((each for each in FORMATS if each == form), None),
        known=ids_in(suite) if suite else frozenset(),
    )
    imported = _Imported(source=source, suite=suite, counted=counted)
    _import(imported)
    if as_json:
        print_json("selection-import/v1", _facts(imported))
    else:
        click.echo("\n".join(plain(line) for line in _lines(imported)))
    return int(not (counted.cases or counted.already))


def _offered(ctx: click.Context, target: str) -> tuple[OfferedTool, ...]:
    found, _ = read_target(ctx, [target], saved=True)
    return stand_ins(anyio.run(list_target, found))


def _import(imported: _Imported) -> None:
    """Read the file, and write the cases if there is a suite for them.

    Raises:
        ConfigError: nothing could be read, or the suite can't be written; it is then as it was.
    """
    cases = imported.counted.cases_in(_watched(imported))
    if imported.suite is None:
        for _ in cases:
            pass
        _refuse_nothing(imported)
        return
    with growing(imported.suite) as add:
        for case in cases:
            add(case)
        _refuse_nothing(imported)


def _watched(imported: _Imported) -> Iterator[bytes]:
    """The lines of the file, with a word to the person who waits for a long one."""
    source = imported.source
    # A pipe can be read only once, so that nobody knows how long it is.
    total = sum(1 for _ in lines_of(source)) if source.is_file() else 0
    with Progress(total, doing="reading line") as progress:
        for line in lines_of(source):
            progress.tell(f"{imported.counted.cases} new")
            yield line


def _refuse_nothing(imported: _Imported) -> None:
    counted, source = imported.counted, imported.source
    if not counted.read_nothing:
        return
    if counted.bad:
        raise ConfigError(f"{source} holds nothing that can be read: {counted.bad[0]}")
    if counted.hindered:
        raise ConfigError(f"{source} holds no record of a format that is known; there are {', '.join(FORMATS)}")
    raise ConfigError(f"{source} is empty")


def _lines(imported: _Imported) -> Iterator[str]:
    counted = imported.counted
    kinds = ", ".join(f"{form} {count}" for form, count in counted.records.items())
    records, decisions = _many(counted.records.total(), "record"), _many(counted.decisions, "decision")
    yield f"{imported.source}: {records} ({kinds}), {decisions}"
    place = f"in {imported.suite}" if imported.suite else "in no suite: name one with --out"
    yield f"  {counted.cases:>6}  new, {place}"
    if counted.duplicates:
        yield f"  {counted.duplicates:>6}  the same as another one in the file"
    if counted.already:
        yield f"  {counted.already:>6}  in {imported.suite} already"
    if counted.hindered:
        yield "Not to be replayed, because the record"
    for reason, each in _by_count(imported):
        yield f"  {each.count:>6}  {HINDRANCES[reason]} ({each.first})"
    if counted.bad_count:
        yield f"Not to be read: {counted.bad_count}"
        yield from (f"  {bad}" for bad in counted.bad)
        yield from ["  …"] if counted.bad_count > len(counted.bad) else []
    if counted.cases and imported.suite:
        yield f"Nobody has reviewed them yet: fourfold select review {imported.suite}"


def _facts(imported: _Imported) -> Mapping[str, object]:
    counted = imported.counted
    return {
        "file": str(imported.source),
        "suite": str(imported.suite) if imported.suite else None,
        "records": dict(counted.records),
        "decisions": counted.decisions,
        "new": counted.cases,
        "duplicates": counted.duplicates,
        "already": counted.already,
        "not_replayable": [
            {
                "reason": reason,
                "means": HINDRANCES[reason],
                "count": each.count,
                "line": each.first.line,
                "pointer": each.first.pointer,
            }
            for reason, each in _by_count(imported)
        ],
        "not_readable": {
            "count": counted.bad_count,
            "first": [{"line": bad.place.line, "pointer": bad.place.pointer, "what": bad.what} for bad in counted.bad],
        },
    }


def _by_count(imported: _Imported) -> list[tuple[Hindrance, Hindrances]]:
    return sorted(imported.counted.hindered.items(), key=lambda each: -each[1].count)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
