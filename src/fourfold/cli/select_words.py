"""The words of the commands of `fourfold select`: which suite, which target, and what fourfold.toml says beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from fourfold.bootstrap.configuration import find_configuration, read_configuration
from fourfold.bootstrap.sections import SelectSection
from fourfold.bootstrap.selecting import ChooserSpec
from fourfold.cli.target import Target, list_target, read_target
from fourfold.model.listed import ListedCatalog

__all__ = ["Named", "asking_options", "named", "section_of", "spec_of", "suite_of", "toolset_option"]

F = TypeVar("F", bound=Callable[..., Any])

_ENDING = ".jsonl"
"""What the name of a suite ends with, so that it is told from a target."""

toolset_option = click.option(
    "--toolset", "toolsets", multiple=True, metavar="NAME", help="Offer only the tools of this toolset of a catalog."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What the user has named: a suite and a target, and what the target lists. `store` is the configured one."""

    suite: Path
    target: Target
    catalog: ListedCatalog
    section: SelectSection
    store: str | None


def named(ctx: click.Context, words: Sequence[str], *, config_path: Path | None) -> Named:
    """The suite and the target of `SUITE TARGET`; without SUITE the configured one.

    Raises:
        click.UsageError: one of them is missing, or something is left over.
        ConfigError, ContractError, TargetError: the configuration is wrong, or the target can't be listed.
    """
    configuration = read_configuration(config_path or find_configuration(Path.cwd()))
    suite, rest = suite_of(words, configuration.select)
    target, left = read_target(ctx, rest, saved=True)
    if left:
        raise click.UsageError(f"unexpected {left[0]!r} after the target")
    return Named(
        suite=suite,
        target=target,
        catalog=anyio.run(list_target, target),
        section=configuration.select,
        store=configuration.serve.store,
    )


def section_of(config_path: Path | None) -> SelectSection:
    """`[select]` of the configuration that applies.

    Raises:
        ConfigError: it is wrong.
    """
    return read_configuration(config_path or find_configuration(Path.cwd())).select


def suite_of(words: Sequence[str], section: SelectSection) -> tuple[Path, Sequence[str]]:
    """The suite, and the words behind it.

    Raises:
        click.UsageError: none is named, here or in the configuration.
    """
    if words and words[0].endswith(_ENDING):
        return Path(words[0]), words[1:]
    if section.suite is None:
        raise click.UsageError(f"name a suite (a file {_ENDING}), or `suite` in [select] of fourfold.toml")
    return Path(section.suite), words


def spec_of(chooser: str | None, section: SelectSection) -> ChooserSpec | None:
    """The chooser of the option or the configuration; `None` without one.

    Raises:
        ConfigError: there is none of that name.
    """
    text = chooser or section.chooser
    return None if text is None else ChooserSpec.parse(text)


_ASKING = (
    click.option(
        "--chooser",
        metavar="SPEC",
        help="What chooses: bm25, embed:MODEL, replay:FILE, openai:MODEL, anthropic:MODEL or other:PROVIDER/MODEL.",
    ),
    click.option("--samples", type=click.IntRange(1, 100), metavar="N", help="Of each case; 1 by default."),
    click.option(
        "--system",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The instructions that stand before each conversation.",
    ),
    click.option("--temperature", type=click.FloatRange(0, 2), metavar="T", help="As in production; else the model's."),
)


def asking_options(command: F) -> F:
    """Give `command` the options of which a result depends, besides suite and target."""
    for option in reversed(_ASKING):
        command = option(command)
    return command
