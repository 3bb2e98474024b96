"""The lock of a catalog: every definition as it was when somebody looked at it, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = ["IMPACTS", "CatalogLock", "Change", "Impact", "LockReview", "LockedTool"]

Impact = Literal["breaking", "routing", "additive"]
"""What a change does to those who use the tool.

`breaking`: calls or results that were good no longer are, or something happens that did not. `routing`: words that a
model chooses by have changed. `additive`: everything that worked still does.
"""

IMPACTS: tuple[Impact, ...] = ("breaking", "routing", "additive")
"""The worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedTool:
    """One tool as it was locked.

    Attributes:
        digest: SHA-256 (hex) over the whole definition, and over `contract` where there is one.
        definition: as the target listed it, texts, hints and unknown fields included.
        contract: of a catalog of ours, what clients don't see: version, effect, faults, scopes, approval.
    """

    name: str
    digest: str
    definition: JsonObject
    contract: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LockReview:
    """Who has looked at a catalog: its digest then, and when (ISO 8601, UTC)."""

    digest: str
    by: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogLock:
    """A whole catalog. `digest` is SHA-256 (hex) over those of its tools, whatever their order."""

    target: str
    digest: str
    tools: tuple[LockedTool, ...]
    reviews: tuple[LockReview, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two locks.

    Attributes:
        pointer: into the tool's definition, or into its contract below `/contract`.
        kind: what happened, such as `input-added` or `text-changed`.
        reason: one line about it, with what it means.
        same_version: whether the tool's version should have been raised for it and was not.
    """

    tool: str
    pointer: str
    kind: str
    impact: Impact
    reason: str
    same_version: bool = False
