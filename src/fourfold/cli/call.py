"""`fourfold call`: one call of one tool, in process or over the wire."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
import click

from fourfold.cli.context import (
    caller_option,
    config_option,
    read_setting,
    store_option,
    token_from_environment,
)
from fourfold.cli.output import json_option, print_json
from fourfold.cli.target import Target, TargetCommand, read_target
from fourfold.contracts.strict_json import Parsed, StrictJsonError, parse
from fourfold.model.call import Call
from fourfold.model.outcome import Done, NeedsInput, Outcome, Refused

__all__ = ["command"]

_MAX_ARGUMENTS = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What is printed: the text, the structured result and the fault, if there are any."""

    text: str
    structured: object
    fault: object
    is_error: bool


@click.command("call", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET TOOL [JSON]")
@click.option("--key", help="Idempotency key; repeat it when you retry.")
@caller_option
@store_option
@json_option
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, as_json: bool, **options: Any) -> int:
    """Call TOOL of TARGET with JSON arguments ({} when left out, - reads standard input).

    \b
    A catalog is called in process, through the same stages as on a server, as the caller that --caller names.
    Exit code 1 means that the tool answered with an error.

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
    answer = anyio.run(_call, target, tool, arguments, options)
    if as_json:
        facts = {"structured": answer.structured, "fault": answer.fault, "is_error": answer.is_error}
        print_json("call/v1", {"tool": tool, "text": answer.text, **facts})
    else:
        click.echo(answer.text, err=answer.is_error)
        if answer.structured is not None:
            click.echo(json.dumps(answer.structured, indent=2, ensure_ascii=False))
    return 1 if answer.is_error else 0


def _arguments(text: str) -> Parsed:
    raw = sys.stdin.buffer.read(_MAX_ARGUMENTS + 1) if text == "-" else text.encode("utf-8", "surrogateescape")
    if len(raw) > _MAX_ARGUMENTS:
        raise click.UsageError(f"the arguments are over {_MAX_ARGUMENTS:,} bytes")
    try:
        parsed = parse(raw)
    except StrictJsonError as error:
        raise click.UsageError(f"the arguments are {error}") from None
    if not isinstance(parsed.value, dict):
        raise click.UsageError('the arguments are one JSON object, such as {"status": "open"}')
    return parsed


async def _call(target: Target, tool: str, arguments: Parsed, options: dict[str, Any]) -> _Answer:
    if target.catalog is not None:
        return await _in_process(target.catalog, tool, arguments, options)
    from fourfold.edge.target import connect

    if arguments.faults:
        problem = arguments.faults[0]
        raise click.UsageError(f"the arguments have {problem.code} at {problem.pointer or '/'}")
    async with connect(target.live, token=token_from_environment()) as live:
        answer = await live.call(tool, _with_key(arguments.value, options["key"]))
    fault = answer.meta.get("fourfold/fault")
    return _Answer(text=answer.text, structured=answer.structured, fault=fault, is_error=answer.is_error)


def _with_key(arguments: dict[str, Any], key: str | None) -> dict[str, Any]:
    return arguments if key is None else {**arguments, "idempotency_key": key}


async def _in_process(catalog: str, tool: str, arguments: Parsed, options: dict[str, Any]) -> _Answer:
    from fourfold.bootstrap.service import open_service

    setting = read_setting(catalog, cast("Path | None", options["config_path"]))
    call = Call(
        tool=tool,
        arguments=arguments.value,
        caller=setting.caller(options["caller_name"]),
        meta_key=options["key"],
        wire_problems=arguments.faults,
    )
    async with open_service(setting.loaded.built, setting.store(options["store_url"])) as service:
        return _answer(await service.call(call))


def _answer(outcome: Outcome) -> _Answer:
    match outcome:
        case Done():
            structured = json.loads(outcome.structured)
            return _Answer(text=outcome.text, structured=structured, fault=None, is_error=False)
        case Refused():
            return _Answer(text=outcome.reason.replace("_", " "), structured=None, fault=None, is_error=True)
        case NeedsInput():
            text = "; ".join(question.message for question in outcome.questions)
            return _Answer(text=text, structured=None, fault=None, is_error=True)
        case _:
            return _Answer(text=_fault_text(outcome), structured=None, fault=_fault_facts(outcome), is_error=True)


def _fault_text(outcome: Any) -> str:
    fault = outcome.fault
    return "\n".join([fault.text, *(f"  {found.path or '(all)'}: {found.expected}" for found in fault.problems)])


def _fault_facts(outcome: Any) -> dict[str, Any]:
    fault = outcome.fault
    return {"code": fault.code, "retry": fault.retry.value, "next_step": fault.next_step}
