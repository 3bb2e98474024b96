"""Broken variants of the billing server: all can be made, and one is caught here; `scripts/soak mutants` tries all."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.meta.repository import ROOT
from tests.prove.mutants.broken import MUTANTS, Mutant
from tests.prove.mutants.run import verdicts_on


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_place_of_a_variant_is_there_once(mutant: Mutant) -> None:
    """C9: a variant that changes nothing would be caught by nothing, or by chance."""
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.before) == 1
    assert mutant.before != mutant.after


def test_no_kind_of_fault_outweighs_the_others() -> None:
    """C9: ten kinds at least, and at most ten variants of each."""
    kinds = Counter(mutant.family for mutant in MUTANTS)

    assert len(kinds) >= 10
    assert max(kinds.values()) <= 10


def test_an_invoice_for_any_tenant_is_caught() -> None:
    """B12, C9: the predicate is gone, and the foreign id is answered."""
    (mutant,) = [each for each in MUTANTS if each.name == "invoice by any tenant"]

    failed = verdicts_on(mutant, only=("foreign-id-is-absent",))["failed"]
    assert "foreign-id-is-absent invoice_get" in failed
