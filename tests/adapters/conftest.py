"""What tests of the adapters share: asyncio."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The backend of async tests."""
    return "asyncio"
