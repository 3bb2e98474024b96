"""`fourfold new`: a server to start from, and another tool for it."""

from __future__ import annotations

import keyword
import re
import secrets
import site
import sys
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path

import click

from fourfold.catalog.operations import OPERATION_STATUS
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, print_json
from fourfold.cli.scaffold import EFFECTS, find_project, make_folder, server_files
from fourfold.errors import ConfigError

__all__ = ["command"]

_SERVER = re.compile(r"[a-z][a-z0-9_]{1,29}")
_TOOL = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
_MAX_TOOL = 35
"""Characters: a client puts the server's name in front, and the code of a fault has the resource in it."""

_TAKEN = frozenset({"conftest", "server", "tests", "tool"})
"""What a project has anyway, and the words of this command."""

_TABLES_OF_OTHERS = ("fourfold_", "sqlite_")
"""How the names of tables begin that are not the author's: a template names its table after the resource."""

_VERBS = {
    **dict.fromkeys(("get", "read", "show"), "read"),
    **dict.fromkeys(("add", "create", "save"), "create"),
    **dict.fromkeys(("change", "edit", "rename", "set", "update"), "update"),
}
"""What the last word of a tool's name promises."""


class _ServerByDefault(click.Group):
    """`fourfold new NAME` is `fourfold new server NAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `server` in front when the first word is no command of the group."""
        # Both names are reserved, so that the first word can mean only one of the two.
        words = [word for word in args if not word.startswith("-")]
        if words and words[0] not in self.commands:
            args = ["server", *args]
        return super().parse_args(ctx, args)


@click.group("new", cls=_ServerByDefault)
def command() -> None:
    """Make a server to start from, or add a tool to it.

    `fourfold new NAME` is short for `fourfold new server NAME`.

    \b
    Examples
      fourfold new shop
      fourfold new tool invoice_get
    """


@command.command("server", cls=StrictCommand, short_help="A folder with a server and its tests.")
@click.argument("name")
@json_option
def server(name: str, *, as_json: bool) -> None:
    """Make the folder NAME with a server: a read, a write, their tests and a caller.

    The tests pass at once. The caller's bearer token for HTTP is printed this once; fourfold.toml has its SHA-256.

    \b
    Examples
      fourfold new shop
      fourfold new server shop --json
    """
    _check_server(name)
    token = secrets.token_hex(32)
    made = server_files(name, token_sha256=sha256(token.encode()).hexdigest())
    make_folder(Path(name), made)
    if as_json:
        print_json("new-server/v1", {"folder": name, "files": sorted(made), "token": token})
        return
    click.echo(f"made {name}: an MCP server with a read, a write and fifteen tests\n")
    for words in (
        f"cd {name}",
        "python -m pytest",
        f"fourfold prove {name}:catalog --writes",
        f"""fourfold call {name}:catalog note_create '{{"title": "First"}}'""",
        f"fourfold serve {name}:catalog",
    ):
        click.echo(f"  {words}")
    click.echo(f"\nThe bearer token of developer, for HTTP, is shown this once:\n\n  {token}")


@command.command("tool", cls=StrictCommand, short_help="A tool with its six tests.")
@click.argument("name", metavar="RESOURCE_ACTION")
@click.option(
    "--effect",
    type=click.Choice(EFFECTS),
    help="What a call does; left out where the action says it: invoice_get reads, invoice_create creates.",
)
@json_option
def tool(name: str, *, effect: str | None, as_json: bool) -> None:
    """Add the tool RESOURCE_ACTION to the server in this folder: its module, six tests, and the line that loads it.

    Three tests are about its schema, two about its domain, one calls its handler alone; all of them pass at once.

    \b
    Examples
      fourfold new tool invoice_get
      fourfold new tool invoice_close --effect update
    """
    chosen = _check_tool(name, effect)
    project = find_project(Path())
    if project.has(name):
        raise ConfigError(f"{name} is there already; choose another name")
    made = project.add(name, chosen)
    if as_json:
        print_json("new-tool/v1", {"tool": name, "effect": chosen, "files": list(made), "loaded_by": project.entry})
        return
    click.echo(f"made {name} ({chosen}), loaded by {project.entry}\n")
    for path in made:
        click.echo(f"  {path}")
    click.echo(f"\npython -m pytest {made[-1]} runs its six tests.")


def _check_server(name: str) -> None:
    if not _SERVER.fullmatch(name):
        raise click.UsageError(
            f"{name!r} names no package: use 2 to 30 lower-case letters, digits and _, beginning with a letter"
        )
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise click.UsageError(f"{name} is a word of Python; choose another")
    if name in _TAKEN or name in sys.stdlib_module_names or _is_installed(name):
        raise click.UsageError(f"{name} would hide a package of that name; choose another")


def _is_installed(name: str) -> bool:
    # Not on the whole path: a folder of this name in the current one may be empty, and is then filled.
    return PathFinder.find_spec(name, site.getsitepackages()) is not None


def _check_tool(name: str, effect: str | None) -> str:
    """The effect that the tool is to have."""
    if not _TOOL.fullmatch(name) or len(name) > _MAX_TOOL:
        raise click.UsageError(
            f"{name!r} is not RESOURCE_ACTION in at most {_MAX_TOOL} lower-case characters, such as invoice_get"
        )
    if name.startswith(_TABLES_OF_OTHERS):
        raise click.UsageError(f"{name} would have a table among those of the store; choose another name")
    if name == OPERATION_STATUS:
        raise click.UsageError(f"{name} comes with every catalog that writes; choose another name")
    promised = _VERBS.get(name.rpartition("_")[2])
    if promised is None and effect is None:
        raise click.UsageError(
            f"{name} does not say what a call does: add --effect {', '.join(EFFECTS[:-1])} or {EFFECTS[-1]}"
        )
    if promised is not None and effect not in {None, promised}:
        raise click.UsageError(f"{name} promises to {promised}; name it otherwise, or leave --effect {effect} out")
    return effect or str(promised)
