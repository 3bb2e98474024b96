"""`fourfold budget`: what the tools of a target cost, in tokens and money."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

import anyio
import click

from fourfold.bootstrap.configuration import find_configuration, read_configuration
from fourfold.bootstrap.locked import read_lock_file
from fourfold.budget.prices import custom_price, price_of
from fourfold.budget.rendering import RENDERINGS, rendering_named
from fourfold.budget.report import Plan, WhatIf, budget_of
from fourfold.budget.tokens import PROFILES, default_profile, profile_named
from fourfold.cli.budget_facts import budget_facts, what_if_facts
from fourfold.cli.budget_text import as_text, what_if_text
from fourfold.cli.context import config_option
from fourfold.cli.flags import TargetCommand, words_after_dashes
from fourfold.cli.output import json_option, plain, print_json
from fourfold.cli.target import list_target, read_target
from fourfold.model.listed import ListedCatalog, ListedTool

__all__ = ["command"]


_LOCK_ENDING = "lock.json"
"""What the name of a lock ends with; any other .json file is a saved list."""


class _Options(TypedDict):
    requests: int | None
    price: str | None
    model: str | None
    turns: int | None
    profile: str | None
    rendering: str | None
    against: str | None
    max_tokens: int | None
    tools: int | None
    tokens_per_tool: int | None
    as_json: bool
    config_path: Path | None


@click.command("budget", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="[TARGET]")
@click.option("--requests", type=click.IntRange(1), metavar="N", help="Requests in a month; 1000 by default.")
@click.option("--price", metavar="USD", help="Price of a million input tokens, such as 2.50.")
@click.option("--model", metavar="NAME", help="Take the price from the dated table in docs/budget.md.")
@click.option("--turns", type=click.IntRange(1), metavar="N", help="Requests of a conversation; 10 by default.")
@click.option("--profile", type=click.Choice(PROFILES), help="Whose tokens are counted; o200k where it is installed.")
@click.option("--rendering", type=click.Choice(tuple(RENDERINGS)), help="How the client writes tools; json by default.")
@click.option("--against", metavar="LOCK|TARGET", help="What this adds to a lock (…lock.json) or another catalog.")
@click.option("--max-tokens", type=click.IntRange(0), metavar="N", help="Exit with 1 if a request takes more.")
@click.option("--tools", type=click.IntRange(0), metavar="N", help="What if, without a target: so many tools.")
@click.option("--tokens-per-tool", type=click.IntRange(0), metavar="N", help="What if: of so many tokens each.")
@json_option
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], **options: Unpack[_Options]) -> int:
    """Count what the tools of TARGET cost: tokens, money, share of a context window.

    TARGET is a catalog, a URL, a saved tools/list (.json), or a command after --. Tools are counted as a client
    writes them for a model, which is said in the first lines. Without a target, --tools and --tokens-per-tool ask
    what if. Defaults stand in [budget] of fourfold.toml. Exits with 1 over --max-tokens.

    \b
    Examples
      fourfold budget billing:catalog --requests 40000 --price 2.50
      fourfold budget tools.json --model gpt-4o --rendering typescript
      fourfold budget billing:catalog --against fourfold.lock.json --max-tokens 4000
      fourfold budget --tools 14 --tokens-per-tool 90 --requests 40000 --price 2.50
    """
    plan = _plan(options)
    if options["tools"] is not None or options["tokens_per_tool"] is not None:
        return _what_if(plan, options, has_target=bool(words) or words_after_dashes(ctx) is not None)
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    budget = budget_of(anyio.run(list_target, target), plan, against=_earlier(ctx, options["against"]))
    if options["as_json"]:
        print_json("budget/v1", budget_facts(budget))
    else:
        click.echo("\n".join(map(plain, as_text(budget))))
    return int(budget.is_over)


def _plan(options: _Options) -> Plan:
    """What the options and the configuration say together; options win, and `--price` wins over a model.

    Raises:
        ConfigError: there is no such profile, rendering or model, or the price is none.
    """
    section = read_configuration(options["config_path"] or find_configuration(Path.cwd())).budget
    price, model = options["price"], options["model"]
    # Either option replaces both settings: a price on the command line must not meet a configured model.
    if price is None and model is None:
        price, model = section.price, section.model
    profile = options["profile"] or section.profile
    return Plan(
        profile=profile_named(profile) if profile else default_profile(),
        rendering=rendering_named(options["rendering"] or section.rendering),
        requests=options["requests"] or section.requests,
        turns=options["turns"] or section.turns,
        price=custom_price(price) if price is not None else price_of(model) if model is not None else None,
        max_tokens=section.max_tokens if options["max_tokens"] is None else options["max_tokens"],
    )


def _what_if(plan: Plan, options: _Options, *, has_target: bool) -> int:
    tools, each = options["tools"], options["tokens_per_tool"]
    if has_target or options["against"] or tools is None or each is None:
        raise click.UsageError("what if takes --tools and --tokens-per-tool together, and no target")
    supposed = WhatIf(tools=tools, tokens_per_tool=each, plan=plan)
    if options["as_json"]:
        print_json("budget-what-if/v1", what_if_facts(supposed))
    else:
        click.echo("\n".join(what_if_text(supposed)))
    return int(supposed.is_over)


def _earlier(ctx: click.Context, against: str | None) -> ListedCatalog | None:
    """The catalog to compare with: a lock, or anything that is a target."""
    if against is None:
        return None
    if against.endswith(_LOCK_ENDING):
        lock = read_lock_file(Path(against))
        tools = tuple(ListedTool(definition=tool.definition) for tool in lock.tools)
        return ListedCatalog(target=against, tools=tools)
    # A context of its own: what stands after -- is the target, not what it is compared with.
    target, _ = read_target(click.Context(ctx.command), [against], saved=True)
    return anyio.run(list_target, target)
