"""What turns texts into vectors whose cosine says how near their meanings are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Embedder"]


class Embedder(Protocol):
    """A sentence embedding model."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector of length 1 for each text."""
        ...
