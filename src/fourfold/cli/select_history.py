"""`fourfold select history`: one line for each result, oldest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.keeping import Keepable, keep, keepable, kept_results
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json, table
from fourfold.errors import ConfigError
from fourfold.model.selected import KeptResult
from fourfold.selection.history import Look, by_suite, history
from fourfold.selection.reports.figures import percent, span

__all__ = ["command"]

_FILES = click.Path(exists=True, path_type=Path)


@click.command("history", cls=StrictCommand)
@click.argument("paths", nargs=-1, metavar="[FOLDER|FILE...]", type=_FILES)
@click.option("--add", "added", multiple=True, type=_FILES, metavar="FILE", help="Put this result into the store.")
@click.option("--suite", default="", metavar="NAME", help="Only results of this suite, of the store.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=60, show_default=True, help="The newest of the store.")
@store_option
@json_option
@config_option
def command(
    paths: tuple[Path, ...],
    *,
    added: tuple[Path, ...],
    suite: str,
    limit: int,
    store_url: str | None,
    as_json: bool,
    config_path: Path | None,
) -> int:
    """List results, oldest first, with the rate since watching began: those in the store, or in files.

    Its interval holds at all looks together, and a result is marked only where it is out of what the earlier ones
    leave open: on an unchanged model that happens in less than one history of a hundred, however often one looks.
    Exits with 1 if the last result fell. Watching begins anew where the suite or the rule is another one. Files are
    what `fourfold select run --out` writes. A run keeps its result in the store by itself; --add is for older files.

    \b
    Examples
      fourfold select history
      fourfold select history results
      fourfold select history --add monday.jsonl --store sqlite:///billing.db
    """
    if paths:
        if added or suite:
            raise click.UsageError("--add and --suite are about the store; leave out the files")
        groups = [[each.result for each in _results(paths)]]
    else:
        groups = by_suite(_stored(added, suite=suite, limit=limit, store=store_url, config_path=config_path))
    looks = [look for group in groups for look in history(group)]
    if as_json:
        print_json("selection-history/v1", {"results": [_facts(look) for look in looks]})
    else:
        rows = [_row(look) for look in looks]
        names = ("at", "result", "suite", "chooser", "right", "rate", "since then", "turn", "changed")
        table(names, rows, empty="No results.")
    return int(looks[-1].turn == "fell")


def _stored(
    added: Sequence[Path], *, suite: str, limit: int, store: str | None, config_path: Path | None
) -> Sequence[KeptResult]:
    """The results in the store, once those of some files are in it.

    Raises:
        ConfigError: there is no store or no result.
    """
    if added:
        files = _results(added)
        place = store or find_store(None, config_path)
        new = anyio.run(keep, place, files)
        click.echo(f"{new} of {len(files)} results are new in the store", err=True)
    else:
        place = find_store(store, config_path)
    found = anyio.run(partial(kept_results, place, suite=suite, limit=limit))
    if not found:
        raise ConfigError("the store has no such result; fourfold select run … --store URL keeps one")
    return found


def _results(paths: Sequence[Path]) -> list[Keepable]:
    """The results in files and folders. In a folder, a file that is no result is told of and left out.

    Raises:
        ConfigError: a file is no result, or there is none at all.
    """
    found: list[Keepable] = []
    for path in paths:
        for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
            try:
                found.append(keepable(file))
            except ConfigError as error:
                if not path.is_dir():
                    raise
                click.echo(f"left out: {error}", err=True)
    if not found:
        raise ConfigError("there is no result; fourfold select run … --out FILE writes one")
    return found


def _row(look: Look) -> tuple[str, ...]:
    return (
        look.result.at,
        look.result.name or "-",
        look.result.suite or "-",
        look.result.facts.chooser,
        f"{look.result.cases_right} of {look.result.cases}",
        percent(_share(look)),
        span(look.interval),
        look.turn or "-",
        "; ".join(f"{each.kind} ({each.detail})" for each in look.changes) or "-",
    )


def _share(look: Look) -> float | None:
    return look.result.cases_right / look.result.cases if look.result.cases else None


def _facts(look: Look) -> Mapping[str, object]:
    return {
        "at": look.result.at,
        "id": look.result.result_id,
        "name": look.result.name,
        "suite": look.result.suite,
        "chooser": look.result.facts.chooser,
        "models": [*look.result.models],
        "rule": look.result.rule,
        "passed": look.result.cases_right,
        "cases": look.result.cases,
        "share": _share(look),
        "interval": asdict(look.interval),
        "turn": look.turn,
        "begins_anew": look.is_first,
        "changes": [asdict(each) for each in look.changes],
    }
