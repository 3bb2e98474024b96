"""`SqlPlans`: plans and decisions as functions over a unit (ports.Plans). Owns its SQL and no connection."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.adapters.sql.unit import own
from fourfold.model.plan import Decision, Plan, PlanState
from fourfold.ports.units import Unit

__all__ = ["SqlPlans"]

_ADD = """
INSERT INTO fourfold_plan (
    plan_id, tenant, principal, tool, wire_digest, arguments, versions, impact, digest, approval, created_ms,
    expires_ms, state
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_USE = """
UPDATE fourfold_plan SET state = 'used', used_by = ?
WHERE plan_id = ? AND tenant = ? AND principal = ? AND digest = ? AND expires_ms > ? AND used_by IS NULL
    AND (state = 'approved' OR (state = 'open' AND approval = 'none'))
"""

_DECIDE = """
UPDATE fourfold_plan SET state = ?
WHERE plan_id = ? AND tenant = ? AND digest = ? AND used_by IS NULL
    AND ((? = 'revoked' AND state IN ('open', 'approved')) OR (? <> 'revoked' AND state = 'open' AND expires_ms > ?))
"""

_DECISION = """
INSERT INTO fourfold_decision (plan_id, approver, verdict, digest, channel, comment, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_DECISIONS = """
SELECT plan_id, approver, verdict, digest, channel, comment, at_ms FROM fourfold_decision
WHERE plan_id = ? ORDER BY seq
"""

_LIST = """
SELECT * FROM fourfold_plan WHERE (? = '' OR state = ?) AND (? = '' OR tenant = ?)
ORDER BY created_ms DESC, plan_id DESC LIMIT ?
"""

_WAITING = """
SELECT * FROM fourfold_plan
WHERE expires_ms > ? AND state = 'open' AND approval <> 'none' AND (? = '' OR tenant = ?)
ORDER BY expires_ms, plan_id LIMIT ?
"""

# An operation that may go on, or that somebody has to look at, is found by its plan.
_COUNT_WAITING = """
SELECT count(*) AS found FROM fourfold_plan WHERE expires_ms > ? AND state = 'open' AND approval <> 'none'
"""

_PAST = """
SELECT plan_id FROM fourfold_plan WHERE expires_ms < ? AND NOT EXISTS (
    SELECT 1 FROM fourfold_claim WHERE operation_id = used_by AND state IN ('running', 'unknown')
) ORDER BY expires_ms LIMIT ?
"""


class SqlPlans:
    """Plans in the table `fourfold_plan`, what people said in `fourfold_decision`."""

    def add(self, unit: Unit, plan: Plan) -> None:
        """Store a new plan."""
        who = (plan.plan_id, plan.tenant, plan.principal, plan.tool, plan.wire_digest)
        what = (plan.arguments, plan.versions, plan.impact, plan.digest, plan.approval)
        own(unit).execute(_ADD, (*who, *what, plan.created_ms, plan.expires_ms, plan.state))

    def find(self, unit: Unit, plan_id: str) -> Plan | None:
        """The plan. The caller of this compares tenant and principal, or asks as an approver."""
        row = own(unit).row("SELECT * FROM fourfold_plan WHERE plan_id = ?", (plan_id,))
        return None if row is None else Plan(**row)

    def use(self, unit: Unit, plan: Plan, *, operation_id: str, now_ms: int) -> bool:
        """Mark `plan` used by `operation_id`, if it still stands; `False` if it doesn't."""
        stands = (plan.plan_id, plan.tenant, plan.principal, plan.digest, now_ms)
        return own(unit).execute(_USE, (operation_id, *stands)) > 0

    def decide(self, unit: Unit, decision: Decision, *, tenant: str) -> bool:
        """Record what a person said, if it can still be said; `False` if it can't."""
        verdict = decision.verdict
        where = (decision.plan_id, tenant, decision.digest, verdict, verdict, decision.at_ms)
        # The state moves first: a decision that came too late leaves no row that says otherwise.
        if not own(unit).execute(_DECIDE, (verdict, *where)):
            return False
        said = (decision.plan_id, decision.approver, verdict, decision.digest)
        own(unit).execute(_DECISION, (*said, decision.channel, decision.comment, decision.at_ms))
        return True

    def decisions(self, unit: Unit, plan_id: str) -> Sequence[Decision]:
        """What people said to a plan, first to last."""
        return [Decision(**row) for row in own(unit).rows(_DECISIONS, (plan_id,))]

    def list(self, unit: Unit, *, state: PlanState | None, tenant: str | None, limit: int) -> Sequence[Plan]:
        """Plans, newest first, for approvers."""
        wanted = (state or "", state or "", tenant or "", tenant or "", limit)
        return [Plan(**row) for row in own(unit).rows(_LIST, wanted)]

    def count_waiting(self, unit: Unit, *, now_ms: int) -> int:
        """How many open plans somebody has to agree to and still can, of all tenants."""
        row = own(unit).row(_COUNT_WAITING, (now_ms,))
        return row["found"] if row else 0

    def waiting(self, unit: Unit, *, tenant: str | None, now_ms: int, limit: int) -> Sequence[Plan]:
        """Open plans within their time that somebody has to agree to; those that expire first, first."""
        return [Plan(**row) for row in own(unit).rows(_WAITING, (now_ms, tenant or "", tenant or "", limit))]

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop plans that expired before then, with their decisions; how many."""
        view = own(unit)
        view.execute(f"DELETE FROM fourfold_decision WHERE plan_id IN ({_PAST})", (before_ms, limit))
        return view.execute(f"DELETE FROM fourfold_plan WHERE plan_id IN ({_PAST})", (before_ms, limit))
