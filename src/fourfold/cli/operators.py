"""`fourfold operators`: people who decide by hand."""

from __future__ import annotations

import json
import secrets
from hashlib import sha256

import click

from fourfold.bootstrap.sections import OperatorEntry
from fourfold.cli.flags import InOrder, StrictCommand
from fourfold.errors import ConfigError

__all__ = ["command"]

_PERMISSIONS = ("claims.settle", "plans.approve", "outbox.retry")


@click.group("operators", cls=InOrder)
def command() -> None:
    """People who settle operations, approve plans and have messages sent again.

    \b
    Example
      fourfold operators new ana --tenant acme >> fourfold.toml
    """


@command.command("new", cls=StrictCommand, short_help="Make a token for a person, and their entry.")
@click.argument("name")
@click.option(
    "--principal", metavar="NAME", help="Who they are; NAME when left out. No plan of theirs is theirs to approve."
)
@click.option(
    "--tenant",
    "tenants",
    multiple=True,
    required=True,
    metavar="NAME",
    help='Whose data; may be repeated; "*" for all.',
)
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    type=click.Choice(_PERMISSIONS),
    metavar="NAME",
    help="claims.settle, plans.approve or outbox.retry; may be repeated; all of them when left out.",
)
def new(name: str, principal: str | None, *, tenants: tuple[str, ...], permissions: tuple[str, ...]) -> None:
    """Make a token for the person NAME. Their entry for fourfold.toml goes to standard output, the token to the other.

    Give the token to that person and to nobody else; it is stored nowhere, and shown this once.

    \b
    Examples
      fourfold operators new ana --tenant acme >> fourfold.toml
      fourfold operators new bo --tenant acme --tenant globex --permission outbox.retry
    """
    token = secrets.token_urlsafe(32)
    facts = {
        "name": name,
        "principal": principal or name,
        "tenants": "*" if "*" in tenants else list(tenants),
        "permissions": list(permissions or _PERMISSIONS),
        "token_sha256": sha256(token.encode()).hexdigest(),
    }
    try:
        OperatorEntry.model_validate(facts)
    except ValueError:
        raise ConfigError(
            "a name is up to 64 letters, digits and . _ @ -, and a principal and a tenant are not empty"
        ) from None
    # A JSON string, and a list of them, is written as TOML writes it.
    click.echo("\n".join(["", "[[operator]]", *(f"{key} = {json.dumps(value)}" for key, value in facts.items())]))
    click.echo(f"The token of {name}, shown this once:\n{token}", err=True)
