"""What effects need beyond the six words for them: plans, ways to reach other systems, and what follows a commit.

`from fourfold.effects import Impact, PlanTerms, Keyed`. A tool that needs none of this does not load it.
"""

from __future__ import annotations

from fourfold.catalog.declaration import Outside
from fourfold.model.cost import Costs
from fourfold.model.message import Delivery
from fourfold.model.plan import Approval, Impact, PlanTerms
from fourfold.model.upstream import CannotTell, DidNotHappen, Happened, Reconciled
from fourfold.ports.outbox import Outbox, Sender
from fourfold.ports.upstream import Blind, Keyed, Probe, RequestBudget

__all__ = [
    "Approval",
    "Blind",
    "CannotTell",
    "Costs",
    "Delivery",
    "DidNotHappen",
    "Happened",
    "Impact",
    "Keyed",
    "Outbox",
    "Outside",
    "PlanTerms",
    "Probe",
    "Reconciled",
    "RequestBudget",
    "Sender",
]
