"""How commands print: tables for people, versioned JSON for programs, colour only on a terminal.

What a table or a text shows may come from a foreign server or a foreign caller, so control characters are shown and
not obeyed.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import click

from fourfold.report.plain import plain

__all__ = ["as_json_text", "json_option", "plain", "print_json", "styled", "table", "when"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")

_WHOLE = frozenset({"at", "run", "runs", "last"})
"""Columns whose cells say nothing when they are cut."""

_STYLES: Mapping[str, Mapping[str, str | bool]] = {
    "error": {"fg": "red"},
    "warning": {"fg": "yellow"},
    "advice": {"fg": "cyan"},
    "pass": {"fg": "green"},
    "heading": {"bold": True},
}
"""How the words of reports look on a terminal."""

_LEAST = 8
"""Characters that a cut cell keeps."""


def print_json(schema: str, value: Mapping[str, object]) -> None:
    """Print `value` with the name and version of its schema: `tools/v1` is described by docs/schemas/tools.json."""
    click.echo(as_json_text({"schema": f"fourfold/{schema}", **value}))


def as_json_text(value: object) -> str:
    """`value` as indented JSON. What no terminal should be sent stands there as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)


def styled(word: str, text: str) -> str:
    """`text` in the way of a word of reports: `error`, `warning`, `advice`, `pass` or `heading`."""
    return click.style(text, **_STYLES[word])  # pyright: ignore[reportArgumentType]  # click types each option apart


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str) -> None:
    """Print `rows` in columns; on stderr, `empty` says what it means that there are none.

    A terminal gets cells that fit its width: long ones are cut, and columns at the right are left out. A pipe
    gets everything.
    """
    if not rows:
        click.echo(empty, err=True)
        return
    cells = [[plain(str(cell)).replace("\n", " ") for cell in row] for row in rows]
    natural = [max(len(row[index]) for row in [list(headings), *cells]) for index in range(len(headings))]
    widths = _fitting(headings, natural, shutil.get_terminal_size().columns) if sys.stdout.isatty() else natural
    click.echo(click.style(_line(headings, widths), bold=True))
    for row in cells:
        click.echo(_line(row, widths))


def _fitting(headings: Sequence[str], natural: Sequence[int], room: int) -> Sequence[int]:
    """Widths for the columns that can stand in `room`."""
    # From all columns down to one; in each round the widest cell gives first, so that short ones stay whole.
    for count in range(len(natural), 0, -1):
        widths = list(natural[:count])
        while sum(widths) + 2 * (count - 1) > room:
            cuttable = [index for index in range(count) if headings[index] not in _WHOLE and widths[index] > _LEAST]
            if not cuttable:
                break
            widths[max(cuttable, key=widths.__getitem__)] -= 1
        else:
            return widths
    return natural


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(_cut(cell, width).ljust(width) for cell, width in zip(cells, widths, strict=False)).rstrip()


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else f"{cell[: width - 1]}…"


def when(milliseconds: int) -> str:
    """A time of the run records, in UTC: `2026-11-30 09:00:00Z`; one that no calendar has, as it is."""
    try:
        return f"{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%d %H:%M:%S}Z"
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds} ms"
