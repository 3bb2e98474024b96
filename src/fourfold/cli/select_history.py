"""`fourfold select history`: one line for each result, oldest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from fourfold.bootstrap.selecting import load_result
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json, table
from fourfold.errors import ConfigError
from fourfold.selection.history import Look, history
from fourfold.selection.reports.figures import percent, span
from fourfold.selection.result import Result

__all__ = ["command"]

_PATH = click.Path(exists=True, path_type=Path)


@click.command("history", cls=StrictCommand)
@click.argument(
    "paths", nargs=-1, required=True, metavar="FOLDER|FILE...", type=click.Path(exists=True, path_type=Path)
)
@json_option
def command(paths: tuple[Path, ...], *, as_json: bool) -> int:
    """List results, oldest first, with the rate since watching began.

    Its interval holds at all looks together, and a result is marked only where it is out of what the earlier ones
    leave open: on an unchanged model that happens in less than one history of a hundred, however often one looks.
    Exits with 1 if the last result fell. Watching begins anew where the suite or the rule is another one. Results
    are read from the files that `fourfold select run --out` writes; the store holds none.

    \b
    Examples
      fourfold select history results
      fourfold select history monday.jsonl tuesday.jsonl --json
    """
    looks = [*history(_results(paths))]
    if as_json:
        print_json("selection-history/v1", {"results": [_facts(look) for look in looks]})
    else:
        rows = [_row(look) for look in looks]
        table(("at", "result", "chooser", "right", "rate", "since then", "turn", "changed"), rows, empty="No results.")
    return int(looks[-1].turn == "fell")


def _results(paths: Sequence[Path]) -> list[Result]:
    """The results in files and folders. In a folder, a file that is no result is told of and left out.

    Raises:
        ConfigError: a file is no result, or there is none at all.
    """
    found: list[Result] = []
    for path in paths:
        for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
            try:
                found.append(load_result(file))
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
        look.result.name,
        look.result.facts.chooser,
        f"{look.passed} of {look.trials}",
        percent(_share(look)),
        span(look.interval),
        look.turn or "-",
        "; ".join(f"{each.kind} ({each.detail})" for each in look.changes) or "-",
    )


def _share(look: Look) -> float | None:
    return look.passed / look.trials if look.trials else None


def _facts(look: Look) -> Mapping[str, object]:
    return {
        "at": look.result.at,
        "name": look.result.name,
        "chooser": look.result.facts.chooser,
        "models": [*look.result.models],
        "rule": look.result.rule,
        "passed": look.passed,
        "cases": look.trials,
        "share": _share(look),
        "interval": asdict(look.interval),
        "turn": look.turn,
        "begins_anew": look.is_first,
        "changes": [asdict(each) for each in look.changes],
    }
