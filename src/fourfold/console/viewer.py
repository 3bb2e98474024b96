"""`Viewer`: who looks at the console, and whose records they may see."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.caller import Caller
from fourfold.model.operator import EVERY_TENANT, Operator, Permission

__all__ = ["Viewer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A person at the console.

    Attributes:
        name: what the page calls them.
        tenants: whose records they see; `*` in it stands for all.
        operator: who they are when they decide; `None` for somebody who only looks.
    """

    name: str
    tenants: frozenset[str]
    operator: Operator | None = None

    @classmethod
    def of_operator(cls, operator: Operator) -> Viewer:
        """An operator, who sees the tenants that they decide about."""
        return cls(name=operator.name, tenants=operator.tenants, operator=operator)

    @classmethod
    def of_caller(cls, caller: Caller) -> Viewer:
        """A caller of the server, who sees their own tenant and decides nothing."""
        return cls(name=caller.name or caller.principal, tenants=frozenset({caller.tenant}))

    @classmethod
    def of_store(cls) -> Viewer:
        """Whoever could open the store by themselves: they see all of it, and decide nothing."""
        return cls(name="local", tenants=frozenset({EVERY_TENANT}))

    @property
    def sees_all(self) -> bool:
        """Whether no tenant is kept from them."""
        return EVERY_TENANT in self.tenants

    @property
    def sees_catalog(self) -> bool:
        """Whether the contracts of all tools are theirs to look at: a caller has only those that it may list."""
        return self.sees_all or self.operator is not None

    @property
    def sees_content(self) -> bool:
        """Whether what was sent and returned, and notes on it, are theirs: a tool may deny a caller the same."""
        return self.sees_all or self.operator is not None

    def sees(self, tenant: str) -> bool:
        """Whether the records of `tenant` are theirs to look at."""
        return self.sees_all or tenant in self.tenants

    def may(self, permission: Permission, *, tenant: str) -> bool:
        """Whether they may decide this about `tenant`."""
        return self.operator is not None and self.operator.may(permission, tenant=tenant)
