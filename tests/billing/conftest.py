"""The kit that the billing tests call through."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from billing import catalog
from fourfold.testing import Kit, open_kit


@pytest.fixture
def kit() -> Iterator[Kit]:
    """The billing catalog on fresh books, on 1 November 2026."""
    with open_kit(catalog) as opened:
        yield opened
