"""Who may do what."""

from __future__ import annotations

from typing import Protocol

from fourfold.model.policy import Decision, PolicyQuestion

__all__ = ["Policy"]


class Policy(Protocol):
    """Decides about listing and calling with one function, so that the two cannot differ (requirement B11)."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Answer `question`. An exception counts as `deny` and is recorded."""
        ...
