"""`fourfold tools`: what a target offers, and for a catalog what its contracts say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import anyio
import click

from fourfold.cli.context import config_option, read_setting
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import json_option, print_json, table
from fourfold.cli.target import Target, live, read_target
from fourfold.model.contract import JsonObject, ToolContract

__all__ = ["command"]


@click.command("tools", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@json_option
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, config_path: Path | None, as_json: bool) -> None:
    """List the tools of TARGET.

    For a catalog the effect, the scopes, the digests and every waiver are known; over the wire, what the server
    says. The bearer token for a URL is read from FOURFOLD_TOKEN.

    \b
    Examples
      fourfold tools billing:catalog
      fourfold tools http://127.0.0.1:8765/mcp
      fourfold tools -- python server.py
    """
    target, rest = read_target(ctx, words)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    if target.catalog is not None:
        built = read_setting(target.catalog, config_path).loaded.built
        for warning in built.warnings:
            click.echo(f"warning: {warning}", err=True)
        _show_contracts([tool.contract for tool in built.tools.values()], as_json=as_json)
    else:
        _show_listed(anyio.run(_listed, target), as_json=as_json)


def _show_contracts(contracts: Sequence[ToolContract], *, as_json: bool) -> None:
    if as_json:
        print_json("tools/v1", {"tools": [_contract_facts(contract) for contract in contracts]})
        return
    rows = [
        (
            contract.name,
            contract.version,
            contract.effect.name,
            ", ".join(sorted(contract.needs)) or "-",
            ", ".join(sorted(contract.toolsets)) or "-",
            contract.wire_digest[:12],
        )
        for contract in contracts
    ]
    table(("tool", "version", "effect", "needs", "toolsets", "wire digest"), rows, empty="The catalog has no tools.")
    for contract in contracts:
        for waiver in contract.waivers:
            click.echo(f"waived: {contract.name}: {waiver.rule} at {waiver.where}: {waiver.reason}")
    for contract in contracts:
        if contract.keep:
            click.echo(f"kept: {contract.name}: {' and '.join(sorted(contract.keep))} of each call")


def _contract_facts(contract: ToolContract) -> dict[str, object]:
    hints = contract.effect.hints
    return {
        "name": contract.name,
        "version": contract.version,
        "description": contract.description,
        "effect": contract.effect.name,
        "reach": contract.effect.reach,
        "annotations": {
            "readOnlyHint": hints.read_only,
            "destructiveHint": hints.destructive,
            "idempotentHint": hints.idempotent,
            "openWorldHint": hints.open_world,
        },
        "needs": sorted(contract.needs),
        "toolsets": sorted(contract.toolsets),
        "faults": [fault.code for fault in contract.faults],
        "missing": contract.missing.code if contract.missing else None,
        "input_schema": contract.input_schema,
        "output_schema": contract.output_schema,
        "waivers": [{"rule": found.rule, "where": found.where, "reason": found.reason} for found in contract.waivers],
        "keep": sorted(contract.keep),
        "wire_digest": contract.wire_digest,
        "lock_digest": contract.lock_digest,
    }


async def _listed(target: Target) -> list[JsonObject]:
    async with live(target) as server:
        return list(await server.tools())


def _show_listed(tools: list[JsonObject], *, as_json: bool) -> None:
    if as_json:
        print_json("listed-tools/v1", {"tools": tools})
        return
    rows = [(str(tool["name"]), _hints(tool), _first_line(tool)) for tool in tools]
    table(("tool", "says it", "description"), rows, empty="The server lists no tools.")


def _hints(tool: JsonObject) -> str:
    """What the annotations claim; absent ones mean the worst (2026-07-28, "Tool annotations")."""
    claimed = cast("dict[str, object]", tool.get("annotations") or {})
    if claimed.get("readOnlyHint", False):
        return "reads"
    return "destroys" if claimed.get("destructiveHint", True) else "writes"


def _first_line(tool: JsonObject) -> str:
    text = " ".join(str(tool.get("description") or "").split())
    return text if len(text) <= 80 else f"{text[:79]}…"
