"""The sections of `fourfold.toml`, as they are checked; `bootstrap.configuration` shows the file and reads it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from fourfold.model.caller import Caller
from fourfold.model.finding import Severity
from fourfold.model.operator import EVERY_TENANT, Operator, Permission
from fourfold.model.retention import MIN_OUTCOME_MS, Retention
from fourfold.model.scored import Rule
from fourfold.review.settings import RuleWaiver

__all__ = [
    "BudgetSection",
    "CallerEntry",
    "ExampleEntry",
    "OperatorEntry",
    "ProveSection",
    "RetentionSection",
    "ReviewSection",
    "Section",
    "SelectSection",
    "ServeSection",
    "WaiverEntry",
]

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$")]
_Principal = Annotated[str, Field(min_length=1, max_length=256)]
_Tenant = Annotated[str, Field(min_length=1, max_length=128)]
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS


class Section(BaseModel):
    """A part of the file. An unknown entry is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CallerEntry(Section):
    """One `[[caller]]`: an identity, and how it is recognised.

    `fourfold serve` knows it by `token_sha256`. `fourfold prove` is it, with the token in the environment variable
    `token_env` or in `token_file`, or with the `command` of a server that answers as it.
    """

    name: _Name
    tenant: _Tenant
    principal: _Principal
    scopes: list[Annotated[str, Field(min_length=1, max_length=128)]] = []
    token_sha256: _Digest | None = None
    token_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")] | None = None
    token_file: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    command: list[Annotated[str, Field(min_length=1, max_length=4_000)]] = []

    @property
    def caller(self) -> Caller:
        """The caller that this entry stands for."""
        return Caller(principal=self.principal, tenant=self.tenant, scopes=frozenset(self.scopes), name=self.name)


class OperatorEntry(Section):
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


class RetentionSection(Section):
    """`[retention]`: how long what was settled, planned or sent is kept."""

    outcome_hours: Annotated[int, Field(ge=MIN_OUTCOME_MS // _HOUR_MS, le=8_760)] = 72
    tombstone_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    message_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    kept_days: Annotated[int, Field(ge=1, le=365)] = 30

    @property
    def retention(self) -> Retention:
        """The same in milliseconds."""
        return Retention(
            outcome_ms=self.outcome_hours * _HOUR_MS,
            tombstone_ms=self.tombstone_days * _DAY_MS,
            message_ms=self.message_days * _DAY_MS,
            kept_ms=self.kept_days * _DAY_MS,
        )


class ServeSection(Section):
    """`[serve]`: the defaults of `fourfold serve`."""

    caller: str | None = None
    store: str | None = None
    public_hosts: list[str] = []
    allowed_origins: list[str] = []
    toolsets: list[str] = []
    modern_only: bool = False
    replicas: Annotated[int, Field(ge=1, le=10_000)] = 1
    console: bool = False


class WaiverEntry(Section):
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


class ReviewSection(Section):
    """`[review]`: which rules look, what is set aside, and what fails."""

    select: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    ignore: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    clients: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    fail_on: Severity = "warning"
    server: Annotated[str, Field(max_length=128)] = ""
    embeddings: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    waiver: list[WaiverEntry] = []

    @property
    def waivers(self) -> tuple[RuleWaiver, ...]:
        """The waivers as the review reads them."""
        return tuple(entry.waiver for entry in self.waiver)


class BudgetSection(Section):
    """`[budget]`: how `fourfold budget` counts and what it multiplies with. `price` is dollars, quoted: "2.50"."""

    requests: Annotated[int, Field(ge=1, le=10**12)] = 1_000
    turns: Annotated[int, Field(ge=1, le=10**6)] = 10
    price: Annotated[str, Field(max_length=32)] | None = None
    model: Annotated[str, Field(max_length=128)] | None = None
    profile: Annotated[str, Field(max_length=64)] | None = None
    rendering: Annotated[str, Field(max_length=64)] = "json"
    max_tokens: Annotated[int, Field(ge=0)] | None = None


class ExampleEntry(Section):
    """One `[[prove.example]]`: arguments of a tool that are known to work."""

    tool: Annotated[str, Field(min_length=1, max_length=256)]
    arguments: dict[str, Any]


class ProveSection(Section):
    """`[prove]`: who calls, what to call with, and what may go untested."""

    callers: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**32)] = 1
    max_calls: Annotated[int, Field(ge=1, le=10**9)] | None = None
    allow_untested: list[Annotated[str, Field(min_length=1, max_length=256)]] = []
    fail_on: Literal["failure", "warning"] = "failure"
    example: list[ExampleEntry] = []

    @property
    def examples(self) -> dict[str, list[dict[str, Any]]]:
        """The examples by tool, in the order of the file."""
        tools = dict.fromkeys(entry.tool for entry in self.example)
        return {tool: [entry.arguments for entry in self.example if entry.tool == tool] for tool in tools}


class SelectSection(Section):
    """`[select]`: the suite, what chooses, and how it is asked. A key is named by its environment variable."""

    suite: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    chooser: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    samples: Annotated[int, Field(ge=1, le=100)] | None = None
    rule: Rule | None = None
    base_url: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")] | None = None
    system: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    temperature: Annotated[str, Field(pattern=r"^\d(\.\d{1,4})?$")] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
