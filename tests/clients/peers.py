"""Clients that share no code with ours, and what each of them shows a model: the facts behind `docs/clients.md`.

Each client has a driver, a program that carries out one order and prints a report. `test_clients.py` compares the
reports with what stands here, and `page.py` writes the page from it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.interaction.serving import ROOT

__all__ = ["PEERS", "Answer", "Peer", "Report", "carry_out", "locked_version"]

_DRIVERS = "tests/clients/drivers"
_NODE = "tests/conformance/node_modules/.bin/node"
_BOTH = {"auto": "2026-07-28", "legacy": "2025-11-25"}
_TEXT_AND_OBJECT = "the line, the object as JSON, the object itself"
_TEXT = "the line, the object as JSON"
_MARKED = "code, message and next step; marked as an error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One client. `modes` are its ways to agree on a revision, `success` and `fault` what its model is given.

    `dated` is the day on which `scripts/soak clients` last saw this, for those that `scripts/test` leaves out.
    """

    name: str
    package: str
    version: str
    lock: str
    driver: tuple[str, str]
    modes: Mapping[str, str]
    success: str
    fault: str
    dated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a client hands over for one call. `failed` is `None` where it does not tell errors from results."""

    texts: list[str]
    failed: bool | None
    object: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a driver prints."""

    version: str
    revision: str
    tools: list[str]
    answers: list[Answer]


PEERS = (
    Peer(
        name="Python SDK",
        package="mcp",
        version="2.3.0",
        lock="requirements/dev.txt",
        driver=(sys.executable, f"{_DRIVERS}/with_official_sdk.py"),
        modes=_BOTH,
        success=_TEXT_AND_OBJECT,
        fault=_MARKED,
    ),
    Peer(
        name="TypeScript SDK v2",
        package="@modelcontextprotocol/client",
        version="2.4.0",
        lock="tests/conformance/package-lock.json",
        driver=(_NODE, "tests/conformance/client_v2.mjs"),
        modes={"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"},
        success=_TEXT_AND_OBJECT,
        fault=_MARKED,
    ),
    Peer(
        name="TypeScript SDK v1",
        package="@modelcontextprotocol/sdk",
        version="1.32.2",
        lock="tests/conformance/package-lock.json",
        driver=(_NODE, "tests/conformance/client_v1.mjs"),
        modes={"": "2025-11-25"},
        success=_TEXT_AND_OBJECT,
        fault=_MARKED,
    ),
    Peer(
        name="OpenAI Agents SDK",
        package="openai-agents",
        version="0.24.0",
        lock="requirements/client-openai-agents.txt",
        driver=(".venv-client-openai-agents/bin/python", f"{_DRIVERS}/with_openai_agents.py"),
        modes={"": "2026-07-28"},
        success=_TEXT,
        fault="code, message and next step; looks like a result",
    ),
    Peer(
        name="Pydantic AI",
        package="pydantic-ai-slim",
        version="2.68.0",
        lock="requirements/client-pydantic-ai.txt",
        driver=(".venv-client-pydantic-ai/bin/python", f"{_DRIVERS}/with_pydantic_ai.py"),
        modes={"": "2026-07-28"},
        success="the object as JSON",
        fault="code, message and next step; marked as an error",
        dated="2026-11-30",
    ),
    Peer(
        name="LangChain MCP adapters",
        package="langchain-mcp-adapters",
        version="0.3.2",
        lock="requirements/client-langchain.txt",
        driver=(".venv-client-langchain/bin/python", f"{_DRIVERS}/with_langchain.py"),
        modes={"": "2025-11-25"},
        success=_TEXT,
        fault=_MARKED,
        dated="2026-11-30",
    ),
    Peer(
        name="MCP Inspector",
        package="@modelcontextprotocol/inspector",
        version="2.12.0",
        lock="tests/clients/inspector/package-lock.json",
        driver=(sys.executable, f"{_DRIVERS}/with_inspector.py"),
        modes={"modern": "2026-07-28", "legacy": "2025-11-25"},
        success=_TEXT_AND_OBJECT,
        fault=_MARKED,
        dated="2026-11-30",
    ),
)


def carry_out(peer: Peer, order: Mapping[str, Any]) -> Report:
    """Let the client carry out an order: `url` and `headers`, or `command` and `env`; `mode`; and the `calls`."""
    program, script = peer.driver
    assert (ROOT / program).exists(), f"{peer.name} is not installed; scripts/test or scripts/soak clients does that"
    command = [str(ROOT / program), str(ROOT / script), json.dumps(order)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    answers = [Answer(**answer) for answer in printed.pop("answers")]
    return Report(answers=answers, **printed)


def locked_version(peer: Peer) -> str:
    """The version that the peer's lock pins."""
    text = (ROOT / peer.lock).read_text("utf-8")
    if Path(peer.lock).suffix == ".json":
        return str(json.loads(text)["packages"][f"node_modules/{peer.package}"]["version"])
    found = re.search(rf"^{peer.package}(?:\[.*\])?==(\S+)", text, re.MULTILINE)
    assert found is not None
    return found[1]
