"""`Operator`: a person who decides about claims, plans and messages, known by a credential of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["EVERY_TENANT", "Operator", "Permission"]

Permission = Literal["claims.settle", "plans.approve", "outbox.retry"]
"""What an operator may be allowed; `plans.approve` is for denying and revoking as well."""

EVERY_TENANT = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """A person, as their credential names them.

    Attributes:
        principal: who they are; no plan of this principal can be approved by them.
        tenants: whose operations, plans and messages they decide about; `*` in it stands for all.
        agents: principals that act for them; they cannot be the second person for what those plan.
    """

    name: str
    principal: str
    tenants: frozenset[str]
    permissions: frozenset[Permission]
    agents: frozenset[str] = field(default_factory=frozenset[str])

    def may(self, permission: Permission, *, tenant: str) -> bool:
        """Whether this was granted, for that tenant."""
        return permission in self.permissions and bool({tenant, EVERY_TENANT} & self.tenants)
