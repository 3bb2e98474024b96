"""`fourfold prove`: the regression suite that the contracts of a target generate, run against it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import anyio
import click

from fourfold.bootstrap.configuration import find_configuration, read_configuration
from fourfold.bootstrap.proof import Proving, Wishes, proving_of, run_proof
from fourfold.cli.context import config_option, token_from_environment
from fourfold.cli.evidence import keep_evidence
from fourfold.cli.flags import TargetCommand
from fourfold.cli.load import load_target
from fourfold.cli.output import as_json_text, plain, styled
from fourfold.cli.target import Target, read_target
from fourfold.contracts.lock import lock_of
from fourfold.errors import ConfigError
from fourfold.model.proof import Proved, SentCall, Verdict
from fourfold.prove.command import as_command
from fourfold.prove.evidence import evidence_of
from fourfold.report.junit import as_junit
from fourfold.report.proof_facts import as_facts
from fourfold.report.proof_html import as_html
from fourfold.report.proof_sarif import as_sarif
from fourfold.report.proof_text import Command, as_text, verdict_line

__all__ = ["command"]

Format = Literal["text", "json", "junit", "sarif", "html"]
_FILE = click.Path(dir_okay=False, path_type=Path)
_IN_RECORDING = ("callers", "writes", "only", "seed", "max_calls", "official", "record")
_FORMATS: tuple[Format, ...] = ("text", "json", "junit", "sarif", "html")


class _Options(TypedDict):
    form: Format
    callers: Path | None
    writes: bool
    only: tuple[str, ...]
    seed: int | None
    max_calls: int | None
    allow_untested: tuple[str, ...]
    fail_on: Literal["failure", "warning"] | None
    official: tuple[str, ...]
    record: Path | None
    replay: Path | None
    config_path: Path | None


@click.command("prove", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", help="What to print; text by default.")
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option(
    "--callers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="[[caller]] entries of two tenants: for a server each with token_env, token_file or command.",
)
@click.option("--writes", is_flag=True, help="Call tools that write, too: on a server, use data that may be lost.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this check, family or tool; may be repeated.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="The same seed makes the same calls; 1 by default.")
@click.option("--max-calls", type=click.IntRange(1), metavar="N", help="10000 for a catalog, 1000 for a server.")
@click.option("--allow-untested", multiple=True, metavar="NAME", help="A check, family or tool that may go untested.")
@click.option(
    "--fail-on",
    type=click.Choice(("failure", "warning")),
    help="What exits with 1: a broken must (failure), or a broken should, too (warning).",
)
@click.option(
    "--official",
    multiple=True,
    metavar="FOLDER",
    help="Run the official conformance suite and the Inspector, too: from where npm has put them, or from `path`.",
)
@click.option("--record", type=_FILE, metavar="FILE", help="Keep what is asked and answered in a new file.")
@click.option("--replay", type=_FILE, metavar="FILE", help="Run again from such a file, as it was, with no server.")
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], **options: Unpack[_Options]) -> int:
    """Run the tests that the contracts of TARGET generate, against the real server, over the wire.

    A catalog is served on this machine, on a store that is thrown away; handlers that reach outside do so with
    --writes. Its effects and faults are known, so it is proved deeper, and what was not tested counts against it. A
    URL is called with the token in FOURFOLD_TOKEN. Exits with 1 if anything failed.

    \b
    Examples
      fourfold prove billing:catalog --writes
      fourfold prove http://127.0.0.1:8765/mcp --callers callers.toml --format junit
      fourfold prove --only contract --max-calls 200 -- npx -y some-server
    """
    target, rest = read_target(ctx, words)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    for name in _IN_RECORDING if options["replay"] else ():
        if options[name] not in (None, False, ()):
            raise click.UsageError(f"--replay makes the run that was recorded; leave --{name.replace('_', '-')} out")
    proving = _proving(target, options)
    with redirect_stdout(sys.stderr):  # what a handler prints is no result
        catalog, proved = anyio.run(partial(run_proof, proving, options["only"], progress=_tell))
    if not proved.verdicts:
        raise ConfigError("nothing was checked: no check is about a tool that the target lists")
    click.echo(_shown(proved, options["form"], command=partial(_command, target=target)))
    for kind, results in evidence_of(proved, only=options["only"]).items() if not options["replay"] else ():
        keep_evidence(kind, digest=lock_of(catalog).digest, results=results)
    # What the sound checks found out is printed all the same, and 1 would mean that it is the target that is broken.
    return 3 if proved.crashed else int(bool(proved.against))


def _proving(target: Target, options: _Options) -> Proving:
    """What is to be proved.

    Raises:
        ConfigError, ContractError: the catalog or the configuration is wrong.
    """
    loaded = load_target(target.catalog) if target.catalog else None
    path = options["config_path"] or find_configuration(Path.cwd(), beside=loaded.folder if loaded else None)
    wishes = Wishes(
        writes=options["writes"],
        seed=options["seed"],
        max_calls=options["max_calls"],
        callers=options["callers"],
        allow_untested=options["allow_untested"],
        fail_on=options["fail_on"],
        official=options["official"],
        record=options["record"],
        replay=options["replay"],
    )
    return proving_of(
        str(target),
        loaded or target.url or target.command,
        configuration=read_configuration(path),
        wishes=wishes,
        token=token_from_environment() if target.url else None,
    )


def _command(call: SentCall, target: Target) -> str:
    """The line that makes the call again, as a terminal may be sent it."""
    return plain(as_command(call, target=target.catalog or target.url or target.command))


def _tell(verdict: Verdict) -> None:
    """Tell the person at the terminal what has been found out."""
    if sys.stderr.isatty():
        click.echo(verdict_line(_printable(verdict), style=styled), err=True)


def _shown(proved: Proved, form: Format, *, command: Command) -> str:
    match form:
        case "text":
            printable = replace(proved, verdicts=tuple(map(_printable, proved.verdicts)))
            return "\n".join(as_text(printable, style=styled, command=command))
        case "json":
            return as_json_text({"schema": "fourfold/proof/v1", **as_facts(proved, command=command)})
        case "junit":
            return as_junit(proved, command=command)
        case "sarif":
            return as_json_text(as_sarif(proved, version=metadata.version("fourfold"), command=command))
        case "html":
            return as_html(proved, command=command)


def _printable(verdict: Verdict) -> Verdict:
    """The verdict with what no terminal should be sent as escapes: names and details hold foreign text."""
    return replace(verdict, tool=plain(verdict.tool), detail=plain(verdict.detail), next_step=plain(verdict.next_step))
