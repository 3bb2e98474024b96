"""The TypeScript SDKs, which share no code with ours, against the fixture server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
STDIO = [sys.executable, "-m", "tests.conformance.fixture_server", "stdio"]
SIMPLE = "This is a simple text response for testing."
REVISIONS = {"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"}


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("mode", REVISIONS)
def test_the_typescript_client_v2_lists_calls_and_answers_a_question(
    *, node: str, fixture_url: str, transport: str, mode: str
) -> None:
    """B9, B8: the client of both eras, over both transports; a question needs the era that can carry one."""
    asking = [] if mode == "legacy" else ["test_input_required_result_elicitation"]
    names = ["test_simple_text", *asking]

    report = _run(node, "client_v2.mjs", {"mode": mode, "calls": _calls(names), **_target(transport, fixture_url)})

    assert (report["revision"], len(report["tools"])) == (REVISIONS[mode], 24)
    assert [answer["texts"] for answer in report["answers"]] == [[SIMPLE], ["Hello, Ada!"]][: len(names)]


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_the_typescript_client_v1_lists_and_calls(node: str, fixture_url: str, transport: str) -> None:
    """B9: the client that knows only the handshake."""
    report = _run(node, "client_v1.mjs", {"calls": _calls(["test_simple_text"]), **_target(transport, fixture_url)})

    assert (report["revision"], len(report["tools"])) == ("2025-11-25", 24)
    assert report["answers"][0]["texts"] == [SIMPLE]


def _calls(names: list[str]) -> list[tuple[str, dict[str, Any]]]:
    return [(name, {}) for name in names]


def _target(transport: str, url: str) -> dict[str, Any]:
    return {"url": url, "headers": {}} if transport == "http" else {"command": STDIO, "env": dict(os.environ)}


def _run(node: str, script: str, order: dict[str, Any]) -> Any:
    command = [node, str(HERE / script), json.dumps(order)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=HERE.parents[1])
    return json.loads(run.stdout)
