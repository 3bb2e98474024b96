"""The TARGET argument of commands: a catalog, a URL, or a command after `--`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from fourfold.bootstrap.load import is_catalog_target

__all__ = ["Target", "TargetCommand", "read_target"]

_KEY = "fourfold.command"


@dataclass(frozen=True, slots=True)
class Target:
    """What the user pointed at: exactly one of the three is set."""

    catalog: str | None = None
    url: str | None = None
    command: tuple[str, ...] = ()

    @property
    def live(self) -> str | tuple[str, ...]:
        """The URL or the command."""
        return self.url if self.url is not None else self.command


class TargetCommand(click.Command):
    """A command whose arguments after `--` are a server to start, not its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows `--` for `read_target`."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[_KEY] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)


def read_target(ctx: click.Context, words: Sequence[str]) -> tuple[Target, list[str]]:
    """The target and the words that are left. With `--` every word is left.

    Raises:
        click.UsageError: there is no target, or it has none of the three forms.
    """
    command: Any = ctx.meta.get(_KEY)
    if command is not None:
        if not command:
            raise click.UsageError("after -- comes the command of the server, such as -- python server.py")
        return Target(command=command), list(words)
    if not words:
        raise click.UsageError("name a target: module:catalog, a URL, or -- and a command")
    first, *rest = words
    if first.startswith(("http://", "https://")):
        return Target(url=first), rest
    if is_catalog_target(first):
        return Target(catalog=first), rest
    raise click.UsageError(f"{first!r} is no target: use module:catalog, a URL, or -- and a command")
