"""`fourfold serve --console`: the web console beside the MCP endpoint, in one process and over one store."""

from __future__ import annotations

from collections.abc import Callable

import click

from fourfold.bootstrap.console import ConsoleTerms, checker_of, console_over
from fourfold.cli.context import Setting
from fourfold.console.app import MOUNTED, beside
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer
from fourfold.edge.asgi import serve_asgi
from fourfold.edge.gate import Gate
from fourfold.ports.sealer import Sealer
from fourfold.ports.store import Store

__all__ = ["console_of", "serve_both"]


def console_of(setting: Setting, url: str, *, store: Store, sealer: Sealer, hosts: tuple[str, ...]) -> Console:
    """The console over the store at `url`, which the server has open, for browsers that reach it by `hosts`.

    Raises:
        ConfigError: the configuration or the lock file cannot be read.
    """
    terms = ConsoleTerms(
        configuration=setting.path,
        loaded=setting.loaded,
        target=setting.target,
        hosts=hosts,
        secure=bool(hosts),
    )
    return console_over(store, sealer=sealer, verifier=checker_of(url, sealer), terms=terms)


async def serve_both(app: Gate, console: Console, *, address: tuple[str, int], announce: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. Who calls tools needs a bearer token; who looks, a session of the console.

    Raises:
        ConfigError: the address cannot be bound, or the library for templates is not installed.
    """
    both = beside(app, console, beyond_loopback=app.settings.beyond_loopback)

    def say(url: str) -> None:
        announce(url + app.settings.path)
        # The cookie of a console that is reached by https never travels without, so the link goes there, too.
        here = f"https://{min(console.hosts)}" if console.secure else url
        link = f"{here}{MOUNTED}/sign-in?link={console.links.new(Viewer.of_store())}"
        click.echo(f"console at {here}{MOUNTED}/; sign in once, within ten minutes: {link}", err=True)

    host, port = address
    await serve_asgi(both, host=host, port=port, announce=say)
