"""The benchmark of durable writes runs, on both stores. What it measures is not judged here."""

from __future__ import annotations

import pytest

from benchmarks.writes import measure

pytestmark = pytest.mark.serial


def test_enforced_and_bare_writes_are_measured_side_by_side_on_both_stores() -> None:
    """Each cell made durable writes, none of which failed; without its twin a share of it would mean nothing."""
    cells = measure(rounds=1, seconds=0.05, callers=(2,))

    assert [(cell.store, cell.kind) for cell in cells] == [
        ("sqlite", "enforced"),
        ("sqlite", "bare"),
        ("postgresql", "enforced"),
        ("postgresql", "bare"),
    ]
    assert all(tally.calls > 0 and tally.failed == 0 for cell in cells for tally in cell.tallies)
