"""Evidence of what a command has found out; a report is printed whether or not it can be kept."""

from __future__ import annotations

import click

from fourfold.bootstrap.evidence import leave_evidence
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject

__all__ = ["keep_evidence"]


def keep_evidence(kind: str, *, digest: str, results: JsonObject) -> None:
    """Leave evidence in the current folder; where nothing can be written, say so and go on."""
    try:
        leave_evidence(kind, digest=digest, results=results)
    except ConfigError as error:
        click.echo(f"no evidence is kept: {error}", err=True)
