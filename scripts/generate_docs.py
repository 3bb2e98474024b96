"""Writes the parts of the documentation that the code knows: the commands of cli.md, the codes of errors.md.

Usage: python scripts/generate_docs.py [FOLDER]    FOLDER is docs by default.

A part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; what stands around it is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from fourfold.cli.main import cli
from fourfold.model.fault import FRAMEWORK_CODES

_WIDTH = 96


def main(folder: Path) -> None:
    """Write both pages in `folder`."""
    _replace(folder / "cli.md", "commands", "\n".join(_commands(cli, "fourfold")))
    _replace(folder / "errors.md", "codes", "\n".join(_codes()))


def _replace(page: Path, name: str, content: str) -> None:
    part = re.compile(rf"(<!-- generated: {name} -->\n).*?(\n<!-- end of {name} -->)", re.DOTALL)
    text, count = part.subn(lambda found: f"{found[1]}\n{content}{found[2]}", page.read_text("utf-8"))
    if count != 1:
        raise SystemExit(f"{page.name} has no part {name}")
    page.write_text(text, "utf-8")


def _commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[str]:
    """The help of a command, then of those in it."""
    context = command.make_context(name.rpartition(" ")[2], [], parent, resilient_parsing=True, terminal_width=_WIDTH)
    yield f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None:
                yield from _commands(found, f"{name} {each}", context)


def _codes() -> Iterator[str]:
    yield "| code | retry | means | next step |"
    yield "|---|---|---|---|"
    for spec in FRAMEWORK_CODES.values():
        yield f"| `{spec.code}` | `{spec.retry.value}` | {spec.message} | {spec.next_step} |"
    yield ""


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
