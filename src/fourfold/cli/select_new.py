"""`fourfold select new`: cases that a catalog's own definitions suggest, from templates and without a model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import anyio
import click

from fourfold.bootstrap.files import write_whole
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, print_json
from fourfold.cli.target import list_target, read_target
from fourfold.contracts.case_file import case_line
from fourfold.errors import ConfigError
from fourfold.model.case import CASE_CLASSES
from fourfold.selection.proposing import propose

__all__ = ["command"]


@click.command("new", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the cases are written; a file that is there is left alone.",
)
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, out: Path, as_json: bool) -> int:
    """Propose cases for the tools of TARGET: near neighbours, abstain, ask, preserve and injection.

    They are made from the tools' definitions, from what a description says that the tool is not for, and from pairs
    that `fourfold review` takes for alike. None of them is reviewed: `fourfold select review` walks through them.

    \b
    Examples
      fourfold select new billing:catalog --out proposals.jsonl
      fourfold select new tools.json --out proposals.jsonl
    """
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    if out.exists():
        raise ConfigError(f"{out} is there already; name another file")
    cases = propose(anyio.run(list_target, target))
    if not cases:
        raise ConfigError(f"{target} lists nothing that a case could be made of")
    write_whole(out, "".join(f"{case_line(case)}\n" for case in cases))
    counts = Counter(case.case_class for case in cases)
    if as_json:
        print_json("selection-new/v1", {"file": str(out), "classes": {name: counts[name] for name in CASE_CLASSES}})
    else:
        said = ", ".join(f"{count} {name}" for name, count in counts.items())
        click.echo(f"{len(cases)} cases in {out}: {said}\nnext: fourfold select review {out}")
    return 0
