"""What a `reconcile=` function answers about an operation that may or may not have happened in another system."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

__all__ = ["CannotTell", "DidNotHappen", "Happened", "Reconciled", "derived_key"]


@dataclass(frozen=True, slots=True)
class Happened:
    """It did happen. `receipt` is what the handler would have returned."""

    receipt: object


@dataclass(frozen=True, slots=True)
class DidNotHappen:
    """It did not happen and will not any more, so that it may be done now."""


@dataclass(frozen=True, slots=True)
class CannotTell:
    """The other system does not say; a person has to look."""


Reconciled = Happened | DidNotHappen | CannotTell
"""What is known about an operation in another system."""


def derived_key(operation_id: str, step: str) -> str:
    """The idempotency key for one step of an operation in another system: 40 hex digits, the same in each attempt.

    It depends on no key of ours, so that an attempt after a key rotation still has it.
    """
    return hashlib.sha256(f"fourfold/upstream/v1\0{operation_id}\0{step}".encode()).hexdigest()[:40]
