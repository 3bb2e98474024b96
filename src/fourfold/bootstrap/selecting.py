"""Joins what `fourfold select` needs: a suite, the tools of a target, a chooser out of its name, results in files."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal, cast

from fourfold.adapters.choosers.key import ApiKey
from fourfold.adapters.choosers.replay import ReplayChooser
from fourfold.bootstrap.sections import SelectSection
from fourfold.budget.prices import custom_price, price_of
from fourfold.contracts.case_file import read_cases
from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import OfferedTool, Sampling
from fourfold.model.listed import ListedCatalog
from fourfold.model.scored import Rule
from fourfold.ports.chooser import Chooser
from fourfold.selection.baselines import Bm25Chooser, EmbeddingChooser
from fourfold.selection.result import Result, read_result, scored_at, verdicts_line
from fourfold.selection.spending import SpendingCap

__all__ = [
    "ChooserSpec",
    "Provider",
    "add_verdicts",
    "load_result",
    "load_suite",
    "offered_tools",
    "opened_chooser",
    "prices_of",
    "sampling_of",
    "versions_of",
]

Kind = Literal["bm25", "embed", "replay", "openai", "anthropic", "other"]
_FORMS = "bm25, embed:MODEL, replay:FILE, openai:MODEL, anthropic:MODEL, other:PROVIDER/MODEL"
_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@dataclass(frozen=True, slots=True)
class ChooserSpec:
    """What chooses, as a user names it: a kind, and which one of it."""

    kind: Kind
    which: str = ""

    @classmethod
    def parse(cls, text: str) -> ChooserSpec:
        """Read `bm25` or `KIND:WHICH`.

        Raises:
            ConfigError: it is neither.
        """
        kind, _, which = text.partition(":")
        # Only bm25 stands alone; every other kind says which.
        if kind not in ("bm25", "embed", "replay", "other", *_KEYS) or bool(which) == (kind == "bm25"):
            raise ConfigError(f"no chooser is called {text!r}; there are {_FORMS}")
        return cls(cast("Kind", kind), which)

    @property
    def name(self) -> str:
        """What a result calls it, without opening it."""
        which = Path(self.which).name if self.kind == "replay" else self.which
        return f"{self.kind}:{which}" if which else self.kind

    @property
    def is_paid(self) -> bool:
        """Whether each answer is asked of a provider."""
        return self.kind in (*_KEYS, "other")

    @property
    def rule(self) -> Rule:
        """The rule that fits it: a baseline chooses a tool and no arguments."""
        return "tools" if self.kind in ("bm25", "embed") else "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where a model is asked. `key_env` names the variable with the key; without it the provider's usual one.

    A base URL of one's own gets no key that isn't named.
    """

    base_url: str | None = None
    key_env: str | None = None


@asynccontextmanager
async def opened_chooser(spec: ChooserSpec, provider: Provider) -> AsyncGenerator[Chooser]:
    """The chooser of a name, until the block ends.

    Raises:
        ConfigError: a file, a model, a key or a library is missing.
    """
    match spec.kind:
        case "bm25":
            yield Bm25Chooser()
        case "embed":
            from fourfold.adapters.embedding import read_embedder

            yield EmbeddingChooser(embedder=read_embedder(spec.which))
        case "replay":
            yield ReplayChooser.of(Path(spec.which))
        case "openai" | "anthropic":
            async with _model(spec, provider) as chooser:
                yield chooser
        case "other":
            async with _other(spec, provider) as chooser:
                yield chooser


@asynccontextmanager
async def _model(spec: ChooserSpec, provider: Provider) -> AsyncGenerator[Chooser]:
    try:
        from fourfold.adapters.choosers.anthropic import ANTHROPIC_URL, anthropic_chooser
        from fourfold.adapters.choosers.http import ProviderTerms
        from fourfold.adapters.choosers.openai import OPENAI_URL, openai_chooser
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name} is missing; models are asked with fourfold[upstream]") from None
    url, make = {"openai": (OPENAI_URL, openai_chooser), "anthropic": (ANTHROPIC_URL, anthropic_chooser)}[spec.kind]
    # A key must not go to a server for which nobody has named it.
    key_env = provider.key_env or ("" if provider.base_url else _KEYS[spec.kind])
    terms = ProviderTerms(model=spec.which, base_url=provider.base_url or url)
    async with make(terms, ApiKey.from_variable(key_env, os.environ)) as chooser:
        yield chooser


@asynccontextmanager
async def _other(spec: ChooserSpec, provider: Provider) -> AsyncGenerator[Chooser]:
    try:
        from fourfold.adapters.choosers.any_llm import any_llm_chooser
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name} is missing; other providers are asked with fourfold[providers]") from None
    key = ApiKey.from_variable(provider.key_env or "", os.environ)
    async with any_llm_chooser(spec.which, base_url=provider.base_url, key=key) as chooser:
        yield chooser


def load_suite(path: Path) -> tuple[Case, ...]:
    """The cases of a suite.

    Raises:
        ConfigError: it can't be read, holds none, or a line is no case; the message names line and place.
    """
    try:
        with path.open("rb") as lines:
            cases = tuple(read_cases(lines, name=str(path)))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    if not cases:
        raise ConfigError(f"{path} holds no cases")
    return cases


def offered_tools(catalog: ListedCatalog, *, toolsets: Sequence[str] = ()) -> tuple[OfferedTool, ...]:
    """The tools of a catalog as a model is told of them; with `toolsets`, only theirs.

    Raises:
        ConfigError: there are none, or toolsets are named where nobody knows of any.
    """
    wanted = frozenset(toolsets)
    if wanted and any(tool.contract is None for tool in catalog.tools):
        raise ConfigError(f"{catalog.target} tells of no toolsets; only a catalog (module:catalog) has them")
    tools = tuple(
        OfferedTool(name=tool.name, description=tool.description, input_schema=tool.input_schema)
        for tool in catalog.tools
        if not wanted or (tool.contract is not None and wanted & tool.contract.toolsets)
    )
    if not tools:
        raise ConfigError(f"{catalog.target} offers no tools{f' in {min(wanted)}' if wanted else ''}")
    return tools


def versions_of(catalog: ListedCatalog) -> dict[str, str]:
    """The versions of the contracts behind the tools; none over the wire, where nobody tells of them."""
    return {tool.name: tool.contract.version for tool in catalog.tools if tool.contract is not None}


def prices_of(
    spec: ChooserSpec, *, most: str | None, input_price: str | None, output_price: str | None
) -> SpendingCap | None:
    """What the answers of a chooser cost, and what they may cost at most; `None` where it isn't known.

    Args:
        spec: the chooser; the table of prices knows some models.
        most: a cap in US dollars.
        input_price: US dollars per million tokens, where the table has none or another one.
        output_price: US dollars per million tokens; the table has none.

    Raises:
        ConfigError: an amount is none, or there is a cap and a price is missing.
    """
    if most is None and output_price is None:
        return None
    if output_price is None:
        raise ConfigError("--max-cost needs --output-price, in US dollars per million tokens; the table has none")
    model = spec.which.partition("/")[2] if spec.kind == "other" else spec.which
    price = custom_price(input_price) if input_price is not None else price_of(model)
    bound = Decimal("Infinity") if most is None else _dollars(most)
    return SpendingCap(most=bound, price=price, output=custom_price(output_price).input)


def _dollars(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal(-1)
    if not found.is_finite() or found < 0:
        raise ConfigError(f"--max-cost is an amount of US dollars, such as 2.50; {text!r} is none")
    return found


def sampling_of(section: SelectSection, *, system: Path | None = None, temperature: float | None = None) -> Sampling:
    """How a model is asked; options win over the configuration.

    Raises:
        ConfigError: the file with the instructions can't be read.
    """
    path = system or (Path(section.system) if section.system is not None else None)
    heat = section.temperature if temperature is None else str(temperature)
    plain = Sampling()
    return Sampling(
        temperature=None if heat is None else Decimal(heat),
        max_tokens=section.max_tokens or plain.max_tokens,
        system="" if path is None else _text(path),
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}, the instructions, cannot be read: {error}") from None


def load_result(path: Path) -> Result:
    """The result that a run has left in a file.

    Raises:
        ConfigError: it can't be read, or is none.
    """
    try:
        with path.open("rb") as lines:
            return read_result(lines, name=str(path))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None


def add_verdicts(path: Path, result: Result) -> str:
    """Add the verdicts of a result to the file of its run, unless the same ones stand there already; since when.

    Raises:
        ConfigError: it can't be written.
    """
    try:
        last = path.read_bytes().rstrip(b"\n").rpartition(b"\n")[2]
        at = scored_at(last)
        # The same verdicts at another time are the same result.
        if at is not None and _line_of(result, at).encode() == last:
            return at
        with path.open("ab") as out:
            out.write(_line_of(result, result.at).encode() + b"\n")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    return result.at


def _line_of(result: Result, at: str) -> str:
    return verdicts_line(result.tally, rule=result.rule, at=at, suite=result.suite, versions=result.versions)
