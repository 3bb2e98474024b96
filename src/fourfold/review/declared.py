"""What the author of a Fourfold contract declared about an argument, where the review knows the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["is_offer", "is_sandboxed", "unwaived", "value_pointer"]

_NAMED = ("properties", "$defs", "definitions")
_SILENT = ("anyOf", "oneOf", "allOf", "prefixItems", "patternProperties")


def value_pointer(place: Place) -> str:
    """Where values of the property around `place` stand in the arguments: `/lines/*/sku`.

    Contracts write places so, and the items and arms of a property count as the property.
    """
    steps = iter(place.pointer.split("/")[2:])
    found: list[str] = []
    for step in steps:
        if step in _NAMED:
            found.extend(([step] if step.startswith("$") else []) + [next(steps, "")])
        elif step in _SILENT:
            next(steps, "")
        elif step == "items":
            found.append("*")
    while found[-1:] == ["*"]:
        found.pop()
    return "".join(f"/{step}" for step in found)


def unwaived(tool: ToolView, places: Iterable[Place], *, rule: str) -> Iterator[Place]:
    """Those of `places` for which the author did not set the build rule `rule` aside, with a written reason."""
    contract = tool.tool.contract
    waived = {waiver.where for waiver in contract.waivers if waiver.rule == rule} if contract else set[str]()
    return (place for place in places if not waived or f"input {value_pointer(place)}" not in waived)


def is_offer(tool: ToolView, place: Place) -> bool:
    """Whether the price is known to be an offer, which the handler checks against list price and floor."""
    contract = tool.tool.contract
    return contract is not None and value_pointer(place) in contract.offers


def is_sandboxed(tool: ToolView) -> bool:
    """Whether the query of the tool is known to run in a sandbox of readable views and limits."""
    return tool.tool.contract is not None and tool.tool.contract.sandbox is not None
