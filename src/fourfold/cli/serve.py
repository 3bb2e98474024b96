"""`fourfold serve`: a catalog over stdio or Streamable HTTP."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click
from anyio.abc import TaskStatus

from fourfold.adapters.store_url import shown_url
from fourfold.cli.address import address
from fourfold.cli.context import Setting, caller_option, config_option, read_setting, store_option
from fourfold.cli.flags import StrictCommand
from fourfold.errors import ConfigError

if TYPE_CHECKING:
    from fourfold.edge.identity import KnownToken
    from fourfold.ports.telemetry import Telemetry

__all__ = ["command"]


_LOOP = {"use_uvloop": find_spec("uvloop") is not None}
"""The faster event loop, where the `speed` extra is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """The options of `serve` as given."""

    store_url: str | None
    caller_name: str | None
    toolsets: tuple[str, ...]
    public_hosts: tuple[str, ...]
    modern_only: bool
    replicas: int | None
    console: bool


@click.command("serve", cls=StrictCommand)
@click.argument("target")
@click.option("--http", type=address, metavar="HOST:PORT", help="Serve HTTP at /mcp; without it, stdio.")
@store_option
@caller_option
@click.option(
    "--toolset", "toolsets", multiple=True, metavar="NAME", help="Only the tools of this toolset; may be repeated."
)
@click.option(
    "--public-host",
    "public_hosts",
    multiple=True,
    metavar="HOST",
    help="Name that clients reach this server by; may be repeated. Needed beyond loopback.",
)
@click.option(
    "--replicas",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="How many servers answer for each other over HTTP; more than one need FOURFOLD_KEYS.",
)
@click.option("--modern-only", is_flag=True, help="Turn protocol revisions before 2026-07-28 off.")
@click.option("--console", is_flag=True, help="Serve the web console at /console; a link that signs in is printed.")
@config_option
def command(target: str, http: tuple[str, int] | None, *, config_path: Path | None, **options: object) -> None:
    """Serve the catalog TARGET (module:catalog).

    Over stdio the caller is the one that --caller or the configuration names. Over HTTP it is the one whose
    bearer token has the configured SHA-256. Ctrl-C ends the server when open calls have ended.

    Where fourfold.lock.json locks TARGET, a contract that breaks it without a major step is not served.

    Where OTEL_EXPORTER_OTLP_ENDPOINT is set, traces and metrics are sent there; this needs fourfold[telemetry].

    \b
    Examples
      fourfold serve billing:catalog
      fourfold serve billing:catalog --http 127.0.0.1:8765
      fourfold serve billing:catalog --http 127.0.0.1:8765 --console
      fourfold serve billing:catalog --toolset invoices --caller reader
    """
    from fourfold.bootstrap.locked import refuse_unversioned
    from fourfold.bootstrap.telemetry import sending
    from fourfold.cli.heads import print_heads
    from fourfold.edge.stdio import take_stdout

    chosen = _Options(**options)  # pyright: ignore[reportArgumentType]  # click has checked each against its option
    if chosen.console and http is None:
        raise click.UsageError("a client on stdio has no browser: give --console together with --http HOST:PORT")
    # Before the catalog's modules load: what they print must not reach the protocol.
    wire = take_stdout() if http is None else None
    setting = read_setting(target, config_path)
    refuse_unversioned(setting.loaded, target=target)
    for warning in setting.loaded.built.warnings:
        click.echo(f"warning: {warning}", err=True)
    with sending(setting.loaded.built, environment=os.environ, tell=_say) as telemetry:
        # What was loaded stays; a full collection over it would hold every call for tens of milliseconds.
        gc.freeze()
        if http is not None:
            print_heads()
            anyio.run(partial(_http, telemetry=telemetry), setting, chosen, http, backend_options=_LOOP)
        elif wire is not None:
            anyio.run(partial(_stdio, telemetry=telemetry), setting, chosen, wire, backend_options=_LOOP)


def _say(text: str) -> None:
    click.echo(f"telemetry: {text}", err=True)


async def _stdio(setting: Setting, chosen: _Options, wire: int, *, telemetry: Telemetry | None) -> None:
    from fourfold.bootstrap.service import open_service
    from fourfold.bootstrap.upkeep import looked_after
    from fourfold.edge.stdio import serve_stdio

    caller, store = setting.caller(chosen.caller_name), setting.store(chosen.store_url)
    modern_only = chosen.modern_only or setting.configuration.serve.modern_only
    toolsets = chosen.toolsets or setting.configuration.serve.toolsets
    async with (
        open_service(
            setting.loaded.built, store, toolsets=toolsets, retention=setting.retention, telemetry=telemetry
        ) as service,
        looked_after(service),
        anyio.create_task_group() as tasks,
    ):
        # Listening before it is said, so that whoever read the line may send a signal.
        await tasks.start(_end_on_signal, tasks.cancel_scope)
        hint = "; waiting for a client on standard input, Ctrl-C ends it" if sys.stdin.isatty() else ""
        click.echo(f"serving {service.name} over stdio as {caller.name} (store {shown_url(store)}){hint}", err=True)
        await serve_stdio(service, caller, wire=wire, modern_only=modern_only)
        tasks.cancel_scope.cancel()


async def _end_on_signal(scope: anyio.CancelScope, *, task_status: TaskStatus[None]) -> None:
    """Cancel `scope` at the first SIGINT or SIGTERM; a claimed write, which the stages shield, still ends."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _ in signals:
            scope.cancel()
            return


async def _http(setting: Setting, chosen: _Options, address: tuple[str, int], *, telemetry: Telemetry | None) -> None:
    from fourfold.bootstrap.keys import refuse_own_keys
    from fourfold.bootstrap.service import open_with_store
    from fourfold.bootstrap.upkeep import FOLD_S, FOLD_WATCHED_S, looked_after
    from fourfold.edge.asgi import build_app, serve_http
    from fourfold.edge.identity import TokenIdentity
    from fourfold.edge.perimeter import is_loopback
    from fourfold.edge.settings import HttpSettings

    host, port = address
    configured, store = setting.configuration.serve, setting.store(chosen.store_url)
    settings = HttpSettings(
        public_hosts=chosen.public_hosts or tuple(configured.public_hosts),
        allowed_origins=tuple(configured.allowed_origins),
        beyond_loopback=not is_loopback(host),
        modern_only=chosen.modern_only or configured.modern_only,
    )
    refuse_own_keys(store, replicas=chosen.replicas or configured.replicas)
    identity = TokenIdentity(_known_tokens(setting))
    toolsets, retention = chosen.toolsets or configured.toolsets, setting.retention
    with_console = chosen.console or configured.console
    async with (
        open_with_store(setting.loaded.built, store, toolsets=toolsets, retention=retention, telemetry=telemetry) as (
            service,
            opened,
        ),
        looked_after(service, fold_s=FOLD_WATCHED_S if with_console else FOLD_S),
    ):
        app = build_app(service, identity, settings=settings)

        def announce(url: str) -> None:
            click.echo(f"serving {service.name} at {url} (store {shown_url(store)}); Ctrl-C ends it", err=True)

        if not with_console:
            await serve_http(app, host=host, port=port, announce=announce)
            return
        from fourfold.cli.serve_console import console_of, serve_both

        sealer, hosts = service.ports.sealer, settings.public_hosts
        console = console_of(setting, store, store=opened, sealer=sealer, hosts=hosts)
        await serve_both(app, console, address=address, announce=announce)


def _known_tokens(setting: Setting) -> Sequence[KnownToken]:
    from fourfold.edge.identity import KnownToken

    known = [
        KnownToken(caller=entry.caller, token_sha256=entry.token_sha256)
        for entry in setting.configuration.caller
        if entry.token_sha256 is not None
    ]
    if not known:
        raise ConfigError(
            "no [[caller]] has a token_sha256, so nobody could call over HTTP; add one to fourfold.toml: "
            "the hex SHA-256 of that caller's token, as `printf %s TOKEN | sha256sum` prints it"
        )
    return known
