"""The billing server on PostgreSQL: the same tools, the same books, the same answers."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from billing import catalog
from fourfold.bootstrap.service import KEYS_VARIABLE, open_service
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.stages.service import Service
from fourfold.testing import Answer
from tests.postgres.cluster import Cluster

pytestmark = pytest.mark.anyio

SCOPES = frozenset(scope for tool in catalog.build().tools.values() for scope in tool.contract.needs)
ACME = Caller(principal="clerk@acme", tenant="acme", scopes=SCOPES, name="clerk")
GLOBEX = Caller(principal="clerk@globex", tenant="globex", scopes=SCOPES, name="clerk")
ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
QUOTE: dict[str, Any] = {
    "account_id": ACCOUNT,
    "currency": "EUR",
    "lines": [{"sku": "ABC-1234", "quantity": 2, "unit_price_minor": 3_000}],
}


@pytest.fixture
def anyio_backend() -> str:
    """The backend of async tests."""
    return "asyncio"


@asynccontextmanager
async def serving(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Service]:
    """Billing on a database of its own."""
    monkeypatch.setenv(KEYS_VARIABLE, f"k1:{base64.b64encode(b'k' * 32).decode()}")
    async with open_service(catalog.build(), postgres.store()) as service:
        yield service


async def call(
    service: Service, tool: str, arguments: dict[str, Any], *, by: Caller = ACME, key: str | None = None
) -> Answer:
    """One call."""
    return Answer(await service.call(Call(tool=tool, arguments=arguments, caller=by, meta_key=key)))


async def test_quotes_are_made_once_and_asked_for_by_sql(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """D1, A13, B18: thirty callers of one key, one quote; the ledger sees it in its tenant and in no other."""
    async with serving(postgres, monkeypatch) as service:
        answers: list[Answer] = []

        async def one() -> None:
            answers.append(await call(service, "quote_create", QUOTE, key="one-key-of-thirty-callers"))

        async with anyio.create_task_group() as tasks:
            for _ in range(30):
                tasks.start_soon(one)
        later = await call(service, "quote_create", QUOTE, key="one-key-of-thirty-callers")
        asked = {"sql": "SELECT quote_id, currency, total_minor FROM quotes"}
        mine = await call(service, "ledger_query", asked)
        theirs = await call(service, "ledger_query", asked, by=GLOBEX)

        assert {answer.code for answer in answers} <= {"", "in_progress", "too_busy"}
        assert (later.replayed, mine.structured["rows"]) == (True, [["Q-000001", "EUR", 6000]])
        assert theirs.structured["rows"] == []


async def test_a_draft_is_finalized_once_with_a_gapless_number(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C3, C5, C8: concurrent finalizes of one version make one invoice; the order of things is the same here."""
    async with serving(postgres, monkeypatch) as service:
        drafts = [await _draft(service) for _ in range(3)]
        early = await call(
            service, "credit_note_create", {**_CREDIT, "invoice_reference": drafts[0]}, key="credit-too-early-01"
        )
        answers: list[Answer] = []

        async def finalize(reference: str) -> None:
            arguments = {"invoice_reference": reference, "expected_version": "1"}
            answers.append(await call(service, "invoice_finalize", arguments))

        async with anyio.create_task_group() as tasks:
            for reference in drafts * 3:
                tasks.start_soon(finalize, reference)
        numbers = sorted(answer.structured["invoice_reference"] for answer in answers if answer.ok)

        assert early.code == "wrong_state"
        assert len(numbers) == 3
        first = int(numbers[0].rsplit("-", 1)[1])
        assert [int(number.rsplit("-", 1)[1]) for number in numbers] == [first, first + 1, first + 2]


async def _draft(service: Service) -> str:
    line = {"description": "Work", "quantity": "1", "unit_price": "100.00", "tax_rate": "general"}
    arguments = {
        "customer_reference": "C-000001",
        "currency": "EUR",
        "operation_type": "service",
        "due_on": "2027-01-31",
        "lines": [line],
    }
    answer = await call(service, "invoice_create", arguments, key=f"draft-{len(_DRAFTS):016}")
    _DRAFTS.append(answer)
    assert answer.ok, answer
    return str(answer.structured["invoice_reference"])


_DRAFTS: list[Answer] = []
_CREDIT: dict[str, Any] = {"amount_minor": 100, "currency": "EUR", "reason": "Returned"}
