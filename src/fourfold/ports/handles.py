"""Handle records, budgets and the audit: small stores as functions over a `Unit`. None owns a connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.audit import AuditEntry
from fourfold.model.handle import Handle
from fourfold.ports.units import Unit

__all__ = ["Audit", "Budgets", "Handles"]


class Handles(Protocol):
    """The record behind each sealed handle."""

    def add(self, unit: Unit, handle: Handle) -> None:
        """Store a new handle."""
        ...

    def find(self, unit: Unit, handle_id: str, *, tenant: str) -> Handle | None:
        """The handle of that tenant, revoked or not."""
        ...

    def revoke(self, unit: Unit, handle_id: str, *, tenant: str, now_ms: int) -> bool:
        """Revoke it; `False` if there is none that stands."""
        ...

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop handles that expired before then; how many."""
        ...


class Budgets(Protocol):
    """Shared budgets: so many units of something in a window, over all replicas (requirement C4)."""

    def lease(self, unit: Unit, name: str, *, want: int, most: int, window_ms: int, now_ms: int) -> int:
        """Take up to `want` from the budget `name` of `most` in each window; what was granted, 0 if it is used up."""
        ...


class Audit(Protocol):
    """The audit, which is only ever appended to."""

    def append(self, unit: Unit, entry: AuditEntry) -> None:
        """Append one entry."""
        ...

    def list(self, unit: Unit, *, tenant: str | None, about: str | None, limit: int) -> Sequence[AuditEntry]:
        """Entries, newest first."""
        ...
