"""The configuration file: `fourfold.toml`, or `[tool.fourfold]` in `pyproject.toml`.

```toml
[serve]
caller = "clerk"                     # who calls over stdio, unless --caller says otherwise
store = "sqlite:///billing.db"
public_hosts = ["mcp.example.com"]   # needed to serve beyond loopback
replicas = 2                         # servers that answer for each other; they need one FOURFOLD_KEYS

[[caller]]
name = "clerk"
tenant = "acme"
principal = "clerk@acme"
scopes = ["quotes:write"]
token_sha256 = "…"                   # hex SHA-256 of the bearer token, for HTTP

[[operator]]                         # a person who decides by hand; `fourfold operators new` writes one
name = "ana"
principal = "ana@acme"
tenants = ["acme"]                   # or "*"
permissions = ["claims.settle", "plans.approve", "outbox.retry"]
token_sha256 = "…"                   # of a token that no caller has

[retention]
outcome_hours = 72

[review]
ignore = ["FF1", "unbounded-string"] # beginnings of rule ids, or symbols
clients = ["claude", "gemini"]       # those that must take every tool; without it the common ones
fail_on = "warning"

[[review.waiver]]
rule = "free-query"
tool = "ledger_query"
reason = "the sandbox is typed"
until = 2027-06-30                   # the last day; without it for ever

[budget]
requests = 40_000                    # a month
price = "2.50"                       # dollars per million input tokens, or model = "gpt-4o"
max_tokens = 4_000                   # of one request; over it `fourfold budget` exits with 1

[prove]
callers = "callers.toml"             # who calls a server that isn't ours: [[caller]] with token_env, or command
allow_untested = ["paths"]           # checks, families or tools that may go untested

[[prove.example]]                    # arguments that work, where none can be made up
tool = "report_make"
arguments = { quarter = "2026-Q3" }

[select]
suite = "selection.jsonl"            # for `fourfold select` without one
chooser = "openai:gpt-4o"            # or anthropic:MODEL, bm25, embed:MODEL, replay:FILE
api_key_env = "OPENAI_API_KEY"       # the variable that holds the key
samples = 3                          # of each case
rule = "exact"                       # or lenient, tools
system = "system.txt"                # the instructions that stand before each conversation
```
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, cast

from pydantic import Field, ValidationError

from fourfold.bootstrap.sections import (
    BudgetSection,
    CallerEntry,
    OperatorEntry,
    ProveSection,
    RetentionSection,
    ReviewSection,
    Section,
    SelectSection,
    ServeSection,
)
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller

__all__ = ["Configuration", "find_configuration", "read_configuration"]


class Configuration(Section):
    """All of the file. Entries of a kind have different names, and no two entries have the same token."""

    serve: ServeSection = ServeSection()
    caller: list[CallerEntry] = Field(default_factory=list[CallerEntry])
    operator: list[OperatorEntry] = Field(default_factory=list[OperatorEntry])
    retention: RetentionSection = RetentionSection()
    review: ReviewSection = ReviewSection()
    budget: BudgetSection = BudgetSection()
    prove: ProveSection = ProveSection()
    select: SelectSection = SelectSection()

    def named(self, name: str) -> Caller:
        """The caller of that name.

        Raises:
            ConfigError: there is none; the message names those that there are.
        """
        for entry in self.caller:
            if entry.name == name:
                return entry.caller
        known = ", ".join(entry.name for entry in self.caller) or "none"
        raise ConfigError(f"no [[caller]] is named {name!r}; configured: {known}. Add one to fourfold.toml.")


def find_configuration(folder: Path, *, beside: Path | None = None) -> Path | None:
    """The file that applies, or `None`.

    `fourfold.toml` in `folder`, else a `pyproject.toml` there with `[tool.fourfold]`, else the `fourfold.toml` in
    `beside`, the folder of the target's module.
    """
    candidate = folder / "fourfold.toml"
    if candidate.is_file():
        return candidate
    project = folder / "pyproject.toml"
    if project.is_file() and _in_project(_toml(project)) is not None:
        return project
    shipped = beside / "fourfold.toml" if beside is not None else None
    return shipped if shipped is not None and shipped.is_file() else None


def read_configuration(path: Path | None) -> Configuration:
    """The configuration in `path`; an empty one for `None`.

    Raises:
        ConfigError: the file cannot be read or has an entry that is wrong; the message names each place.
    """
    if path is None:
        return Configuration()
    content = _toml(path)
    section = _in_project(content) or {} if path.name == "pyproject.toml" else content
    try:
        found = Configuration.model_validate(section)
    except ValidationError as error:
        raise ConfigError(f"{path.name} is not right:\n{_places(error)}") from None
    _refuse_twins(found, path)
    return found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from None


def _in_project(content: dict[str, Any]) -> Any:
    """`[tool.fourfold]` of a `pyproject.toml`, or `None`."""
    tools = content.get("tool")
    return cast("dict[str, Any]", tools).get("fourfold") if isinstance(tools, dict) else None


def _places(error: ValidationError) -> str:
    details = error.errors(include_url=False, include_input=False, include_context=False)
    return "\n".join(f"  {'.'.join(map(str, detail['loc'])) or 'all of it'}: {detail['msg']}" for detail in details)


def _refuse_twins(found: Configuration, path: Path) -> None:
    """Two entries of one name, or of one token, would make it a matter of order who it is.

    An agent that has its caller's token must have no operator's with it, so tokens differ across both kinds.
    """
    for kind, entries in (("caller", found.caller), ("operator", found.operator)):
        names = _twins([entry.name for entry in entries])
        if names:
            shown = ", ".join(names)
            raise ConfigError(f"{path.name} has [[{kind}]] entries with one name: {shown}. Give each its own.")
    entries = [*found.caller, *found.operator]
    same = _twins([entry.token_sha256 for entry in entries if entry.token_sha256 is not None])
    if same:
        shown = " and ".join(entry.name for entry in entries if entry.token_sha256 == same[0])
        raise ConfigError(f"{path.name} has entries with one token_sha256: {shown}. Give each its own.")


def _twins(values: list[str]) -> list[str]:
    return sorted({value for value in values if values.count(value) > 1})
