"""What makes decisions: a model behind an API, recorded answers, or a baseline without any model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject

__all__ = ["Chooser"]


class Chooser(Protocol):
    """Reads a conversation and says which of the tools it would call now."""

    @property
    def name(self) -> str:
        """What a report calls it, such as `bm25` or a model's name."""
        ...

    async def choose(
        self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, sampling: Sampling, sample: int = 0
    ) -> Choice:
        """Decide once. A failure of the provider is a `Choice` with `failure`, not an exception.

        Args:
            messages: OpenAI chat messages, up to the decision.
            tools: those that may be called; names as in the catalog.
            sampling: how to ask.
            sample: the number of this sample of the case, from 0.
        """
        ...
