"""Four contracts for every MCP tool: selection, input, output, effect.

What a team needs to declare tools stands here; each name is loaded when it is first used, so that `import fourfold`
stays light. Test helpers are in `fourfold.testing`, errors in `fourfold.errors`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fourfold.catalog.declare import Catalog as Catalog
    from fourfold.contracts.base import Input as Input
    from fourfold.contracts.base import Output as Output
    from fourfold.contracts.base import Page as Page
    from fourfold.contracts.base import Sourced as Sourced
    from fourfold.contracts.base import reject as reject
    from fourfold.contracts.markers import Minor as Minor
    from fourfold.contracts.markers import MinorUnits as MinorUnits
    from fourfold.contracts.markers import Nullable as Nullable
    from fourfold.contracts.markers import Offer as Offer
    from fourfold.contracts.markers import PathUnder as PathUnder
    from fourfold.contracts.markers import Personal as Personal
    from fourfold.contracts.markers import Sandbox as Sandbox
    from fourfold.contracts.markers import Secret as Secret
    from fourfold.contracts.markers import Subject as Subject
    from fourfold.contracts.markers import Waived as Waived
    from fourfold.errors import ContractError as ContractError
    from fourfold.model.caller import Caller as Caller
    from fourfold.model.contract import Limits as Limits
    from fourfold.model.contract import Waiver as Waiver
    from fourfold.model.effect import Create as Create
    from fourfold.model.effect import Destroy as Destroy
    from fourfold.model.effect import ObservableRead as ObservableRead
    from fourfold.model.effect import Preview as Preview
    from fourfold.model.effect import Read as Read
    from fourfold.model.effect import Update as Update
    from fourfold.model.fault import Fault as Fault
    from fourfold.model.fault import Retry as Retry
    from fourfold.model.fault import StaleVersion as StaleVersion
    from fourfold.model.fault import UpstreamRejected as UpstreamRejected
    from fourfold.model.fault import UpstreamUnavailable as UpstreamUnavailable
    from fourfold.model.fault import WrongState as WrongState
    from fourfold.model.page import PageRequest as PageRequest
    from fourfold.model.policy import Decision as Decision
    from fourfold.model.policy import PolicyQuestion as PolicyQuestion
    from fourfold.model.policy import Resource as Resource
    from fourfold.model.run import RunDraft as RunDraft
    from fourfold.ports.clock import Clock as Clock
    from fourfold.ports.units import Row as Row
    from fourfold.ports.units import Unit as Unit

_HOME = {
    "catalog.declare": ("Catalog",),
    "contracts.base": ("Input", "Output", "Page", "Sourced", "reject"),
    "contracts.markers": (
        "Minor", "MinorUnits", "Nullable", "Offer", "PathUnder", "Personal", "Sandbox", "Secret", "Subject", "Waived",
    ),
    "errors": ("ContractError",),
    "model.caller": ("Caller",),
    "model.contract": ("Limits", "Waiver"),
    "model.effect": ("Create", "Destroy", "ObservableRead", "Preview", "Read", "Update"),
    "model.fault": ("Fault", "Retry", "StaleVersion", "UpstreamRejected", "UpstreamUnavailable", "WrongState"),
    "model.page": ("PageRequest",),
    "model.policy": ("Decision", "PolicyQuestion", "Resource"),
    "model.run": ("RunDraft",),
    "ports.clock": ("Clock",),
    "ports.units": ("Row", "Unit"),
}  # fmt: skip
_MODULES = {name: f"fourfold.{home}" for home, names in _HOME.items() for name in names}

__all__ = [
    "Caller",
    "Catalog",
    "Clock",
    "ContractError",
    "Create",
    "Decision",
    "Destroy",
    "Fault",
    "Input",
    "Limits",
    "Minor",
    "MinorUnits",
    "Nullable",
    "ObservableRead",
    "Offer",
    "Output",
    "Page",
    "PageRequest",
    "PathUnder",
    "Personal",
    "PolicyQuestion",
    "Preview",
    "Read",
    "Resource",
    "Retry",
    "Row",
    "RunDraft",
    "Sandbox",
    "Secret",
    "Sourced",
    "StaleVersion",
    "Subject",
    "Unit",
    "Update",
    "UpstreamRejected",
    "UpstreamUnavailable",
    "Waived",
    "Waiver",
    "WrongState",
    "reject",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'fourfold' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
