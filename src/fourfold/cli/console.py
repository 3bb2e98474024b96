"""`fourfold console`: the web console over a store."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from fourfold.adapters.store_url import shown_url
from fourfold.bootstrap.configuration import find_configuration
from fourfold.cli.address import address
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.deciding import read_token
from fourfold.cli.flags import StrictCommand
from fourfold.cli.load import load_target
from fourfold.errors import ConfigError

if TYPE_CHECKING:
    from fourfold.bootstrap.console import ConsoleTerms
    from fourfold.console.viewer import Viewer

__all__ = ["command"]

_HERE = ("127.0.0.1", 8766)


@click.command("console", cls=StrictCommand)
@click.argument("target", required=False)
@click.option(
    "--http", "where", type=address, metavar="HOST:PORT", help="Where it is served; 127.0.0.1:8766 when left out."
)
@click.option("--tenant", metavar="NAME", help="The link shows this tenant alone.")
@click.option("--operator", "as_operator", is_flag=True, help="Ask for your operator token; the link signs you in.")
@click.option(
    "--public-host",
    "public_hosts",
    multiple=True,
    metavar="HOST",
    help="Name that browsers reach it by, through https; may be repeated. Needed beyond loopback.",
)
@store_option
@config_option
def command(
    target: str | None,
    store_url: str | None,
    *,
    where: tuple[str, int] | None,
    tenant: str | None,
    as_operator: bool,
    public_hosts: tuple[str, ...],
    config_path: Path | None,
) -> None:
    """Show what is in a store, on pages for people on call. TARGET (module:catalog) adds the contracts of its tools.

    A link is printed that signs one person in, once, within ten minutes. Without --operator it may look at
    everything that this command could read anyway, and decides nothing. An operator signs in with the own token, or
    by --operator; a caller with the bearer token sees that caller's tenant. Ctrl-C ends it and signs everybody out.

    \b
    Examples
      fourfold console
      fourfold console billing:catalog --store sqlite:///billing.db
      fourfold console --operator --http 127.0.0.1:9000
    """
    from fourfold.bootstrap.console import ConsoleTerms

    if as_operator and tenant:
        raise click.UsageError("an operator sees the tenants of their own entry; leave --tenant out")
    loaded = load_target(target) if target else None
    path = config_path or find_configuration(Path.cwd(), beside=loaded.folder if loaded else None)
    terms = ConsoleTerms(
        configuration=path, loaded=loaded, target=target or "", hosts=public_hosts, secure=bool(public_hosts)
    )
    viewer = _viewer(path, tenant=tenant, as_operator=as_operator)
    anyio.run(partial(_serve, find_store(store_url, path), terms, where=where or _HERE, viewer=viewer))


def _viewer(path: Path | None, *, tenant: str | None, as_operator: bool) -> Viewer:
    """Whom the printed link signs in.

    Raises:
        ConfigError: nobody is the operator whose token was given.
    """
    from fourfold.bootstrap.operators import operator_of, read_operators
    from fourfold.console.viewer import Viewer

    if as_operator:
        return Viewer.of_operator(operator_of(read_token(from_stdin=False), read_operators(path)))
    return Viewer.of_store() if tenant is None else Viewer(name=f"local, {tenant}", tenants=frozenset({tenant}))


async def _serve(url: str, terms: ConsoleTerms, *, where: tuple[str, int], viewer: Viewer) -> None:
    from fourfold.bootstrap.console import open_console
    from fourfold.console.app import build_console
    from fourfold.edge.asgi import serve_asgi
    from fourfold.edge.perimeter import is_loopback

    host, port = where
    if not is_loopback(host) and not terms.hosts:
        raise ConfigError(f"{host} is reachable from other machines: name the host that browsers use, by --public-host")
    async with open_console(url, terms) as console:
        app = build_console(console, beyond_loopback=not is_loopback(host))

        def announce(origin: str) -> None:
            # A cookie that is reached by https never travels without, so the link goes there, too.
            here = f"https://{terms.hosts[0]}" if terms.secure else origin
            link = f"{here}/sign-in?link={console.links.new(viewer)}"
            click.echo(f"console at {here}/ (store {shown_url(url)}); Ctrl-C ends it", err=True)
            click.echo(f"sign in once, within ten minutes: {link}", err=True)

        await serve_asgi(app, host=host, port=port, announce=announce)
