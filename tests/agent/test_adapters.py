"""The tools of a caller in real agent loops of others, with scripted models, against the billing server."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Generator
from typing import Any

import pytest

from fourfold.bootstrap.load import load_catalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.contracts.lock import lock_of, lock_text
from tests.interaction.serving import ROOT, Served, serving
from tests.stores.breaking import outside

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
SCOPES = "quotes:read quotes:write invoices:read invoices:write"
PACKAGES = [
    pytest.param(name, marks=pytest.mark.skipif(not ROOT.joinpath(f".venv-client-{name}").exists(), reason=reason))
    for name in ("openai-agents", "pydantic-ai")
    if (reason := f"not installed; scripts/setup --client {name} does that")
]


@pytest.fixture(scope="module")
def billing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The billing server with a clerk, and its lock beside it."""
    folder = tmp_path_factory.mktemp("billing")
    lock = lock_of(of_catalog(load_catalog("billing:catalog"), target="billing:catalog"))
    (folder / "fourfold.lock.json").write_text(lock_text(lock), encoding="utf-8")
    with serving("billing:catalog", folder, ("clerk", "acme", SCOPES)) as served:
        yield served


def order(sku: str = "ABC-1234", account_id: str = ACCOUNT) -> dict[str, Any]:
    """Arguments of quote_create."""
    return {
        "account_id": account_id,
        "currency": "EUR",
        "lines": [{"sku": sku, "quantity": 3, "unit_price_minor": 2_500}],
    }


def run(package: str, billing: Served, calls: list[tuple[str, Any]]) -> dict[str, Any]:
    """What the agent's model was shown and given, when it made these calls one after another."""
    lock = billing.folder / "fourfold.lock.json"
    told = {"url": billing.url, "token": "token-clerk", "lock": str(lock), "calls": calls}
    driver = f"tests/agent/drivers/with_{package.replace('-', '_')}.py"
    command = [ROOT / f".venv-client-{package}/bin/python", ROOT / driver, json.dumps(told)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def outcomes(package: str, *named: str) -> list[str]:
    """What is said about each call beside its text. The OpenAI Agents SDK knows nothing but the text."""
    return [*named] if package == "pydantic-ai" else ["" for _ in named]


def quotes(billing: Served) -> int:
    """Quotes in the store."""
    return outside(billing.folder / "store.db", "SELECT count(*) FROM quote")[0][0]


@pytest.mark.parametrize("package", PACKAGES)
def test_an_agent_corrects_its_arguments_and_gets_its_quote(package: str, billing: Served) -> None:
    """A4, A18: the model is told the path, calls again, and one quote is there; it never sees a key."""
    before = quotes(billing)

    found = run(package, billing, [("quote_create", order("ab-1")), ("quote_create", order())])
    first, second = found["seen"]

    assert sorted(found["tools"]) == ["invoice_execute_delete_draft", "quote_create", "quote_preview"]
    assert sorted(found["tools"]["quote_create"]["properties"]) == ["account_id", "currency", "lines"]
    assert "lines.0.sku: pattern_mismatch" in first[1]
    assert '"total_minor":7500' in second[1]
    assert (quotes(billing) - before, found["said"]) == (1, "That is all.")
    assert [first[0], second[0]] == outcomes(package, "retried", "success")


@pytest.mark.parametrize("package", PACKAGES)
def test_an_agent_is_told_to_report_a_rejection(package: str, billing: Served) -> None:
    """A4, A18: it is no retry, and the run goes on."""
    found = run(package, billing, [("quote_create", order(account_id=str(uuid.uuid4())))])
    (seen,) = found["seen"]

    assert seen[1].startswith("unknown_account: ")
    assert found["said"] == "That is all."
    assert [seen[0]] == outcomes(package, "failed")


@pytest.mark.parametrize("package", PACKAGES)
def test_an_agent_cannot_destroy_by_itself(package: str, billing: Served) -> None:
    """The caller stops it; the model reads why."""
    found = run(package, billing, [("invoice_execute_delete_draft", {"plan_id": "p" * 26, "digest": "d" * 64})])
    (seen,) = found["seen"]

    assert seen[1].startswith("consent_missing: This needs somebody's consent")
    assert found["said"] == "That is all."


@pytest.mark.parametrize("package", PACKAGES)
def test_an_agent_that_stays_wrong_does_not_end_the_run(package: str, billing: Served) -> None:
    """A4, A18: after one retry it is a failure that the model reports."""
    found = run(package, billing, [("quote_create", order("ab-1")), ("quote_create", order("ab-2"))])

    assert [each[1].count("lines.0.sku: pattern_mismatch") for each in found["seen"]] == [1, 1]
    assert found["said"] == "That is all."
    assert [each[0] for each in found["seen"]] == outcomes(package, "retried", "failed")


@pytest.mark.parametrize("package", PACKAGES[:1])
@pytest.mark.parametrize("text", ["not json", "[1]", '{"currency": "EUR", "currency": "USD"}'])
def test_arguments_that_are_no_object_go_back_to_the_model(package: str, text: str, billing: Served) -> None:
    """A4, A18: the OpenAI Agents SDK passes on the model's text as it is, and twice the same name means two things."""
    found = run(package, billing, [("quote_create", text)])

    assert found["seen"][0][1].startswith("invalid_arguments: The arguments are no JSON object.")
