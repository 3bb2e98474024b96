"""The kit that the billing tests call through, and the payment gateway that refunds go to."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from billing import catalog
from fourfold.testing import Kit, open_kit
from tests.adapters.gateway import Gateway, running


@pytest.fixture
def kit() -> Iterator[Kit]:
    """The billing catalog on fresh books, on 1 November 2026."""
    with open_kit(catalog) as opened:
        yield opened


@pytest.fixture(scope="session")
def gateway_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """One gateway for all tests that need one."""
    with running(tmp_path_factory.mktemp("gateway") / "ledger.db") as gateway:
        yield gateway


@pytest.fixture
def gateway(gateway_process: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """It, as if it had just started, and named to the billing server."""
    gateway_process.forget()
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_URL", gateway_process.url)
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_TIMEOUT_MS", "300")
    return gateway_process
