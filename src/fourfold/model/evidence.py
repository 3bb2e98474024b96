"""What a command has proved about a catalog, and the boxes of a checklist that stand on it."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.contract import JsonObject

__all__ = ["CheckedBox", "EvidenceRecord"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """The file `.fourfold/evidence/<kind>.json`, as a command left it.

    Attributes:
        kind: which command: `review`, `lock`, `prove` or `select`.
        tool_version: of Fourfold.
        catalog_digest: of what was looked at, as the lock counts it; for another catalog it is no evidence.
        at: when (ISO 8601, UTC).
        results: what was found, in the command's own form.
    """

    kind: str
    tool_version: str
    catalog_digest: str
    at: str
    results: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBox:
    """One line of the checklist.

    Attributes:
        reason: of a ticked box, the evidence; of an open one, why it is open.
        next_step: of an open box, what would tick it.
    """

    text: str
    ticked: bool
    reason: str
    next_step: str = ""
