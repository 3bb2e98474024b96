"""`SqlClaims`: the claim store as functions over a unit (ports.Claims). Owns its SQL and no connection."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.adapters.sql.unit import own
from fourfold.errors import ClaimLost
from fourfold.model.claim import Claim, ClaimScope, ClaimState
from fourfold.ports.units import Row, Unit

__all__ = ["SqlClaims"]

_FIND = """
SELECT * FROM fourfold_claim
WHERE tenant = ? AND principal = ? AND tool = ? AND idempotency_key = ?
"""

_TWIN = """
SELECT * FROM fourfold_claim
WHERE tenant = ? AND principal = ? AND tool = ? AND fingerprint = ? AND created_ms >= ? AND idempotency_key <> ?
    AND state <> 'failed'
ORDER BY created_ms DESC, operation_id DESC LIMIT 1
"""

_TAKE = """
INSERT INTO fourfold_claim (
    tenant, principal, tool, idempotency_key, operation_id, fingerprint, state, run_id, created_ms, purge_after_ms,
    effect_class, fence, owner, lease_until_ms, attempt, recovery_point, contract_version
) VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, principal, tool, idempotency_key) DO NOTHING
"""

_OWNED = "operation_id = ? AND fence = ? AND state = 'running'"
"""What only the newest owner of a running claim matches."""

_SETTLE = f"UPDATE fourfold_claim SET state = ?, outcome = ?, settled_ms = ? WHERE {_OWNED}"
_REACH = f"UPDATE fourfold_claim SET recovery_point = ? WHERE {_OWNED}"
_RENEW = f"UPDATE fourfold_claim SET lease_until_ms = ? WHERE {_OWNED}"

_TAKE_OVER = f"""
UPDATE fourfold_claim SET fence = fence + 1, attempt = attempt + 1, owner = ?, lease_until_ms = ?
WHERE {_OWNED} AND lease_until_ms <= ?
"""

# The fence goes up, so that an owner of before does not find its claim again once it may run.
_RESOLVE = """
UPDATE fourfold_claim SET state = ?, outcome = ?, settled_ms = ?, lease_until_ms = 0, recovery_point = '',
    fence = fence + 1,
    purge_after_ms = CASE WHEN purge_after_ms < ? THEN ? ELSE purge_after_ms END
WHERE operation_id = ? AND state = 'unknown'
"""

_LIST = """
SELECT * FROM fourfold_claim WHERE (? = '' OR state = ?) AND (? = '' OR tenant = ?)
ORDER BY created_ms DESC, operation_id DESC LIMIT ?
"""

_PAST = """
SELECT operation_id FROM fourfold_claim
WHERE state IN ('done', 'failed', 'tombstone') AND purge_after_ms <= ? ORDER BY purge_after_ms LIMIT ?
"""

_LEFT = """
SELECT operation_id FROM fourfold_claim
WHERE state = 'running' AND lease_until_ms <= ? AND purge_after_ms <= ? ORDER BY lease_until_ms LIMIT ?
"""

_GIVE_UP = f"""
UPDATE fourfold_claim SET state = 'unknown', settled_ms = ?
WHERE state = 'running' AND lease_until_ms <= ? AND purge_after_ms <= ? AND operation_id IN ({_LEFT})
"""

_DROP = f"DELETE FROM fourfold_claim WHERE state = 'tombstone' AND purge_after_ms <= ? AND operation_id IN ({_PAST})"

_BURY = f"""
UPDATE fourfold_claim SET state = 'tombstone', outcome = NULL, purge_after_ms = ?
WHERE state IN ('done', 'failed') AND purge_after_ms <= ? AND operation_id IN ({_PAST})
"""


class SqlClaims:
    """Idempotency records in the table `fourfold_claim`; the unique key arbitrates between two takers."""

    def find(self, unit: Unit, scope: ClaimScope) -> Claim | None:
        """The claim of that key, settled or not."""
        return _claim(own(unit).row(_FIND, _key(scope)))

    def twin(self, unit: Unit, scope: ClaimScope, *, fingerprint: bytes, since_ms: int) -> Claim | None:
        """The newest claim of the same caller and tool with that fingerprint under another key, since then.

        A kept fault is no twin: nothing happened that a second call could repeat.
        """
        view = own(unit)
        # Two that look at the same time would not see each other; the second has to wait for what the first makes.
        view.alone(f"twin {fingerprint.hex()} {scope.tool} {scope.tenant} {scope.principal}")
        same = (scope.tenant, scope.principal, scope.tool, fingerprint, since_ms, scope.key)
        return _claim(view.row(_TWIN, same))

    def take(self, unit: Unit, claim: Claim) -> Claim | None:
        """Insert `claim` as running; `None` if it was taken, else the claim that already has the key."""
        fresh = (claim.operation_id, claim.fingerprint, claim.run_id, claim.created_ms, claim.purge_after_ms)
        lease = (claim.effect_class, claim.fence, claim.owner, claim.lease_until_ms, claim.attempt)
        origin = (claim.recovery_point, claim.contract_version)
        if own(unit).execute(_TAKE, (*_key(claim.scope), *fresh, *lease, *origin)):
            return None
        return self.find(unit, claim.scope)

    def settle(
        self, unit: Unit, operation_id: str, *, fence: int, state: ClaimState, outcome: str | None, settled_ms: int
    ) -> None:
        """Settle a running claim with its sealed outcome; `unknown` has none.

        Raises:
            ClaimLost: the claim is not running under this fence any more, so what was done must be undone.
        """
        _require(own(unit).execute(_SETTLE, (state, outcome, settled_ms, operation_id, fence)), operation_id)

    def operation(self, unit: Unit, operation_id: str) -> Claim | None:
        """The claim of an operation. The caller of this compares tenant and principal, or asks as an operator."""
        return _claim(own(unit).row("SELECT * FROM fourfold_claim WHERE operation_id = ?", (operation_id,)))

    def reach(self, unit: Unit, operation_id: str, *, fence: int, point: str) -> None:
        """Note how far a running claim has come, before going on.

        Raises:
            ClaimLost: another owner has taken it over.
        """
        _require(own(unit).execute(_REACH, (point, operation_id, fence)), operation_id)

    def renew(self, unit: Unit, operation_id: str, *, fence: int, until_ms: int) -> bool:
        """Prolong the lease of a running claim; `False` if another owner has it."""
        return own(unit).execute(_RENEW, (until_ms, operation_id, fence)) > 0

    def take_over(
        self, unit: Unit, operation_id: str, *, fence: int, owner: str, now_ms: int, until_ms: int
    ) -> Claim | None:
        """Become the owner of a running claim whose lease ended; `None` if it is not there to be had."""
        if not own(unit).execute(_TAKE_OVER, (owner, until_ms, operation_id, fence, now_ms)):
            return None
        return self.operation(unit, operation_id)

    def release(self, unit: Unit, operation_id: str, *, fence: int, now_ms: int) -> None:
        """End the lease of a claim that may be tried again; its row stays, so that its arguments stay with its key.

        Raises:
            ClaimLost: another owner has taken it over.
        """
        _require(own(unit).execute(_RENEW, (now_ms, operation_id, fence)), operation_id)

    def resolve(
        self,
        unit: Unit,
        operation_id: str,
        *,
        state: ClaimState,
        outcome: str | None,
        settled_ms: int,
        keep_until_ms: int,
    ) -> bool:
        """Decide an `unknown` claim: `done` or `failed` with its outcome, or `running` again; `False` if it isn't."""
        at = None if state == "running" else settled_ms
        kept = (keep_until_ms, keep_until_ms)
        return own(unit).execute(_RESOLVE, (state, outcome, at, *kept, operation_id)) > 0

    def list(self, unit: Unit, *, state: ClaimState | None, tenant: str | None, limit: int) -> Sequence[Claim]:
        """Claims, newest first, for operators."""
        wanted = (state or "", state or "", tenant or "", tenant or "", limit)
        return [_of(row) for row in own(unit).rows(_LIST, wanted)]

    def count_unknown(self, unit: Unit) -> int:
        """How many operations are unknown, of all tenants."""
        row = own(unit).row("SELECT count(*) AS found FROM fourfold_claim WHERE state = 'unknown'")
        return row["found"] if row else 0

    def purge(self, unit: Unit, *, now_ms: int, tombstone_until_ms: int, limit: int) -> int:
        """Turn settled claims past their time into tombstones, and drop tombstones past theirs; how many."""
        # Tombstones go first, so that none is dropped by the purge that made it.
        dropped = own(unit).execute(_DROP, (now_ms, now_ms, limit))
        return dropped + own(unit).execute(_BURY, (tombstone_until_ms, now_ms, now_ms, limit))

    def give_up(self, unit: Unit, *, now_ms: int, limit: int) -> int:
        """Make running claims past their time unknown whose lease is over, and that no call came back for; how many."""
        return own(unit).execute(_GIVE_UP, (now_ms, now_ms, now_ms, now_ms, now_ms, limit))


def _require(changed: int, operation_id: str) -> None:
    if not changed:
        raise ClaimLost(f"operation {operation_id} is not this owner's any more, so nothing of it was stored")


def _key(scope: ClaimScope) -> tuple[str, str, str, str]:
    return scope.tenant, scope.principal, scope.tool, scope.key


def _claim(row: Row | None) -> Claim | None:
    return None if row is None else _of(row)


def _of(row: Row) -> Claim:
    facts = dict(row)
    names = ("tenant", "principal", "tool")
    scope = ClaimScope(**{name: facts.pop(name) for name in names}, key=facts.pop("idempotency_key"))
    return Claim(scope=scope, **facts)
