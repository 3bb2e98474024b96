"""The six effects of the effect contract, and the MCP hints that follow from them.

This module owns what an effect *means*. It does not enforce it: the stages do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from fourfold.model.plan import PlanTerms

__all__ = ["Create", "Destroy", "Effect", "Hints", "ObservableRead", "PlanStep", "Preview", "Reach", "Read", "Update"]

Reach = Literal["store", "outside"]
"""Where a write lands: in our own store (one transaction) or in somebody else's system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """MCP tool annotations, derived from the effect and never written by hand (2026-07-28, "Tool annotations")."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a call does to the world. Use one of the six subclasses.

    `reach` is where it does it. A write with a `plan` is published as two tools: one that plans it and one that
    executes the plan.
    """

    reach: Reach = "store"
    plan: PlanTerms | None = None

    name: ClassVar[str] = "effect"
    writes: ClassVar[bool] = False
    takes_key: ClassVar[bool] = False
    takes_version: ClassVar[bool] = False
    needs_plan: ClassVar[bool] = False
    boundary: ClassVar[str] = ""
    """The word that the rendered description uses: reads, previews or commits."""

    _destructive: ClassVar[bool] = False
    _idempotent: ClassVar[bool] = True
    _open_world: ClassVar[bool] = False

    @property
    def hints(self) -> Hints:
        """The annotations that follow from this effect and its reach."""
        return Hints(
            read_only=not self.writes,
            destructive=self._destructive,
            idempotent=self._idempotent,
            open_world=self._open_world or self.reach == "outside",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(Effect):
    """A pure read: nothing changes and nobody outside can tell that it happened."""

    name: ClassVar[str] = "read"
    boundary: ClassVar[str] = "Reads only."


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservableRead(Effect):
    """A read that somebody outside can observe: a metered lookup, a fetched page, a read receipt."""

    name: ClassVar[str] = "observable_read"
    boundary: ClassVar[str] = "Reads only; the other side can see it."
    _open_world: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Effect):
    """Computes what a write would do, and does none of it."""

    name: ClassVar[str] = "preview"
    boundary: ClassVar[str] = "Previews only; saves nothing."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep(Preview):
    """The plan half of a write with a plan: a preview that is kept until it is executed or expires."""

    boundary: ClassVar[str] = "Plans only; nothing happens until it is executed."


Duplicates = Literal["flag", "refuse"]
"""What happens to a second key with the same arguments inside the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Create(Effect):
    """An additive write. Repeats are recognised by key, or by their arguments for `window_s` seconds.

    `duplicates` decides about a *different* key with the same arguments inside the window: `flag` runs it
    and says so in the result's `_meta`, `refuse` answers `possible_duplicate`. Left out, it is `flag` in the store
    and `refuse` for what reaches outside.
    """

    duplicates: Duplicates | None = None
    window_s: int = 600

    name: ClassVar[str] = "create"
    writes: ClassVar[bool] = True
    takes_key: ClassVar[bool] = True
    boundary: ClassVar[str] = "Commits: adds a record."
    _idempotent: ClassVar[bool] = False

    @property
    def refuses_twins(self) -> bool:
        """Whether a second key with the same arguments is refused inside the window."""
        return (self.duplicates or ("refuse" if self.reach == "outside" else "flag")) == "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(Effect):
    """An idempotent update of one versioned resource; takes `expected_version`."""

    name: ClassVar[str] = "update"
    writes: ClassVar[bool] = True
    takes_key: ClassVar[bool] = True
    takes_version: ClassVar[bool] = True
    boundary: ClassVar[str] = "Commits: changes a record."


@dataclass(frozen=True, slots=True, kw_only=True)
class Destroy(Effect):
    """A destructive or irreversible action on one versioned resource; takes `expected_version` and needs a plan."""

    name: ClassVar[str] = "destroy"
    writes: ClassVar[bool] = True
    takes_key: ClassVar[bool] = True
    takes_version: ClassVar[bool] = True
    needs_plan: ClassVar[bool] = True
    boundary: ClassVar[str] = "Commits: cannot be undone."
    _destructive: ClassVar[bool] = True
