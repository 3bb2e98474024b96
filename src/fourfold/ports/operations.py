"""What a read can ask about the caller's own operations."""

from __future__ import annotations

from typing import Protocol

from fourfold.model.claim import Claim

__all__ = ["Operations"]


class Operations(Protocol):
    """The operations of one caller."""

    def find(self, operation_id: str) -> Claim | None:
        """The claim of that operation, if it is this caller's."""
        ...
