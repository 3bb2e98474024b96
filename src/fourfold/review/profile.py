"""Client profiles: what each client or model API demands of a tool, as dated data with sources.

The data stands in `review/profiles/*.toml`, one file a client; this module owns their form and the choice among them.
A demand names the rule of family FF6 that checks it, so that a client changes in data and a rule in code.

Who counts, and how much:

- Nobody is named: every profile counts. A profile marked `expected` is a client that any public server meets
  unchanged (Claude, VS Code, Cursor, the official SDK, the protocol itself): what it refuses is an error, what it makes
  less of is a warning. The others stand behind software that mostly rewrites schemas first (Gemini), or are a mode that
  somebody chose (OpenAI strict): their demands are advice, or every optional argument would be an error.
- A team names its clients (`[review] clients = ["claude-code", "gemini"]`): exactly those count, each as if expected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from fourfold.errors import ConfigError
from fourfold.model.finding import Severity
from fourfold.model.portability import BlastRadius, Outcome

__all__ = ["Demand", "Profile", "all_profiles", "chosen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One thing that a client demands of a tool.

    Attributes:
        rule: symbol of the rule that checks it.
        outcome: what the client makes of a tool that breaks it.
        blast_radius: how much is lost with the tool: the tool, the whole server, or every request to the model.
        note: what happens there, for people.
        sources: addresses of the reports or pages behind it.
        limit: the most that is taken: characters, tools, levels.
        pattern: regular expression that a name must match as a whole.
        words: keywords, formats or dialects; the rule says whether they are taken or refused.
        schemas: which schemas of a tool it is about: `input`, `output`.
        if_named: whether it counts only where somebody names the client: notes, which software in front of it drops.
    """

    rule: str
    outcome: Outcome
    blast_radius: BlastRadius
    note: str
    sources: tuple[str, ...]
    limit: int = 0
    pattern: str = ""
    words: frozenset[str] = frozenset()
    schemas: tuple[str, ...] = ("input",)
    if_named: bool = False


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A client, a model API or a protocol revision.

    Attributes:
        name: as configuration and findings name it.
        title: its name for people.
        as_of: the day on which its sources were last looked at.
        expected: whether a public server meets it unchanged; see the module.
        prefix: how it names a tool to the model, with `{server}` and `{tool}`.
    """

    name: str
    title: str
    as_of: date
    expected: bool
    demands: tuple[Demand, ...]
    prefix: str = "{tool}"

    @cached_property
    def counting(self) -> tuple[Demand, ...]:
        """Its demands that count."""
        return tuple(demand for demand in self.demands if self.expected or not demand.if_named)

    @cached_property
    def _by_rule(self) -> dict[str, tuple[Demand, ...]]:
        found: dict[str, tuple[Demand, ...]] = {}
        for demand in self.counting:
            found[demand.rule] = (*found.get(demand.rule, ()), demand)
        return found

    @property
    def sources(self) -> tuple[str, ...]:
        """Every address behind its demands, each once."""
        return tuple(dict.fromkeys(source for demand in self.demands for source in demand.sources))

    def of_rule(self, symbol: str) -> tuple[Demand, ...]:
        """Its demands that count and that the rule of that symbol checks."""
        return self._by_rule.get(symbol, ())

    def severity(self, demand: Demand) -> Severity:
        """How bad it is to break one of its demands."""
        if not self.expected:
            return "advice"
        return "error" if demand.outcome == "refused" else "warning"


@cache
def all_profiles() -> tuple[Profile, ...]:
    """Every profile, by name."""
    folder = files("fourfold.review") / "profiles"
    texts = [entry.read_text("utf-8") for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted(map(_read, texts), key=lambda profile: profile.name))


def chosen(clients: Iterable[str]) -> tuple[Profile, ...]:
    """The profiles that `clients` name; every one if nobody is named.

    A name is that of a profile, or the beginning of some up to a hyphen: `gemini`, `openai`, `mcp`.

    Raises:
        ConfigError: no profile has that name.
    """
    named: dict[str, Profile] = {}
    for client in clients:
        found = [each for each in all_profiles() if each.name == client or each.name.startswith(f"{client}-")]
        if not found:
            known = ", ".join(profile.name for profile in all_profiles())
            raise ConfigError(f"there is no client profile {client!r}; there are {known}")
        named.update((profile.name, replace(profile, expected=True)) for profile in found)
    return tuple(named.values()) or all_profiles()


def _read(text: str) -> Profile:
    raw: dict[str, Any] = tomllib.loads(text)
    raw["demands"] = tuple(map(_demand, raw["demands"]))
    return Profile(**raw)


def _demand(raw: dict[str, Any]) -> Demand:
    for key in ("sources", "schemas"):
        if key in raw:
            raw[key] = tuple(raw[key])
    raw["words"] = frozenset(raw.get("words", ()))
    return Demand(**raw)
