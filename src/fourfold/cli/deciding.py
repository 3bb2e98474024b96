"""What commands for people on call share: looking into a store, deciding in one, and proving who decides."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sql.unit import no_subject
from fourfold.bootstrap.configuration import find_configuration
from fourfold.bootstrap.maintenance import open_existing
from fourfold.bootstrap.operators import operator_of, read_operators
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.output import json_option, plain, when
from fourfold.model.audit import AuditEntry
from fourfold.ports.store import Store
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.on_call import OnCall

__all__ = [
    "Decider",
    "Listed",
    "audit_lines",
    "deciding",
    "fact_lines",
    "listed",
    "look",
    "prove",
    "read_token",
    "say_if_cut",
]

A = TypeVar("A")

_STORE_S = 30.0
"""Seconds that the store may take."""

_MAX_LINE = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What every list is restricted by, and how it is printed."""

    store: str
    state: str | None
    tenant: str | None
    limit: int
    as_json: bool


def listed(*states: str) -> Callable[[Callable[[Listed], None]], Callable[..., None]]:
    """Give a command the options that every list takes, gathered in a `Listed`."""
    options = (
        click.option("--state", type=click.Choice(states), metavar="NAME", help=f"Only {', '.join(states)}."),
        click.option("--tenant", metavar="NAME", help="Only this tenant."),
        click.option(
            "--limit", default=50, type=click.IntRange(1, 10_000), metavar="N", show_default=True, help="Rows at most."
        ),
        store_option,
        json_option,
        config_option,
    )

    def decorate(command: Callable[[Listed], None]) -> Callable[..., None]:
        @wraps(command)
        def gathered(store_url: str | None, config_path: Path | None, **given: Any) -> None:
            command(Listed(store=find_store(store_url, config_path), **given))

        taking: Callable[..., None] = gathered
        for option in reversed(options):
            taking = option(taking)
        return taking

    return decorate


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """How a decision is made: in which store, by the configuration of which file, and with a token from where."""

    store: str
    configuration: Path | None
    from_stdin: bool
    as_json: bool


def deciding(command: Callable[..., A]) -> Callable[..., A]:
    """Give `command` the options that every decision takes, gathered in a `Decider`; its own come as they are."""
    options = (
        click.option("--token-stdin", "from_stdin", is_flag=True, help="Read your token from standard input."),
        store_option,
        json_option,
        config_option,
    )

    @wraps(command)
    def gathered(store_url: str | None, config_path: Path | None, *, from_stdin: bool, as_json: bool, **rest: Any) -> A:
        path = config_path or find_configuration(Path.cwd())
        store = find_store(store_url, config_path)
        return command(Decider(store=store, configuration=path, from_stdin=from_stdin, as_json=as_json), **rest)

    taking: Callable[..., A] = gathered
    for option in reversed(options):
        taking = option(taking)
    return taking


def look(url: str, question: Callable[[Store, Unit], A]) -> A:
    """What the records of the store answer.

    Raises:
        ConfigError: there is no such store.
    """

    async def ask() -> A:
        async with open_existing(url) as store:
            deadline = SystemClock().ticks() + _STORE_S
            return await store.units.read(lambda unit: question(store, unit), deadline=deadline, subject=no_subject)

    return anyio.run(ask)


def prove(decider: Decider, work: Callable[[OnCall, Transaction], A], *, tenant: str | None = None) -> A:
    """Ask who decides, then run `work` for that person in one transaction, on the rows of `tenant` if one is given.

    Raises:
        ConfigError: nobody proved to be an operator; or there is no such store.
        DecisionError: `work` was refused.
    """
    configuration = read_operators(decider.configuration)
    operator = operator_of(read_token(from_stdin=decider.from_stdin), configuration)
    clock, retention = SystemClock(), configuration.retention.retention

    async def decide() -> A:
        async with open_existing(decider.store) as store:
            person = OnCall(store=store, clock=clock, operator=operator, retention=retention)
            return await store.units.write(
                lambda found: work(person, found), deadline=clock.ticks() + _STORE_S, tenant=tenant
            )

    return anyio.run(decide)


def read_token(*, from_stdin: bool) -> str:
    """The token, from a hidden prompt or from standard input: never from an argument or the environment.

    Raises:
        UsageError: there is nobody to ask.
    """
    if from_stdin:
        return sys.stdin.readline(_MAX_LINE).strip()
    if not sys.stdin.isatty():
        raise click.UsageError("your token is asked for on a terminal; without one, give --token-stdin and pipe it in")
    return click.prompt("Your operator token", hide_input=True, err=True).strip()


def fact_lines(facts: Sequence[tuple[str, object]]) -> list[str]:
    """`name  value` lines, without what is empty."""
    width = max(len(name) for name, _ in facts)
    return [f"{name.ljust(width)}  {plain(str(value))}" for name, value in facts if value not in ("", None)]


def audit_lines(entries: Sequence[AuditEntry]) -> list[str]:
    """Who decided what about it, first to last; nothing for nobody."""
    told = [
        f"  {when(entry.at_ms)}  {entry.action} by {entry.actor}{f': {entry.reason}' if entry.reason else ''}"
        for entry in reversed(entries)
    ]
    return ["audit", *(plain(line).replace("\n", " ") for line in told)] if told else []


def say_if_cut(rows: Sequence[object], limit: int) -> None:
    """Say on standard error that a full list may not be all of it."""
    if len(rows) == limit:
        click.echo(f"{limit} rows, and there may be more: see --limit", err=True)
