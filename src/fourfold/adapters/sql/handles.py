"""Handles, budgets and the audit as functions over a unit (ports.handles). Own their SQL and no connection."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.adapters.sql.unit import own
from fourfold.model.audit import AuditEntry
from fourfold.model.handle import Handle
from fourfold.ports.units import Unit

__all__ = ["SqlAudit", "SqlBudgets", "SqlHandles"]

_ADD = """
INSERT INTO fourfold_handle (handle_id, tenant, principal, purpose, resource, version, created_ms, expires_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""

_REVOKE = """
UPDATE fourfold_handle SET revoked_ms = ? WHERE handle_id = ? AND tenant = ? AND revoked_ms IS NULL
"""

_PURGE = """
DELETE FROM fourfold_handle WHERE handle_id IN (
    SELECT handle_id FROM fourfold_handle WHERE expires_ms < ? ORDER BY expires_ms LIMIT ?
)
"""

_WINDOW = """
INSERT INTO fourfold_budget (name, window_ms, used) VALUES (?, ?, 0)
ON CONFLICT (name) DO UPDATE SET window_ms = excluded.window_ms, used = 0
WHERE fourfold_budget.window_ms < excluded.window_ms
"""

_SPEND = "UPDATE fourfold_budget SET used = used + ? WHERE name = ? AND used + ? <= ?"

_APPEND = "INSERT INTO fourfold_audit (at_ms, tenant, actor, action, about, reason) VALUES (?, ?, ?, ?, ?, ?)"

_ENTRIES = """
SELECT at_ms, tenant, actor, action, about, reason FROM fourfold_audit
WHERE (? = '' OR tenant = ?) AND (? = '' OR about = ?) ORDER BY seq DESC LIMIT ?
"""


class SqlHandles:
    """Handles in the table `fourfold_handle`."""

    def add(self, unit: Unit, handle: Handle) -> None:
        """Store a new handle."""
        who = (handle.handle_id, handle.tenant, handle.principal, handle.purpose, handle.resource, handle.version)
        own(unit).execute(_ADD, (*who, handle.created_ms, handle.expires_ms))

    def find(self, unit: Unit, handle_id: str, *, tenant: str) -> Handle | None:
        """The handle of that tenant, revoked or not."""
        sql = "SELECT * FROM fourfold_handle WHERE handle_id = ? AND tenant = ?"
        row = own(unit).row(sql, (handle_id, tenant))
        return None if row is None else Handle(**row)

    def revoke(self, unit: Unit, handle_id: str, *, tenant: str, now_ms: int) -> bool:
        """Revoke it; `False` if there is none that stands."""
        return own(unit).execute(_REVOKE, (now_ms, handle_id, tenant)) > 0

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop handles that expired before then; how many."""
        return own(unit).execute(_PURGE, (before_ms, limit))


class SqlBudgets:
    """Budgets in the table `fourfold_budget`, one row each: how much is used in the window that began last."""

    def lease(self, unit: Unit, name: str, *, want: int, most: int, window_ms: int, now_ms: int) -> int:
        """Take up to `want` from the budget `name` of `most` in each window; what was granted, 0 if it is used up."""
        view = own(unit)
        # A new window starts for all replicas with the first that comes into it.
        view.execute(_WINDOW, (name, now_ms - now_ms % window_ms))
        row = view.row("SELECT used FROM fourfold_budget WHERE name = ?", (name,))
        left = most - row["used"] if row else 0
        granted = min(want, left)
        # On PostgreSQL another replica may have spent between the two statements; then nothing is granted this time.
        return granted if granted > 0 and view.execute(_SPEND, (granted, name, granted, most)) else 0


class SqlAudit:
    """The audit in the table `fourfold_audit`."""

    def append(self, unit: Unit, entry: AuditEntry) -> None:
        """Append one entry."""
        said = (entry.at_ms, entry.tenant, entry.actor, entry.action, entry.about, entry.reason)
        own(unit).execute(_APPEND, said)

    def list(self, unit: Unit, *, tenant: str | None, about: str | None, limit: int) -> Sequence[AuditEntry]:
        """Entries, newest first."""
        wanted = (tenant or "", tenant or "", about or "", about or "", limit)
        return [AuditEntry(**row) for row in own(unit).rows(_ENTRIES, wanted)]
