"""`fourfold diff`: what has changed since the lock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import anyio
import click

from fourfold.bootstrap.locked import LOCK_FILE, read_lock_file
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import as_json_text, plain
from fourfold.cli.target import list_target, read_target
from fourfold.contracts.diff import diff
from fourfold.contracts.lock import lock_of
from fourfold.model.lock import IMPACTS, CatalogLock, Change, Impact
from fourfold.report.markdown import escaped

__all__ = ["command"]

Format = Literal["text", "json", "markdown"]

_COLOURS = {"breaking": "red", "routing": "yellow", "additive": "green"}


@click.command("diff", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option(
    "--against",
    type=click.Path(dir_okay=False, path_type=Path),
    default=LOCK_FILE,
    metavar="LOCK",
    help="The lock to compare with; ./fourfold.lock.json.",
)
@click.option(
    "--format", "form", type=click.Choice(("text", "json", "markdown")), default="text", help="What to print."
)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("--fail-on", type=click.Choice(IMPACTS), default="breaking", help="The least change that exits with 1.")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, against: Path, form: Format, fail_on: Impact) -> int:
    """Say what has changed in TARGET since it was locked, and what each change does to those who use it.

    breaking: calls or results that were good no longer are. routing: words that a model chooses by have changed.
    additive: everything that worked still does. A contract that changed under the same version always exits with 1.

    \b
    Examples
      fourfold diff billing:catalog
      fourfold diff billing:catalog --format markdown --fail-on routing
      fourfold diff tools.json --against vendor.lock.json
    """
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    before = read_lock_file(against)
    after = lock_of(anyio.run(list_target, target))
    changes = diff(before, after)
    click.echo("\n".join(_shown(changes, form, before=before, after=after)))
    failing = IMPACTS[: IMPACTS.index(fail_on) + 1]
    return int(any(change.impact in failing or change.same_version for change in changes))


def _shown(changes: Sequence[Change], form: Format, *, before: CatalogLock, after: CatalogLock) -> Iterator[str]:
    match form:
        case "text":
            yield from _text(changes)
        case "markdown":
            yield from _markdown(changes)
        case "json":
            facts = {"schema": "fourfold/diff/v1", "before": before.digest, "after": after.digest}
            yield as_json_text({**facts, "changes": [asdict(change) for change in changes]})


def _text(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        impact = click.style(change.impact, fg=_COLOURS[change.impact])
        place = f" at {plain(change.pointer)}" if change.pointer else ""
        version = " (under the same version)" if change.same_version else ""
        yield f"{impact} {change.kind} {plain(change.tool)}{place}: {plain(change.reason)}{version}"
    yield _verdict(changes)


def _verdict(changes: Sequence[Change]) -> str:
    if not changes:
        return "nothing changed"
    counts = [f"{sum(change.impact == impact for change in changes)} {impact}" for impact in IMPACTS]
    unversioned = sum(change.same_version for change in changes)
    return ", ".join([*counts, *([f"{unversioned} under the same version"] if unversioned else [])])


def _markdown(changes: Sequence[Change]) -> Iterator[str]:
    yield f"## Tool contracts: {_verdict(changes)}"
    if changes:
        yield ""
        yield "| tool | impact | change | place | reason |"
        yield "|---|---|---|---|---|"
    for change in changes:
        version = " **under the same version**" if change.same_version else ""
        place, reason = escaped(change.pointer), escaped(change.reason)
        yield f"| {escaped(change.tool)} | {change.impact}{version} | {change.kind} | {place} | {reason} |"
