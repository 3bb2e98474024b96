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
```
"""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from fourfold.model.finding import Severity
from fourfold.model.operator import EVERY_TENANT, Operator, Permission
from fourfold.model.retention import MIN_OUTCOME_MS, Retention
from fourfold.review.settings import RuleWaiver

__all__ = [
    "BudgetSection",
    "CallerEntry",
    "Configuration",
    "OperatorEntry",
    "RetentionSection",
    "ReviewSection",
    "ServeSection",
    "WaiverEntry",
    "find_configuration",
    "read_configuration",
]

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$")]
_Principal = Annotated[str, Field(min_length=1, max_length=256)]
_Tenant = Annotated[str, Field(min_length=1, max_length=128)]
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CallerEntry(_Section):
    """One `[[caller]]`: an identity, and how it is recognised."""

    name: _Name
    tenant: _Tenant
    principal: _Principal
    scopes: list[Annotated[str, Field(min_length=1, max_length=128)]] = []
    token_sha256: _Digest | None = None

    @property
    def caller(self) -> Caller:
        """The caller that this entry stands for."""
        return Caller(principal=self.principal, tenant=self.tenant, scopes=frozenset(self.scopes), name=self.name)


class OperatorEntry(_Section):
    """One `[[operator]]`: a person who decides about operations, plans and messages, and how they are recognised."""

    name: _Name
    principal: _Principal
    tenants: Annotated[list[_Tenant], Field(min_length=1)] | Literal["*"]
    permissions: Annotated[list[Permission], Field(min_length=1)]
    agents: list[_Principal] = []
    token_sha256: _Digest

    @property
    def operator(self) -> Operator:
        """The person that this entry stands for."""
        return Operator(
            name=self.name,
            principal=self.principal,
            tenants=frozenset([EVERY_TENANT] if self.tenants == EVERY_TENANT else self.tenants),
            permissions=frozenset(self.permissions),
            agents=frozenset(self.agents),
        )


class RetentionSection(_Section):
    """`[retention]`: how long what was settled, planned or sent is kept."""

    outcome_hours: Annotated[int, Field(ge=MIN_OUTCOME_MS // _HOUR_MS, le=8_760)] = 72
    tombstone_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    message_days: Annotated[int, Field(ge=1, le=3_650)] = 30

    @property
    def retention(self) -> Retention:
        """The same in milliseconds."""
        return Retention(
            outcome_ms=self.outcome_hours * _HOUR_MS,
            tombstone_ms=self.tombstone_days * _DAY_MS,
            message_ms=self.message_days * _DAY_MS,
        )


class ServeSection(_Section):
    """`[serve]`: the defaults of `fourfold serve`."""

    caller: str | None = None
    store: str | None = None
    public_hosts: list[str] = []
    allowed_origins: list[str] = []
    toolsets: list[str] = []
    modern_only: bool = False
    replicas: Annotated[int, Field(ge=1, le=10_000)] = 1


class WaiverEntry(_Section):
    """One `[[review.waiver]]`: a rule set aside for a tool, or for `*`, with the reason."""

    rule: Annotated[str, Field(min_length=1, max_length=64)]
    tool: Annotated[str, Field(min_length=1, max_length=256)]
    reason: Annotated[str, Field(min_length=1, max_length=500)]
    pointer: Annotated[str, Field(pattern=r"^(/.*)?$", max_length=1_000)] = ""
    until: date | None = None

    @property
    def waiver(self) -> RuleWaiver:
        """What the review reads."""
        return RuleWaiver(rule=self.rule, tool=self.tool, reason=self.reason, pointer=self.pointer, until=self.until)


class ReviewSection(_Section):
    """`[review]`: which rules look, what is set aside, and what fails."""

    select: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    ignore: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    clients: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    fail_on: Severity = "warning"
    server: Annotated[str, Field(max_length=128)] = ""
    waiver: list[WaiverEntry] = []

    @property
    def waivers(self) -> tuple[RuleWaiver, ...]:
        """The waivers as the review reads them."""
        return tuple(entry.waiver for entry in self.waiver)


class BudgetSection(_Section):
    """`[budget]`: how `fourfold budget` counts and what it multiplies with. `price` is dollars, quoted: "2.50"."""

    requests: Annotated[int, Field(ge=1, le=10**12)] = 1_000
    turns: Annotated[int, Field(ge=1, le=10**6)] = 10
    price: Annotated[str, Field(max_length=32)] | None = None
    model: Annotated[str, Field(max_length=128)] | None = None
    profile: Annotated[str, Field(max_length=64)] | None = None
    rendering: Annotated[str, Field(max_length=64)] = "json"
    max_tokens: Annotated[int, Field(ge=0)] | None = None


class Configuration(_Section):
    """All of the file. Entries of a kind have different names, and no two entries have the same token."""

    serve: ServeSection = ServeSection()
    caller: list[CallerEntry] = []
    operator: list[OperatorEntry] = []
    retention: RetentionSection = RetentionSection()
    review: ReviewSection = ReviewSection()
    budget: BudgetSection = BudgetSection()

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
