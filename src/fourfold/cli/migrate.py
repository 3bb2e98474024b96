"""`fourfold migrate`: bring a store's tables up to date."""

from __future__ import annotations

from pathlib import Path

import click

from fourfold.adapters.store_url import shown_url
from fourfold.bootstrap.maintenance import apply_migrations, pending_migrations
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json

__all__ = ["command"]


@click.command("migrate", cls=StrictCommand)
@store_option
@click.option("--dry-run", is_flag=True, help="Only show what would be applied; exit code 1 if anything would.")
@json_option
@config_option
def command(store_url: str | None, config_path: Path | None, *, dry_run: bool, as_json: bool) -> int:
    """Apply the numbered migrations that a store lacks, all or none. A store that is missing is made.

    A server does the same when it starts.

    \b
    Examples
      fourfold migrate --store sqlite:///billing.db
      fourfold migrate --dry-run
    """
    url = find_store(store_url, config_path)
    names = list(pending_migrations(url) if dry_run else apply_migrations(url))
    if as_json:
        print_json("migrate/v1", {"store": shown_url(url), "dry_run": dry_run, "migrations": names})
    elif not names:
        click.echo(f"{shown_url(url)} is up to date.")
    for name in names if not as_json else ():
        click.echo(f"{'pending' if dry_run else 'applied'}: {name}")
    return 1 if dry_run and names else 0
