"""How long a caller goes on with one call."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Patience"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits of one call, whatever the server says about it.

    Attributes:
        repeats: how often it is sent again unchanged, after a wait or because no answer came.
        wait_s: seconds that all waits together may take. A longer one is not begun.
        rounds: how often the server may ask before it acts.
    """

    repeats: int = 4
    wait_s: float = 60.0
    rounds: int = 10
