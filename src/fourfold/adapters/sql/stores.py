"""The framework's own stores, but for runs: they own no connection, so that every SQL database has the same ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from fourfold.adapters.sql.claims import SqlClaims
from fourfold.adapters.sql.handles import SqlAudit, SqlBudgets, SqlHandles
from fourfold.adapters.sql.messages import SqlMessages
from fourfold.adapters.sql.plans import SqlPlans
from fourfold.adapters.sql.seals import SqlSeals
from fourfold.adapters.sql.selections import SqlSelections
from fourfold.adapters.sql.tallies import SqlTallies

__all__ = ["SqlStores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlStores:
    """What a SQL store has besides its transactions and runs (ports.Store)."""

    claims: SqlClaims = field(default_factory=SqlClaims)
    plans: SqlPlans = field(default_factory=SqlPlans)
    messages: SqlMessages = field(default_factory=SqlMessages)
    handles: SqlHandles = field(default_factory=SqlHandles)
    budgets: SqlBudgets = field(default_factory=SqlBudgets)
    audit: SqlAudit = field(default_factory=SqlAudit)
    tallies: SqlTallies = field(default_factory=SqlTallies)
    seals: SqlSeals = field(default_factory=SqlSeals)
    selections: SqlSelections = field(default_factory=SqlSelections)
