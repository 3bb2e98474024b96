"""`fourfold keys`: the key ring, by its ids. Only `new` prints a key, for the variable that it is meant for."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import Key, new_entry
from fourfold.bootstrap.keys import FoundRing, find_ring, rotate_ring
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json, table

__all__ = ["command"]

_DATED = re.compile(r"(\d{4}-\d\d-\d\d)-[0-9a-f]{6}", re.ASCII)
"""The ids that are given here; one of somebody else's says nothing about its age."""


@click.group("keys")
def command() -> None:
    """Look after the keys that seal cursors, handles, states and stored outcomes.

    \b
    Examples
      fourfold keys list
      fourfold keys rotate --store sqlite:///billing.db
      fourfold keys new
    """


@command.command("new", cls=StrictCommand, short_help="Print a fresh ring for FOURFOLD_KEYS.")
def new() -> None:
    """Print a ring of one new key, for the variable FOURFOLD_KEYS of every server on one database.

    It is printed once and kept nowhere: put it where secrets are kept.

    \b
    Examples
      fourfold keys new
    """
    click.echo(new_entry())
    click.echo("set FOURFOLD_KEYS to this line for every server; it is kept nowhere else", err=True)


@command.command("list", cls=StrictCommand, short_help="Ids and ages of the keys.")
@store_option
@json_option
@config_option
def list_(store_url: str | None, config_path: Path | None, *, as_json: bool) -> None:
    """Ids and ages of the keys that a server on the store would use, newest first. Never a key.

    \b
    Examples
      fourfold keys list
    """
    found = find_ring(find_store(store_url, config_path))
    rows = [(key.kid, _age(key), _use(found, key)) for key in found.ring.keys]
    if as_json:
        keys = [{"id": kid, "age_days": age, "use": use} for kid, age, use in rows]
        print_json("keys-list/v1", {"where": found.where, "keys": keys})
        return
    shown = [(kid, "unknown" if age is None else f"{age} days", use) for kid, age, use in rows]
    table(("id", "age", "use"), shown, empty="No keys.")


@command.command("rotate", cls=StrictCommand, short_help="Take one step to a new key.")
@store_option
@config_option
def rotate(store_url: str | None, config_path: Path | None) -> None:
    """Take one step to a new key in the key file of the store; servers read it when they start.

    The first step adds a key that only opens, the second lets it seal. Restart the servers after each, so that none
    gets what another has sealed with a key that it lacks. Old keys stay.

    \b
    Examples
      fourfold keys rotate --store sqlite:///billing.db
    """
    found = rotate_ring(find_store(store_url, config_path))
    first = found.ring.keys[0]
    if first.opens_only:
        click.echo(f"{first.kid} is added to {found.where} and only opens.")
        click.echo("Restart the servers, then run this again to let it seal.")
    else:
        click.echo(f"{first.kid} of {found.where} seals from the next start of the servers on.")


def _age(key: Key) -> int | None:
    """Days since the key was made, as far as its id says it."""
    dated = _DATED.fullmatch(key.kid)
    if dated is None:
        return None
    try:
        made = date.fromisoformat(dated[1])
    except ValueError:  # an id that only looks like one of ours
        return None
    return (datetime.fromtimestamp(SystemClock().now_ms() // 1000, UTC).date() - made).days


def _use(found: FoundRing, key: Key) -> str:
    if key is found.ring.sealing:
        return "seals and opens"
    return "opens, seals next" if key.opens_only else "opens"
