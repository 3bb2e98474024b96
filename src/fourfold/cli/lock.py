"""`fourfold lock`: writes down every definition of a target."""

from __future__ import annotations

from pathlib import Path

import anyio
import click

from fourfold.bootstrap.files import timestamp, write_whole
from fourfold.bootstrap.locked import LOCK_FILE, read_lock_file
from fourfold.cli.evidence import keep_evidence
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, plain, print_json
from fourfold.cli.target import list_target, read_target
from fourfold.contracts.diff import diff
from fourfold.contracts.lock import lock_of, lock_text
from fourfold.model.lock import CatalogLock, LockReview

__all__ = ["command"]


@click.command("lock", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=LOCK_FILE,
    help="The lock to write; ./fourfold.lock.json.",
)
@click.option("--reviewed-by", metavar="NAME", help="Note that NAME has looked at these definitions, and when.")
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, path: Path, reviewed_by: str | None, as_json: bool) -> None:
    """Write down every definition of TARGET: schemas, texts, hints, effects, faults, each with its digest.

    Commit the file. `fourfold diff` says what has changed since. Reviews that the file already holds are kept: each
    names the digest that was looked at, so that one of an older catalog counts for nothing new.

    \b
    Examples
      fourfold lock billing:catalog
      fourfold lock http://127.0.0.1:8765/mcp --reviewed-by ana
    """
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    before = read_lock_file(path) if path.exists() else None
    now = lock_of(anyio.run(list_target, target))
    lock = _with_reviews(now, before, reviewed_by)
    write_whole(path, lock_text(lock))
    if reviewed_by is not None:
        keep_evidence("lock", digest=lock.digest, results={"reviewed_by": reviewed_by, "file": str(path)})
    changes = diff(before, lock) if before is not None else ()
    if as_json:
        facts = {"file": str(path), "digest": lock.digest, "tools": len(lock.tools), "changes": len(changes)}
        print_json("locked/v1", facts)
        return
    noted = f", reviewed by {plain(reviewed_by)}" if reviewed_by else ""
    click.echo(f"{path}: {len(lock.tools)} tools, {lock.digest[:12]}{noted}")
    if before is not None:
        click.echo(f"{len(changes)} changes since it was written last" if changes else "nothing changed")


def _with_reviews(now: CatalogLock, before: CatalogLock | None, reviewed_by: str | None) -> CatalogLock:
    """`now` with the reviews of the lock before it, and one more if somebody has looked at it."""
    reviews = before.reviews if before is not None else ()
    if reviewed_by is not None:
        reviews = (*reviews, LockReview(digest=now.digest, by=reviewed_by, at=timestamp()))
    return CatalogLock(target=now.target, digest=now.digest, tools=now.tools, reviews=reviews)
