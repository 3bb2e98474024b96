"""What an operation had set aside, given back once a person has said that it never happened and never will.

There is no call then: the arguments come from the plan, if there was one, and the caller has no scopes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fourfold.catalog.provide import Supplies
from fourfold.catalog.tool import BuiltTool
from fourfold.contracts.base import Input
from fourfold.contracts.planning import PLAN_PURPOSE, NoArguments
from fourfold.errors import DecisionError, SealError
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.claim import Claim
from fourfold.model.fault import Fault
from fourfold.model.plan import Plan
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Transaction
from fourfold.stages.upstreams import KeyedUpstream

__all__ = ["Reservation", "planned_input"]

_THERE = frozenset({"request", "caller", "clock", "unit", "keyed", "probe"})
"""What `give_back=` can take without a call."""


def planned_input(tool: BuiltTool, plan: Plan | None, *, sealer: Sealer, now_ms: int) -> Input | None:
    """The arguments of an operation, from its plan; `None` if it had none, or the contract takes them no more.

    Raises:
        DecisionError: the key that they are sealed with is not in the ring.
    """
    if plan is None:
        return None
    try:
        return tool.planned.read(sealer.open(PLAN_PURPOSE, plan.arguments, bind=(plan.plan_id,), now_ms=now_ms))
    except SealError:
        raise DecisionError(f"plan {plan.plan_id} does not open with the keys that are here") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What may be set aside for an operation: the tool that knows how to give it back, and its arguments if kept."""

    tool: BuiltTool
    request: Input | None

    def give_back(self, transaction: Transaction, claim: Claim, *, clock: Clock) -> None:
        """Call `give_back=` of the tool, in the transaction that settles the claim; nothing if it has none.

        Raises:
            DecisionError: it takes what only a call has, or it refused.
        """
        binding = self.tool.give_back
        if binding is None:
            return
        missing = binding.taken - _THERE
        if self.request is None:
            missing |= binding.taken & {"request"}
        if missing:
            what = (
                f"give_back= of {claim.scope.tool} takes {' and '.join(sorted(missing))} of the call, which is not kept"
            )
            raise DecisionError(f"{what}: leave it to the next call with its key, or put the books right by hand")
        supplies = _supplies(claim, self.request or NoArguments(), clock=clock)
        try:
            transaction.attempt(lambda unit: binding.call(replace(supplies, unit=unit)), subject=lambda _: None)
        except Fault as fault:
            raise DecisionError(f"give_back= of {claim.scope.tool} refused: {fault.message}") from fault


def _supplies(claim: Claim, request: Input, *, clock: Clock) -> Supplies:
    caller = Caller(principal=claim.scope.principal, tenant=claim.scope.tenant)
    call = Call(tool=claim.scope.tool, arguments={}, caller=caller)
    run = RunDraft(run_id=claim.run_id, call=call, at_ms=clock.now_ms())
    upstream = KeyedUpstream(claim)
    return Supplies(request=request, caller=caller, clock=clock, run=run, keyed=upstream, probe=upstream)
