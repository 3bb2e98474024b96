"""Broken variants of the billing server: all can be made, a few are caught here; `scripts/soak mutants` tries all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

import pytest

from tests.meta.repository import ROOT
from tests.prove.mutants.bench import UNBROKEN, Bench, Found, bench
from tests.prove.mutants.broken import MUTANTS
from tests.prove.mutants.mutant import Mutant
from tests.prove.mutants.page import page_of
from tests.prove.mutants.run import PAGE

CAUGHT = [
    ("invoice by any tenant", "foreign-id-is-absent", "invoice_get"),
    ("a filter is forgotten", "filter-honoured", "invoice_list"),
    ("keys of all callers are one", "callers-do-not-meet", "customer_create"),
    ("a cursor is good for other filters", "bad-cursor-refused", "invoice_list"),
    ("a plan needs nobody's agreement", "execute-without-approval-refused", "invoice_execute_send"),
]
"""Variant, a check that fails on it, and the tool that it fails about."""


@pytest.fixture(scope="module")
def place() -> Generator[Bench]:
    """One copy of the sources for all variants of this module."""
    with bench() as made:
        yield made


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_place_of_a_variant_is_there_once(mutant: Mutant) -> None:
    """C9: a variant that changes nothing would be caught by nothing, or by chance."""
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.before) == 1
    assert mutant.before != mutant.after


def test_no_kind_of_fault_outweighs_the_others() -> None:
    """C9: sixty variants of twelve kinds at least, at most ten of each, and fifteen of them written last."""
    kinds = Counter(mutant.family for mutant in MUTANTS)

    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 60
    assert len(kinds) >= 12
    assert max(kinds.values()) <= 10
    assert sum(mutant.last for mutant in MUTANTS) == 15


@pytest.mark.parametrize(("name", "check", "tool"), CAUGHT)
def test_a_variant_is_caught(place: Bench, name: str, *, check: str, tool: str) -> None:
    """B12, C9: by a check that the server as it is passes."""
    (mutant,) = [each for each in MUTANTS if each.name == name]

    assert f"{check} {tool}" in place.proved(mutant, only=(check,))["failed"]


def test_the_page_names_every_variant() -> None:
    """C9: what docs/proving-mutants.md says is about the variants that there are."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = {cell.strip() for line in rows for cell in line.split("|")[2:3]}

    assert {mutant.name for mutant in MUTANTS} <= named
    missed = [line for line in rows if "**nothing**" in line]
    assert [mutant.name for mutant in MUTANTS if not mutant.last and any(mutant.name in line for line in missed)] == []


def test_the_page_counts_what_was_found() -> None:
    """C9: caught is what fails on a variant and not on the server as it is."""
    nothing: Found = {"passed": ["a x", "b"], "failed": ["c"], "warned": [], "not_tested": []}
    first, second = MUTANTS[:2]
    found = {UNBROKEN.name: nothing, first.name: {**nothing, "failed": ["a x", "c"]}, second.name: nothing}
    lines = [*page_of([first, second], found)]

    assert "| 2 written first | 1 | 1 |" in lines
    assert f"| {first.family} | {first.name} | `billing/invoices.py` | `a` |" in lines
    assert f"| {second.family} | {second.name} | `billing/unpaid.py` | **nothing** |" in lines
