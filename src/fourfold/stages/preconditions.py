"""Stage 11, preconditions: is what the caller believes still true? Inside the transaction: nobody is between."""

from __future__ import annotations

import hmac

from fourfold.model.fault import Fault, StaleVersion
from fourfold.ports.units import Unit
from fourfold.stages.authorize import find_resource, permitted
from fourfold.stages.flow import Flow

__all__ = ["Answered", "preconditions"]


class Answered(Exception):
    """Ends a transaction with an answer: what was written is undone. `denied` tells a policy's no from an absence."""

    def __init__(self, fault: Fault | None = None, *, denied: bool = False) -> None:
        self.fault = fault
        self.denied = denied
        super().__init__("the transaction ends with an answer")


def preconditions(flow: Flow, unit: Unit) -> None:
    """Find the object of a write, ask the policy about it, and compare its version with the expected one.

    Raises:
        Answered: the object is absent, denied, or has another version.
    """
    if flow.tool.resource is None or not (flow.tool.contract.effect.writes or flow.tool.role == "plan"):
        return
    resource = flow.resource = find_resource(flow, unit)
    decision = permitted(flow, resource)
    if resource is None or decision.verdict != "allow":
        raise Answered(denied=resource is not None)
    expected = flow.checked.framework.get("expected_version")
    if expected is not None and not hmac.compare_digest(str(expected).encode(), resource.version.encode()):
        raise Answered(StaleVersion(current_version=resource.version))
