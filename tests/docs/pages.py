"""Reads the pages that users read: their fenced blocks, and which of those run. Owns the form, not the running."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "Step", "blocks_in", "pages", "steps_in"]

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[a-z]*) *(?P<title>[^`]*)$")
_NOT_RUN = re.compile(r"^<!-- not run: (\S.*) -->$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    line: int
    """Number of its first line of text."""
    language: str
    title: str
    """What stands after the language: the name of the file that the block is, or `server` for a console block whose
    command stays up until the page ends."""
    text: str
    not_run: str | None
    """Why it can't run by itself, from the comment just before it: `<!-- not run: reason -->`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of a console block and what it prints; `...` stands for anything."""

    command: str
    output: str


def pages(root: Path) -> tuple[Path, ...]:
    """README.md and docs, without the decisions: those are for contributors."""
    docs = (path for path in (root / "docs").rglob("*.md") if "decisions" not in path.parts)
    return (root / "README.md", *sorted(docs))


def blocks_in(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        number += 1
        if fence is None:
            continue
        end = _end_of_block(lines, number, indent=fence["indent"])
        yield Block(
            line=number + 1,
            language=fence["language"],
            title=fence["title"].strip(),
            text="\n".join(line.removeprefix(fence["indent"]) for line in lines[number:end]) + "\n",
            not_run=_reason_above(lines[: number - 1]),
        )
        number = end + 1


def steps_in(block: Block) -> tuple[Step, ...]:
    """The commands of a console block, which start with `$ `, each with the lines below it.

    Raises:
        ValueError: The block doesn't start with a command.
    """
    if not block.text.startswith("$ "):
        raise ValueError("a console block starts with a command: $ fourfold ...")
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    return tuple(
        Step(command=command, output=output) for command, _, output in (part.partition("\n") for part in parts)
    )


def _end_of_block(lines: list[str], start: int, *, indent: str) -> int:
    ends = (number for number in range(start, len(lines)) if lines[number].rstrip() == f"{indent}```")
    return next(ends, len(lines))


def _reason_above(lines: list[str]) -> str | None:
    written = next((line.strip() for line in reversed(lines) if line.strip()), "")
    found = _NOT_RUN.match(written)
    return found[1] if found else None
