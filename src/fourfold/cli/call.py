"""`fourfold call`: one call of one tool, in process or over the wire."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import cast

import anyio
import click

from fourfold.cli.answer import Answer, from_outcome, from_target
from fourfold.cli.context import Setting, caller_option, config_option, read_setting, store_option
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import as_json_text, json_option, plain, print_json
from fourfold.cli.target import Target, live, read_target, said_when_slow
from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.call import Call
from fourfold.model.contract import JsonObject

__all__ = ["command"]

_MAX_ARGUMENTS = 4 << 20


@click.command("call", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET TOOL [JSON]")
@click.option("--key", metavar="KEY", help="Idempotency key of 16 to 128 characters; repeat it when you retry.")
@caller_option
@store_option
@json_option
@config_option
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    *,
    key: str | None,
    caller_name: str | None,
    store_url: str | None,
    as_json: bool,
    config_path: Path | None,
) -> int:
    """Call TOOL of TARGET with JSON arguments ({} when left out, - reads standard input).

    A catalog is called in process, through the same stages as on a server, as the caller that --caller names. A
    URL is called with the bearer token in FOURFOLD_TOKEN. Exit code 1 means that the tool answered with an error.

    \b
    Examples
      fourfold call billing:catalog invoice_list '{"status": "overdue"}'
      fourfold call http://127.0.0.1:8765/mcp account_find '{"query": "Nordic"}'
      fourfold call invoice_list '{"status": "open"}' -- python server.py
    """
    target, rest = read_target(ctx, words)
    if not 1 <= len(rest) <= 2:
        raise click.UsageError("give the tool's name and at most one JSON object of arguments")
    tool, arguments = rest[0], _arguments(rest[1] if len(rest) == 2 else "{}")
    if target.catalog is not None:
        setting = read_setting(target.catalog, config_path)
        caller = setting.caller(caller_name)
        call = Call(tool=tool, arguments=arguments, caller=caller, meta_key=key, capabilities=None)
        answer = _in_process(setting, setting.store(store_url), call)
    elif caller_name or store_url:
        raise click.UsageError("--caller and --store are for a catalog; a live server knows its own")
    else:
        answer = anyio.run(partial(_over_the_wire, target, tool, arguments=arguments, key=key))
    if as_json:
        print_json("call/v1", {"tool": tool, **asdict(answer)})
    else:
        _show(answer)
    return 1 if answer.is_error else 0


def _show(answer: Answer) -> None:
    if answer.replayed:
        click.echo("answered from an earlier call with this key; nothing ran again", err=True)
    click.echo(plain(answer.text), err=answer.is_error)
    if answer.structured is not None:
        click.echo(as_json_text(answer.structured))


def _arguments(text: str) -> JsonObject:
    """The JSON object that was given.

    Raises:
        click.UsageError: it is none, or holds what JSON readers disagree about.
    """
    raw = sys.stdin.buffer.read(_MAX_ARGUMENTS + 1) if text == "-" else text.encode("utf-8", "surrogateescape")
    if len(raw) > _MAX_ARGUMENTS:
        raise click.UsageError(f"the arguments are over {_MAX_ARGUMENTS:,} bytes")
    try:
        parsed = parse(raw)
    except StrictJsonError as error:
        raise click.UsageError(f"the arguments are {error}") from None
    value: object = parsed.value
    if not isinstance(value, dict):
        raise click.UsageError('the arguments are one JSON object, such as {"status": "open"}')
    if parsed.faults:
        problem = parsed.faults[0]
        raise click.UsageError(f"the arguments have {problem.code} at {problem.pointer or '/'}: {problem.expected}")
    return cast("JsonObject", value)


def _in_process(setting: Setting, store: str, call: Call) -> Answer:
    from fourfold.bootstrap.service import open_service

    async def made() -> Answer:
        async with open_service(setting.loaded.built, store, retention=setting.retention) as service:
            return from_outcome(await service.call(call), call)

    with redirect_stdout(sys.stderr):  # what a handler prints is no result
        return anyio.run(made)


async def _over_the_wire(target: Target, tool: str, *, arguments: JsonObject, key: str | None) -> Answer:
    # Where a model would put it: a server of somebody else knows no other place.
    keyed = arguments if key is None else {**arguments, "idempotency_key": key}
    async with live(target) as server:
        with said_when_slow(f"waiting for {tool}"):
            # The SDK's client checks a result against the list of tools. It would ask for it after the call, and a
            # server that ends in between would cost the answer to a write that has happened.
            await server.tools()
            return from_target(await server.call(tool, keyed))
