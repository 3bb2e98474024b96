"""`fourfold purge`: drop what is past its time."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import anyio
import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.store_url import shown_url
from fourfold.bootstrap.configuration import find_configuration, read_configuration
from fourfold.bootstrap.maintenance import open_existing
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json
from fourfold.model.retention import Retention
from fourfold.stages.purge import Purged, purge

__all__ = ["command"]


@click.command("purge", cls=StrictCommand)
@store_option
@json_option
@config_option
def command(store_url: str | None, config_path: Path | None, *, as_json: bool) -> None:
    """Drop outcomes, plans, sent messages and handles that are past their time, as [retention] says.

    A server does the same every hour. Operations that run or are unknown stay, however old, and so do dead messages.
    One whose process died, and that no call came back for in that time, becomes unknown.

    \b
    Examples
      fourfold purge
      fourfold purge --store sqlite:///billing.db --json
    """
    url = find_store(store_url, config_path)
    configuration = read_configuration(config_path or find_configuration(Path.cwd()))
    dropped = asdict(anyio.run(_purged, url, configuration.retention.retention))
    if as_json:
        print_json("purge/v1", {"store": shown_url(url), **dropped})
    else:
        click.echo(", ".join(f"{name} {count}" for name, count in dropped.items()))


async def _purged(url: str, retention: Retention) -> Purged:
    async with open_existing(url) as store:
        return await purge(store, clock=SystemClock(), retention=retention)
