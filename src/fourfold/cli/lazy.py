"""A group of commands of which each one's module is imported when the command is used, so that help is quick."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """A group out of a table of names and summaries; the command `x` is `PREFIXx.command`."""

    def __init__(self, *args: Any, table: Mapping[str, str], prefix: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self._table = table
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The commands in the order of the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; a slip of the pen is answered with the nearest one."""
        if cmd_name in self._table:
            # Here and not at the top: help and completion need none of what the commands import.
            return import_module(f"{self._prefix}{cmd_name}").command
        nearest = difflib.get_close_matches(cmd_name, self._table, n=1)
        if nearest:
            raise click.UsageError(f"no command is called {cmd_name!r}; did you mean {nearest[0]}?", ctx)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """The list of commands, from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._table.items()))
