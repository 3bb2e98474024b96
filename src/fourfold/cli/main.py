"""`fourfold`: the group of commands, each loaded when it is used, and what errors mean as exit codes.

| exit | means |
|---|---|
| 0 | clean |
| 1 | findings: the catalog does not build, the tool answered with an error, a decision was refused |
| 2 | misuse: an option, the configuration or the target is wrong |
| 3 | internal: the store failed, or a bug |
| 130 | interrupted |
"""

from __future__ import annotations

import os
import sys
import traceback

import click

from fourfold.cli.lazy import LazyGroup
from fourfold.errors import ConfigError, ContractError, DecisionError, FourfoldError, TargetError

__all__ = ["cli", "main"]

_COMMANDS = {
    "new": "Make a server to start from, or add a tool to it.",
    "serve": "Serve a catalog over stdio or HTTP.",
    "tools": "List the tools of a target, with effects and waivers.",
    "call": "Call one tool of a target.",
    "review": "Find what will hurt in production, tool by tool, with the fix.",
    "prove": "Run the tests that contracts generate, against the server.",
    "select": "Score what a model chooses: check, run, compare, status.",
    "checklist": "The production checklist, ticked by evidence.",
    "lock": "Write down every definition, and who has reviewed it.",
    "diff": "What changed since the lock: breaking, routing or additive.",
    "budget": "Count what the tools of a target cost, in tokens and money.",
    "plans": "What agents want done: list, show, approve, deny, revoke.",
    "claims": "What became of operations: list, show, settle.",
    "outbox": "Messages that follow effects: list, show, retry, relay.",
    "operators": "People who decide by hand.",
    "runs": "Ask the run records: last, failures, retry-rate, cost.",
    "console": "Look at all of it in a browser, and decide there.",
    "keys": "Look after the keys that seal: new, rotate, list.",
    "migrate": "Bring a store's tables up to date.",
    "purge": "Drop what is past its time.",
    "doctor": "Show versions, configuration, store and keys, and faults in them.",
}

_EPILOG = """\b
TARGET is one of
  billing:catalog            a catalog in a Python module
  http://127.0.0.1:8765/mcp  a running server
  -- python server.py        a server to start, spoken to over stdio

\b
Examples
  fourfold serve billing:catalog --http 127.0.0.1:8765
  fourfold tools billing:catalog
  fourfold call billing:catalog account_find '{"query": "Nordic"}'
  fourfold runs failures --since 24h
"""


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=LazyGroup, table=_COMMANDS, prefix="fourfold.cli.", epilog=_EPILOG, context_settings=_SETTINGS)
@click.version_option(package_name="fourfold", message="fourfold %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Four contracts for every MCP tool: selection, input, output, effect."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with a code that means something."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        result: object = cli.main(arguments, prog_name="fourfold", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except FourfoldError as error:
        click.echo(f"fourfold: {error}", err=True)
        return _exit_code(error)
    except Exception:  # a bug, whatever it is: its traceback is what a report needs, and 1 would mean findings
        traceback.print_exc()
        click.echo("fourfold: this is a bug; please report it with the lines above", err=True)
        return 3
    return result if isinstance(result, int) else 0


def _exit_code(error: FourfoldError) -> int:
    if isinstance(error, ContractError | DecisionError):
        return 1
    return 2 if isinstance(error, ConfigError | TargetError) else 3
