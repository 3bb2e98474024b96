"""The TypeScript SDKs, which share no code with ours, against the fixture server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
STDIO = (sys.executable, "-m", "tests.conformance.fixture_server", "stdio")
SIMPLE = "This is a simple text response for testing."


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize(("mode", "asked"), [("auto", "Hello, Ada!"), ("2026-07-28", "Hello, Ada!"), ("legacy", None)])
def test_the_typescript_client_v2_lists_calls_and_answers_a_question(
    *, node: str, fixture_url: str, transport: str, mode: str, asked: str | None
) -> None:
    """B9, B8: the client of both eras, over both transports; a question needs the era that can carry one."""
    target = (fixture_url,) if transport == "http" else STDIO
    assert _run(node, "client_v2.mjs", mode, *target) == {"tools": 24, "simple": SIMPLE, "asked": asked}


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_the_typescript_client_v1_lists_and_calls(node: str, fixture_url: str, transport: str) -> None:
    """B9: the client that knows only the handshake."""
    target = (fixture_url,) if transport == "http" else STDIO
    assert _run(node, "client_v1.mjs", *target) == {"tools": 24, "simple": SIMPLE}


def _run(node: str, script: str, *arguments: str) -> Any:
    command = [node, str(HERE / script), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=HERE.parents[1])
    return json.loads(run.stdout)
