"""The heads of the seals that a server makes, on its standard error, so that they leave the machine with its log."""

from __future__ import annotations

import logging

import click

__all__ = ["print_heads"]


class _Heads(logging.Handler):
    """Prints what the sealing says."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        click.echo(record.getMessage(), err=True)


def print_heads() -> None:
    """Print the head on standard error whenever runs were sealed, from now on."""
    logger = logging.getLogger("fourfold.runs.sealing")
    logger.setLevel(logging.INFO)
    logger.handlers = [_Heads()]
