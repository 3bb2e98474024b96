"""Broken variants of the billing server and of what serves it, as data."""

from __future__ import annotations

from tests.prove.mutants.framework import FRAMEWORK
from tests.prove.mutants.handlers import HANDLERS
from tests.prove.mutants.last import LAST
from tests.prove.mutants.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: tuple[Mutant, ...] = (*HANDLERS, *FRAMEWORK, *LAST)
"""Those that were written last come last. docs/proving-mutants.md says which check catches which."""
