"""`fourfold checklist`: the production checklist, ticked by evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import anyio
import click

from fourfold.bootstrap.evidence import read_evidence
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, print_json
from fourfold.cli.target import list_target, read_target
from fourfold.contracts.lock import lock_of
from fourfold.model.evidence import CheckedBox
from fourfold.review.checklist import BOXES, check_boxes

__all__ = ["command"]


@click.command("checklist", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, as_json: bool) -> int:
    """Show the production checklist for TARGET: each box ticked by evidence, or open with the reason.

    Evidence stands in .fourfold/evidence, where commands leave it. It counts for the very definitions that it was
    taken from: after a change the box is open again. Exits with 1 while a box is open.

    \b
    Examples
      fourfold review billing:catalog
      fourfold lock billing:catalog --reviewed-by ana
      fourfold checklist billing:catalog
    """
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    digest = lock_of(anyio.run(list_target, target)).digest
    kinds = {"review", "lock", *(kind for box in BOXES for kind in box.proved)}
    found = {kind: record for kind in sorted(kinds) if (record := read_evidence(kind)) is not None}
    boxes = check_boxes(digest, found)
    if as_json:
        print_json("checklist/v1", {"catalog_digest": digest, "boxes": [asdict(box) for box in boxes]})
    else:
        click.echo("\n".join(_lines(boxes)))
    return int(not all(box.ticked for box in boxes))


def _lines(boxes: Sequence[CheckedBox]) -> list[str]:
    lines: list[str] = []
    for box in boxes:
        mark = click.style("[x]", fg="green") if box.ticked else click.style("[ ]", fg="yellow")
        lines += [f"{mark} {box.text}", f"      {box.reason}"]
        if box.next_step:
            lines.append(f"      {box.next_step}")
    return [*lines, f"{sum(box.ticked for box in boxes)} of {len(boxes)} boxes ticked"]
