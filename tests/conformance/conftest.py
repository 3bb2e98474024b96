"""The fixture server as a process, and Node 22 with the official tools from the locked packages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = HERE / "node_modules" / ".bin" / "node"


@pytest.fixture(scope="session")
def node() -> str:
    """Node 22, as the lock file pins it. Without it the tests here prove nothing, so they fail."""
    if not NODE.exists():
        pytest.fail(f"run: npm ci --ignore-scripts --no-audit --no-fund, in {HERE}")
    return str(NODE)


@pytest.fixture(scope="session")
def fixture_url() -> Generator[str]:
    """The URL of a fixture server of this test run, on a free port."""
    command = [sys.executable, "-m", "tests.conformance.fixture_server", "http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parents[1]) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            assert url.startswith("http://127.0.0.1:"), "the fixture server did not start"
            yield url
        finally:
            server.terminate()
            server.wait(timeout=30)
