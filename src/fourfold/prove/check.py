"""`Check`: one property that a server must have, and how calling it can show that it has it not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fourfold.model.proof import CheckFacts, Family, SentCall, Weight
from fourfold.ports.wire import Transport
from fourfold.prove.desk import Desk
from fourfold.review.view import CatalogView, ToolView

__all__ = ["Broken", "Check", "NotTested", "every_catalog", "every_tool"]


class Broken(Exception):
    """A check has found its property broken.

    Args:
        detail: what was wrong, with the values that show it; no secret of the server's.
        calls: the smallest calls, in their order, that show it.
        weight: `should` where this part of the property, other than the rest of it, only should hold.
    """

    def __init__(self, detail: str, *calls: SentCall, weight: Weight = "must") -> None:
        self.detail = detail
        self.calls = calls
        self.weight = weight
        super().__init__(detail)


class NotTested(Exception):
    """A check could not try its property here.

    Args:
        reason: what was missing.
        next_step: what would make it testable.
    """

    def __init__(self, reason: str, *, next_step: str) -> None:
        self.reason = reason
        self.next_step = next_step
        super().__init__(reason)


def every_tool(_: ToolView) -> bool:
    """Applies to every tool."""
    return True


def every_catalog(_: CatalogView, __: ToolView) -> bool:
    """Fits whatever else there is."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One property. It has it if `run` returns; it has it not if `run` raises `Broken`.

    Attributes:
        name: its name, such as `output-conforms`; never given to another check.
        proves: the property as a sentence.
        requires: ids of the requirements, or addresses of the specifications, behind it.
        applies: whether a tool can have the property at all; else there is no verdict about it.
        fits: whether the tools around it are there that the property is about; else there is no verdict either.
        run: makes calls through the desk. For a check of the server as a whole, the tool is the first one. What it
            returns is said with a verdict of `passed`.
        writes: whether it calls tools that write, which the user has to allow.
        callers: how many different callers it needs.
        whole: whether it is about the server as a whole, and runs once.
        weight: `should` where the specification says so of all of it: it is then warned of, and does not fail.
        transport: the one on which there can be the property at all, if there is only one.
    """

    name: str
    family: Family
    proves: str
    requires: tuple[str, ...]
    run: Callable[[Desk, ToolView], Awaitable[str | None]]
    applies: Callable[[ToolView], bool] = every_tool
    fits: Callable[[CatalogView, ToolView], bool] = every_catalog
    writes: bool = False
    callers: int = 1
    whole: bool = False
    weight: Weight = "must"
    transport: Transport | None = None

    @property
    def facts(self) -> CheckFacts:
        """What a report says of it."""
        return CheckFacts(
            name=self.name, family=self.family, proves=self.proves, requires=self.requires, weight=self.weight
        )
