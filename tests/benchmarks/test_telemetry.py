"""The benchmark of telemetry runs. What it costs is not judged here."""

from __future__ import annotations

import pytest

from benchmarks.telemetry import measure

pytestmark = pytest.mark.serial


def test_each_operation_is_measured_with_and_without() -> None:
    """A ratio needs both; a run that is far too short to say anything."""
    taken = measure(rounds=1, seconds=0.01)

    modes = {"nothing", "metrics", "a tenth of the traces", "everything"}
    assert {operation: {*costs} for operation, costs in taken.items()} == {
        "quote_preview": modes,
        "invoice_list": modes,
    }
    assert all(cost > 0 for costs in taken.values() for numbers in costs.values() for cost in numbers)
