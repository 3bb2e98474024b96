"""What a planned call looks like on the wire, and the digest that an approval is bound to (requirement C7)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Literal

import rfc8785
from pydantic import AwareDatetime, BaseModel, Field

from fourfold.contracts.base import Form, Input, Output
from fourfold.model.contract import JsonObject
from fourfold.model.plan import Plan
from fourfold.ports.sealer import Purpose

__all__ = [
    "DIGEST_PATTERN",
    "PLAN_PURPOSE",
    "Agreement",
    "ExecuteArguments",
    "NoArguments",
    "PlanResult",
    "plan_digest",
    "written",
]

PLAN_PURPOSE: Purpose = "plan"
"""What a plan's arguments and impact are sealed for."""

DIGEST_PATTERN = r"^[0-9a-f]{64}$"
"""SHA-256 in hex."""

_PlanId = Annotated[str, Field(min_length=8, max_length=64, description="plan_id that the plan tool returned.")]
_Digest = Annotated[
    str, Field(min_length=64, max_length=64, pattern=DIGEST_PATTERN, description="digest of that plan.")
]


class Agreement(Form):
    """The form of a person who agrees to a plan: sending it is the agreement, and there is nothing to fill in."""


class NoArguments(Input):
    """What an execute tool takes of the author's arguments: none, since the plan holds them."""


class ExecuteArguments(Input):
    """The framework arguments of an execute tool."""

    plan_id: _PlanId
    digest: _Digest


class ResourceVersion(Output):
    """A resource that the plan is about, and the version that it was planned on."""

    resource: Annotated[str, Field(max_length=200)]
    version: Annotated[str, Field(max_length=64)]


class PlanResult(Output):
    """A plan: what will happen, who has to agree, and until when it stands."""

    plan_id: Annotated[str, Field(min_length=8, max_length=64)]
    digest: Annotated[str, Field(min_length=64, max_length=64, pattern=DIGEST_PATTERN)]
    impact: Annotated[str, Field(max_length=2_000, description="What executing it will do.")]
    approval: Annotated[Literal["none", "caller", "second_person"], Field(description="Who has to agree first.")]
    expires_at: Annotated[AwareDatetime, Field(description="The plan stands until then.")]
    versions: Annotated[list[ResourceVersion], Field(max_length=100)]

    @classmethod
    def versions_of(cls, versions: Mapping[str, str]) -> list[ResourceVersion]:
        """`versions` as published."""
        return [ResourceVersion(resource=name, version=version) for name, version in sorted(versions.items())]


def written(request: BaseModel) -> bytes:
    """A checked input as canonical JSON (RFC 8785), from which it can be read back."""
    return rfc8785.dumps(json.loads(request.model_dump_json(by_alias=True)))


def plan_digest(plan: Plan, *, arguments: bytes, impact: str) -> str:
    """SHA-256 (hex) over everything that an approval stands for: who does what, to which versions, until when.

    `arguments` is the canonical JSON and `impact` the text, where the plan itself holds both sealed.
    """
    facts: JsonObject = {
        "plan_id": plan.plan_id,
        "tenant": plan.tenant,
        "principal": plan.principal,
        "tool": plan.tool,
        "contract": plan.wire_digest,
        "arguments": hashlib.sha256(arguments).hexdigest(),
        "versions": json.loads(plan.versions),
        "impact": impact,
        "approval": plan.approval,
        "expires_ms": plan.expires_ms,
    }
    return hashlib.sha256(b"fourfold/plan/v1\0" + rfc8785.dumps(dict(facts))).hexdigest()
