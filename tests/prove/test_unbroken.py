"""The billing server as it is, proved whole over the wire under three seeds; `scripts/soak proving` has twenty."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.prove.mutants.bench import UNBROKEN, Bench, bench


@pytest.fixture(scope="module")
def place() -> Generator[Bench]:
    """One copy of the sources for all seeds."""
    with bench() as made:
        yield made


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_server_as_it_is_fails_in_nothing(place: Bench, seed: int) -> None:
    """B12, C9: whatever the seed; `scripts/soak proving` takes twenty."""
    found = place.proved(UNBROKEN, seed=seed)

    assert found["failed"] == []
    assert len(found["passed"]) > 400
