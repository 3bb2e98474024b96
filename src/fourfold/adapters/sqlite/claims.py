"""`SqliteClaims`: the claim store as functions over a unit (ports.Claims). Owns its SQL and no connection."""

from __future__ import annotations

from fourfold.adapters.sqlite.unit import own
from fourfold.errors import StoreError
from fourfold.model.claim import Claim, ClaimScope
from fourfold.ports.units import Row, Unit

__all__ = ["SqliteClaims"]

_FIND = """
SELECT * FROM fourfold_claim
WHERE tenant = ? AND principal = ? AND tool = ? AND idempotency_key = ?
"""

_TWIN = """
SELECT * FROM fourfold_claim
WHERE tenant = ? AND principal = ? AND tool = ? AND fingerprint = ? AND created_ms >= ? AND idempotency_key <> ?
    AND state <> 'failed'
ORDER BY created_ms DESC, rowid DESC LIMIT 1
"""

_TAKE = """
INSERT INTO fourfold_claim (
    tenant, principal, tool, idempotency_key, operation_id, fingerprint, state, run_id, created_ms, purge_after_ms
) VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)
ON CONFLICT (tenant, principal, tool, idempotency_key) DO NOTHING
"""

_SETTLE = """
UPDATE fourfold_claim SET state = ?, outcome = ?, settled_ms = ? WHERE operation_id = ? AND state = 'running'
"""


class SqliteClaims:
    """Idempotency records in the table `fourfold_claim`; the unique key arbitrates between two takers."""

    def find(self, unit: Unit, scope: ClaimScope) -> Claim | None:
        """The claim of that key, settled or not."""
        return _claim(own(unit).row(_FIND, _key(scope)))

    def twin(self, unit: Unit, scope: ClaimScope, *, fingerprint: bytes, since_ms: int) -> Claim | None:
        """The newest claim of the same caller and tool with that fingerprint under another key, since then.

        A kept fault is no twin: nothing happened that a second call could repeat.
        """
        same = (scope.tenant, scope.principal, scope.tool, fingerprint, since_ms, scope.key)
        return _claim(own(unit).row(_TWIN, same))

    def take(self, unit: Unit, claim: Claim) -> Claim | None:
        """Insert `claim` as running; `None` if it was taken, else the claim that already has the key."""
        fresh = (claim.operation_id, claim.fingerprint, claim.run_id, claim.created_ms, claim.purge_after_ms)
        if own(unit).execute(_TAKE, (*_key(claim.scope), *fresh)):
            return None
        return self.find(unit, claim.scope)

    def settle(self, unit: Unit, operation_id: str, *, state: str, outcome: str, settled_ms: int) -> None:
        """Store the sealed outcome of a running claim.

        Raises:
            StoreError: the claim is not running any more, so somebody else settled it.
        """
        if not own(unit).execute(_SETTLE, (state, outcome, settled_ms, operation_id)):
            raise StoreError(f"operation {operation_id} is not running, so its outcome was not stored")


def _key(scope: ClaimScope) -> tuple[str, str, str, str]:
    return scope.tenant, scope.principal, scope.tool, scope.key


def _claim(row: Row | None) -> Claim | None:
    if row is None:
        return None
    return Claim(
        operation_id=row["operation_id"],
        scope=ClaimScope(
            tenant=row["tenant"], principal=row["principal"], tool=row["tool"], key=row["idempotency_key"]
        ),
        fingerprint=row["fingerprint"],
        state=row["state"],
        run_id=row["run_id"],
        created_ms=row["created_ms"],
        purge_after_ms=row["purge_after_ms"],
        outcome=row["outcome"],
        settled_ms=row["settled_ms"],
    )
