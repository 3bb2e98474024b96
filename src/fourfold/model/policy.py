"""What a policy is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject, ToolContract

__all__ = ["Decision", "PolicyQuestion", "Resource", "Verdict"]

Verdict = Literal["allow", "deny", "depends"]
"""`depends` is an answer at listing time only: without arguments it cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """The object that a call is about, as the contract's `resource=` function found it in the caller's tenant.

    `version` is what a read of it returns and `expected_version` is compared with; `facts` are what a policy
    may decide on.
    """

    id: str
    version: str = ""
    facts: Mapping[str, str | int | bool] = field(default_factory=dict[str, str | int | bool])


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyQuestion:
    """May this caller do this? `arguments` is `None` at listing time, `resource` when no object is involved."""

    caller: Caller
    contract: ToolContract
    arguments: JsonObject | None = None
    resource: Resource | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A policy's answer; `reason` is for the run, never for the caller."""

    verdict: Verdict
    reason: str = ""
