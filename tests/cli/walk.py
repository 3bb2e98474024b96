"""Every command of the command line, with the words that call it."""

from __future__ import annotations

from collections.abc import Iterator

import click

__all__ = ["commands"]


def commands(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """`command` and everything in it."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, *words, name)
