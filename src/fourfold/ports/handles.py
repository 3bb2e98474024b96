"""Handles as handlers see them; and handle records, budgets and the audit as functions over a `Unit`.

None of the stores owns a connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.audit import AuditEntry
from fourfold.model.handle import Handle
from fourfold.ports.units import Unit

__all__ = ["Audit", "Budgets", "HandleRecords", "Handles"]


class Handles(Protocol):
    """Opaque references to one object, for one purpose of one caller; each expires and can be revoked (B10).

    A handler takes it by type, together with its transaction: a handle exists if, and only if, that commits.
    """

    def issue(self, purpose: str, resource: str, *, version: str = "", lifetime_s: int = 900) -> str:
        """A new handle, for a field of type `HandleText`.

        Args:
            purpose: what it may be redeemed for, such as `export_download`.
            resource: the object, in your own words.
            version: the resource version that it is good for; "" for any.
            lifetime_s: seconds until it expires.
        """
        ...

    def redeem(self, handle: str, purpose: str, *, version: str | None = None) -> Handle:
        """What `handle` stands for. It may be redeemed again until it expires or is revoked.

        `version` is that of the resource now; a handle that is good for another one is invalid.

        Raises:
            HandleInvalid: it is forged, expired, revoked, somebody else's, or for another purpose or version; the
                caller isn't told which.
        """
        ...

    def revoke(self, handle: str) -> None:
        """Make it invalid from now on. One that is invalid already stays so, and nothing is said about it."""
        ...


class HandleRecords(Protocol):
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
