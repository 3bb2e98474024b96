"""A failed call of a served catalog becomes a regression case with one command, and pytest runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.interaction.serving import ROOT, Served, serving

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
NOBODY = "00000000-0000-4000-8000-000000000000"
SCOPES = "accounts:read quotes:read quotes:write"
ORDER = {"account_id": ACCOUNT, "currency": "EUR"}
LINE = {"sku": "ABC-1234", "quantity": 2, "unit_price_minor": 3_000}

CASES: list[tuple[str, str, str, dict[str, Any], str]] = [
    ("clerk", "quote_preview", "unknown_sku", {**ORDER, "lines": [{**LINE, "sku": "ZZZ-0000"}]}, "quotes.py"),
    (
        "clerk",
        "quote_create",
        "price_below_hard_floor",
        {**ORDER, "lines": [{**LINE, "unit_price_minor": 1}]},
        "quotes.py",
    ),
    (
        "clerk",
        "quote_create",
        "unknown_account",
        {**ORDER, "account_id": NOBODY, "lines": [LINE]},
        "accounts.py",
    ),
]
"""Who calls what, with which code it is answered, and the module that declares the fault."""


@pytest.fixture
def anyio_backend() -> str:
    """The client runs on asyncio."""
    return "asyncio"


@pytest.fixture
def billing(tmp_path: Path) -> Generator[Served]:
    """The billing server, with a clerk and with somebody who may only look."""
    callers = (("clerk", "acme", SCOPES), ("reader", "acme", "quotes:read"))
    with serving("billing:catalog", tmp_path, *callers) as served:
        yield served


async def answered(billing: Served, caller: str, tool: str, *, sent: dict[str, Any]) -> str:
    """The text of the answer to one call over HTTP."""
    async with billing.client(caller, transport="http") as client:
        result = await client.call_tool(tool, sent)
    return str(getattr(result.content[0], "text", ""))


def to_test(billing: Served, *words: str) -> str:
    """What `fourfold runs to-test` prints."""
    command = [sys.executable, "-m", "fourfold.cli", "runs", "to-test", *words, "billing:catalog"]
    done = subprocess.run(
        [*command, "--store", billing.store], capture_output=True, text=True, check=False, cwd=billing.folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def outcome_of(folder: Path, *, catalog: Path) -> str:
    """The cases in `folder`, run by a pytest of their own against the catalog in that folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(catalog), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder.parent)
    return done.stdout


def changed(billing: Served, module: str, code: str) -> Path:
    """A copy of the billing catalog whose fault has another code."""
    copy = billing.folder / "changed"
    shutil.copytree(ROOT / "examples/billing/src/billing", copy / "billing")
    path = copy / "billing" / module
    before = path.read_text("utf-8")
    assert f'"{code}"' in before
    path.write_text(before.replace(f'"{code}"', '"another_code"'), "utf-8")
    return copy


@pytest.mark.anyio
@pytest.mark.parametrize(("caller", "tool", "code", "sent", "module"), CASES)
async def test_a_refusal_becomes_a_case_with_one_command(
    billing: Served, caller: str, tool: str, *, code: str, sent: dict[str, Any], module: str
) -> None:
    """D7: it passes as it is on the server that refused, and fails once another fault answers."""
    assert (await answered(billing, caller, tool, sent=sent)).startswith(f"{code}: ")

    printed = to_test(billing, "--failed", "--tool", tool)

    assert printed == f"tests/test_{tool}_{code}.py written; it runs as it is\n"
    cases = billing.folder / "tests"
    assert "1 passed" in outcome_of(cases, catalog=ROOT / "examples/billing/src")
    assert "1 failed" in outcome_of(cases, catalog=changed(billing, module, code))


@pytest.mark.anyio
async def test_several_failures_become_cases_at_once(billing: Served) -> None:
    """D7: what the arguments broke, what was denied, and an argument that does not exist; one of each kind."""
    lines = [LINE]
    await answered(billing, "clerk", "quote_preview", sent={**ORDER, "lines": [{**LINE, "quantity": "two"}]})
    await answered(billing, "clerk", "quote_preview", sent={**ORDER, "lines": lines, "secret_note": "hush-4711"})
    await answered(billing, "clerk", "quote_preview", sent={**ORDER, "account_id": NOBODY, "lines": lines})
    await answered(billing, "clerk", "quote_preview", sent={**ORDER, "lines": lines})

    printed = to_test(billing, "--failed", "--since", "1h")

    assert printed.splitlines() == [
        "tests/test_quote_preview_unknown_account.py written; it runs as it is",
        "tests/test_quote_preview_invalid_arguments.py written; it runs as it is",
    ]
    cases = billing.folder / "tests"
    text = (cases / "test_quote_preview_invalid_arguments.py").read_text("utf-8")
    assert "hush" not in text
    assert "# Of what no contract declares only the type is as it was: /secret_note." in text
    assert 'CALLER = caller(tenant="acme", scopes=["accounts:read", "quotes:read", "quotes:write"])' in text
    assert "2 passed" in outcome_of(cases, catalog=ROOT / "examples/billing/src")
