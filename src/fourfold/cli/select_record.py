"""`fourfold select record`: a pass-through that writes cases from live traffic."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import anyio
import click

from fourfold.cli.flags import StrictCommand
from fourfold.contracts.case_file import read_cases
from fourfold.errors import ConfigError
from fourfold.selection.importing.decision import HINDRANCES
from fourfold.selection.recording import CaseWriter

__all__ = ["command"]


@click.command("record", cls=StrictCommand)
@click.option("--upstream", required=True, metavar="URL", help="The provider, such as https://api.openai.com.")
@click.option(
    "--out", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The suite to add cases to."
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8788, show_default=True, help="Port to bind; 0 takes a free one."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to bind.")
@click.option(
    "--public-host",
    "public_hosts",
    multiple=True,
    metavar="HOST",
    help="Name that agents reach this by; may be repeated. Needed beyond loopback.",
)
def command(upstream: str, path: Path, *, port: int, host: str, public_hosts: tuple[str, ...]) -> None:
    """Pass an agent's requests on to its provider, and write each decision down as a case.

    Point the agent's base URL here: OpenAI Chat Completions and Anthropic Messages are understood, everything else
    passes. Paths are put behind URL as they come. Keys are passed on and never written. Credentials and addresses in
    what was said are masked; cases are unreviewed. Ctrl-C ends it.

    \b
    Examples
      fourfold select record --upstream https://api.openai.com --out suite.jsonl
      OPENAI_BASE_URL=http://127.0.0.1:8788/v1 python agent.py
    """
    seen = _ids(path)
    try:
        with path.open("a", encoding="utf-8") as out:
            writer = CaseWriter(out=out, seen=seen)
            anyio.run(partial(_serve, upstream, writer, address=(host, port), public_hosts=public_hosts))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    click.echo(f"{writer.written} new case{'' if writer.written == 1 else 's'} in {path}", err=True)
    if writer.again:
        click.echo(f"  {writer.again} known already", err=True)
    for reason, count in writer.hindered.most_common():
        click.echo(f"  {count} no case: {HINDRANCES[reason]}", err=True)


def _ids(path: Path) -> set[str]:
    """The ids of the cases that are there already."""
    if not path.exists():
        return set()
    with path.open("rb") as lines:
        return {case.id for case in read_cases(lines, name=str(path))}


async def _serve(upstream: str, writer: CaseWriter, *, address: tuple[str, int], public_hosts: tuple[str, ...]) -> None:
    from fourfold.edge.asgi import serve_asgi
    from fourfold.edge.perimeter import is_loopback
    from fourfold.edge.recorder import recorder
    from fourfold.edge.settings import HttpSettings

    host, port = address
    settings = HttpSettings(public_hosts=public_hosts, beyond_loopback=not is_loopback(host))
    async with recorder(upstream, writer.keep, settings=settings) as app:
        await serve_asgi(
            app,
            host=host,
            port=port,
            announce=lambda url: click.echo(f"recording at {url} for {upstream}; Ctrl-C ends it", err=True),
        )
