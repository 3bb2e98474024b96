"""How commands print: tables for people, versioned JSON for programs, colour only on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click

__all__ = ["json_option", "print_json", "table", "when"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def print_json(schema: str, value: dict[str, Any]) -> None:
    """Print `value` with the name of its schema (`docs/schemas/<schema>.json`)."""
    click.echo(json.dumps({"schema": f"fourfold/{schema}", **value}, indent=2, ensure_ascii=False))


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str) -> None:
    """Print `rows` in columns; `empty` says what it means that there are none."""
    if not rows:
        click.echo(empty)
        return
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in [list(headings), *cells]) for index in range(len(headings))]
    click.echo(click.style(_line(headings, widths), bold=True))
    for row in cells:
        click.echo(_line(row, widths))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def when(milliseconds: int) -> str:
    """A time of the run records, in UTC: `2026-11-30 09:00:00.123Z`."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000:03d}Z"
