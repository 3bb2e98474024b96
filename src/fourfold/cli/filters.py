"""The options that restrict a question to the run records."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fourfold.adapters.clock import SystemClock
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.output import json_option
from fourfold.model.run import RunFilter

__all__ = ["OUTCOMES", "Asked", "filtered", "time_option"]

OUTCOMES = ("done", "invalid", "rejected", "denied", "refused", "needs_input", "failed", "unknown", "cancelled")
"""How a run can have ended (`model.run.Run.outcome`)."""

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What gives a command an option."""

_AGO = re.compile(r"(\d{1,6})([smhdw])")
_SINCE = "From then on: 15m, 24h or 7d ago, or an ISO date or time, in UTC unless it says otherwise."
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def _moment(_ctx: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    """A time as milliseconds: `24h` ago, or an ISO 8601 date or time (UTC unless it says otherwise)."""
    if value is None:
        return None
    ago = _AGO.fullmatch(value)
    if ago:
        return SystemClock().now_ms() - int(ago[1]) * _SECONDS[ago[2]] * 1000
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter("use 15m, 24h, 7d, or a date or time such as 2026-11-30T09:00:00Z") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def time_option(*names: str, about: str, required: bool = False, default: str | None = None) -> Option:
    """An option that takes a time and gives it in milliseconds; `about` is its help."""
    # click takes a default of None for a value, so that nothing would be required.
    more: dict[str, Any] = {} if default is None else {"default": default, "show_default": True}
    return click.option(*names, callback=_moment, metavar="WHEN", required=required, help=about, **more)


_OPTIONS = (
    click.option("--account", "subject", metavar="ID", help="The run's Subject; `unknown` for those without one."),
    click.option("--tenant", metavar="NAME", help="Only this tenant."),
    click.option("--principal", metavar="NAME", help="Only this principal."),
    click.option("--tool", metavar="NAME", help="Only this tool."),
    click.option("--code", metavar="CODE", help="Only this code."),
    time_option("--since", "since_ms", about=_SINCE),
    time_option("--until", "until_ms", about="Before then."),
)
_LIMIT = click.option(
    "--limit", default=50, type=click.IntRange(1, 10_000), metavar="N", show_default=True, help="Rows at most."
)
_STORE = (store_option, json_option, config_option)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What every question has: the store, what restricts it, how many rows, and how to print them."""

    store: str
    where: RunFilter
    limit: int
    as_json: bool


def filtered(command: Callable[..., None], *, limited: bool = True) -> Callable[..., None]:
    """Give `command` the options that every question takes, gathered in an `Asked`; its own come as they are.

    One that is not `limited` answers with one row or with all of them, and has no --limit.
    """

    @wraps(command)
    def gathered(
        store_url: str | None, config_path: Path | None, *, limit: int = 1, as_json: bool, **rest: Any
    ) -> None:
        given = {name: rest.pop(name) for name in RunFilter.__dataclass_fields__ if name in rest}
        # click gives None for what was not said; the filter has an empty value for each kind.
        where = RunFilter(**{name: value for name, value in given.items() if value is not None})
        store = find_store(store_url, config_path)
        command(Asked(store=store, where=where, limit=limit, as_json=as_json), **rest)

    taking: Callable[..., None] = gathered
    for option in reversed((*_OPTIONS, *((_LIMIT,) if limited else ()), *_STORE)):
        taking = option(taking)
    return taking
