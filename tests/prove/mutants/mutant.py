"""`Mutant`: one fault that somebody might make, as a place in the sources, what stands there, and what would."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BILLING", "FOURFOLD", "Kind", "Mutant"]

BILLING, FOURFOLD = "examples/billing/src/billing", "src/fourfold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A broken variant of the billing server. `before` stands exactly once in the file.

    `last` is for variants that were written when the checks were finished: nothing was changed for their sake.
    """

    name: str
    family: str
    file: str
    before: str
    after: str
    last: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """Faults of one kind in one file."""

    family: str
    file: str
    last: bool = False

    def __call__(self, name: str, before: str, after: str) -> Mutant:
        """One of them."""
        return Mutant(name=name, family=self.family, file=self.file, before=before, after=after, last=self.last)
