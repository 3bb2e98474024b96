"""What effects need beyond the six words for them: plans, and ways to reach other systems.

`from fourfold.effects import Impact, PlanTerms, Keyed`. A tool that needs none of this does not load it.
"""

from __future__ import annotations

from fourfold.model.plan import Impact, PlanTerms
from fourfold.model.upstream import CannotTell, DidNotHappen, Happened, Reconciled
from fourfold.ports.outbox import Outbox
from fourfold.ports.upstream import Blind, Keyed, Probe

__all__ = [
    "Blind",
    "CannotTell",
    "DidNotHappen",
    "Happened",
    "Impact",
    "Keyed",
    "Outbox",
    "PlanTerms",
    "Probe",
    "Reconciled",
]
