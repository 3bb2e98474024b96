"""How commands are parsed: flags that are on or not there, the words after `--` kept apart, groups in their order."""

from __future__ import annotations

from itertools import pairwise

import click

__all__ = ["InOrder", "StrictCommand", "TargetCommand", "words_after_dashes"]

_KEY = "fourfold.command"
_TRUTHS = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0"})


class InOrder(click.Group):
    """Lists its commands in the order in which they are defined."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The names, most used first."""
        return list(self.commands)


class StrictCommand(click.Command):
    """A command whose flags take no value.

    `--flag false` must not turn the flag on and hand `false` to something else (case MP-118).
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse a value given to a flag, in either spelling."""
        flags = {name for option in self.params if getattr(option, "is_flag", False) for name in option.opts}
        # The first loop is for what click would refuse in fewer words, the second for what it would misread.
        for word in args:
            name, separator, value = word.partition("=")
            if separator and name in flags:
                raise _no_value(ctx, name, value)
        for name, value in pairwise(args):
            if name in flags and value.lower() in _TRUTHS:
                raise _no_value(ctx, name, value)
        return super().parse_args(ctx, args)


class TargetCommand(StrictCommand):
    """A command whose arguments after `--` are a server to start, not its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows `--` for `words_after_dashes`."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[_KEY] = tuple(args[at + 1 :])
            args = args[:at]
        return super().parse_args(ctx, args)


def words_after_dashes(ctx: click.Context) -> tuple[str, ...] | None:
    """What stood after `--`; `None` if there was no `--`."""
    words: tuple[str, ...] | None = ctx.meta.get(_KEY)
    return words


def _no_value(ctx: click.Context, name: str, value: str) -> click.BadOptionUsage:
    message = f"{name} takes no value, so {value!r} says nothing: write {name} to turn it on, leave it out for off"
    return click.BadOptionUsage(name, message, ctx)
