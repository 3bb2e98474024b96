"""The TARGET argument of commands: a catalog, a URL, a command after `--`, or a saved `tools/list`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from fourfold.bootstrap.load import is_catalog_target
from fourfold.cli.context import token_from_environment
from fourfold.cli.flags import words_after_dashes
from fourfold.cli.load import load_target

if TYPE_CHECKING:
    from fourfold.edge.target import LiveTarget
    from fourfold.model.listed import ListedCatalog

__all__ = ["Target", "list_target", "live", "read_target", "said_when_slow"]


@dataclass(frozen=True, slots=True)
class Target:
    """What the user pointed at: exactly one of the four is set."""

    catalog: str | None = None
    url: str | None = None
    command: tuple[str, ...] = ()
    saved: Path | None = None

    def __str__(self) -> str:
        return self.catalog or self.url or (str(self.saved) if self.saved else " ".join(self.command))


def read_target(ctx: click.Context, words: Sequence[str], *, saved: bool = False) -> tuple[Target, list[str]]:
    """The target and the words that are left. With `--` every word is left.

    Args:
        ctx: of a `TargetCommand`.
        words: the command's arguments.
        saved: whether a file with a saved `tools/list` is a target as well.

    Raises:
        click.UsageError: there is no target, or it has none of the forms.
    """
    command = words_after_dashes(ctx)
    if command is not None:
        if not command:
            raise click.UsageError("after -- comes the command of the server, such as -- python server.py")
        return Target(command=command), list(words)
    if not words:
        raise click.UsageError("name a target: module:catalog, a URL, or -- and a command")
    first, *rest = words
    if first.startswith(("http://", "https://")):
        if "@" in urlsplit(first).netloc:
            raise click.UsageError("a URL with a password would stand in the process list; set FOURFOLD_TOKEN instead")
        return Target(url=first), rest
    if is_catalog_target(first):
        return Target(catalog=first), rest
    if saved and first.endswith(".json"):
        return Target(saved=Path(first)), rest
    forms = "module:catalog, a URL, a saved tools/list (.json), or" if saved else "module:catalog, a URL, or"
    raise click.UsageError(f"{first!r} is no target: use {forms} -- and a command")


async def list_target(target: Target) -> ListedCatalog:
    """Everything that the target lists.

    Raises:
        ConfigError, ContractError, TargetError: as `load_target`, `live` and `of_file`.
    """
    from fourfold.bootstrap.targets import of_catalog, of_file, of_server

    if target.catalog is not None:
        return of_catalog(load_target(target.catalog), target=target.catalog)
    if target.saved is not None:
        return of_file(target.saved)
    async with live(target) as server:
        return await of_server(server)


@asynccontextmanager
async def live(target: Target) -> AsyncGenerator[LiveTarget]:
    """A connection to a target that is a URL or a command, with the token of the environment.

    Raises:
        TargetError: it cannot be started, reached or understood.
    """
    from fourfold.edge.target import connect

    # The notice ends when the connection stands, the connection when the caller is done with it.
    async with AsyncExitStack() as stack:
        with said_when_slow(f"connecting to {target}"):
            server = await stack.enter_async_context(
                connect(target.url or target.command, token=token_from_environment())
            )
        yield server


@contextmanager
def said_when_slow(what: str, *, after_s: float = 2.0) -> Generator[None]:
    """Tell the person at the terminal what is being waited for, once it has taken `after_s` seconds."""

    def say() -> None:
        if sys.stderr.isatty():
            click.echo(f"{what} …", err=True)

    timer = asyncio.get_running_loop().call_later(after_s, say)
    try:
        yield
    finally:
        timer.cancel()
