"""What tests of the stages share: asyncio, and a kit of the desk."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from fourfold.testing import Kit, open_kit
from tests.stages.desk import desk


@pytest.fixture
def anyio_backend() -> str:
    """The backend of async tests."""
    return "asyncio"


@pytest.fixture
def kit() -> Generator[Kit]:
    """The desk on an empty store."""
    with open_kit(desk()) as opened:
        yield opened
