"""The billing server as a client meets it: both transports, both eras, concurrency, repeats, and nothing leaked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp_types import CallToolResult

from tests.interaction.serving import ERAS, Served, serving
from tests.stores.breaking import outside

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
SCOPES = (
    "accounts:read quotes:read quotes:write customers:read customers:write invoices:read invoices:send invoices:write "
    "ledger:read payments:read payments:refund threads:read"
)
TOOLS = [
    "account_find",
    "credit_note_create",
    "customer_create",
    "customer_find",
    "invoice_create",
    "invoice_execute_delete_draft",
    "invoice_execute_send",
    "invoice_finalize",
    "invoice_get",
    "invoice_list",
    "invoice_plan_delete_draft",
    "invoice_plan_send",
    "invoice_update_draft",
    "ledger_query",
    "operation_status",
    "payment_execute_refund",
    "payment_list",
    "payment_plan_refund",
    "quote_create",
    "quote_preview",
    "revenue_report",
    "thread_summarize",
]
BOTH = pytest.mark.parametrize("transport", ["http", "stdio"])


@pytest.fixture
def billing(tmp_path: Path) -> Generator[Served]:
    """The billing server with a clerk in each tenant."""
    with serving("billing:catalog", tmp_path, ("clerk", "acme", SCOPES), ("other", "globex", SCOPES)) as served:
        yield served


def order(quantity: int = 3, **changes: Any) -> dict[str, Any]:
    """Arguments of quote_create."""
    line = {"sku": "ABC-1234", "quantity": quantity, "unit_price_minor": 2_500}
    return {"account_id": ACCOUNT, "currency": "EUR", "lines": [line], **changes}


def text_of(result: CallToolResult) -> str:
    """The first text block."""
    return str(getattr(result.content[0], "text", ""))


def fault_of(result: CallToolResult) -> dict[str, Any]:
    """What stands in `_meta["fourfold/fault"]`."""
    return dict((result.meta or {})["fourfold/fault"])


def quotes(billing: Served) -> int:
    """Quotes in the store."""
    return outside(billing.folder / "store.db", "SELECT count(*) FROM quote")[0][0]


@pytest.mark.anyio
@BOTH
@pytest.mark.parametrize("mode", ERAS)
async def test_the_articles_quote_comes_out_as_the_article_says(billing: Served, transport: str, mode: str) -> None:
    """A6, A5, B9, B3: a short text, the structured object, no error, one write."""
    async with billing.client("clerk", transport=transport, mode=mode) as client:
        listed = sorted(tool.name for tool in (await client.list_tools()).tools)
        result = await client.call_tool("quote_create", order())
    assert listed == TOOLS
    assert (result.is_error, text_of(result)) == (False, "quote Q-000001 created: 7500 minor units of EUR")
    expected = {"quote_id": "Q-000001", "currency": "EUR", "total_minor": 7500, "flags": ["below_floor"]}
    assert (result.structured_content, quotes(billing)) == (expected, 1)


@pytest.mark.anyio
@BOTH
@pytest.mark.parametrize("mode", ERAS)
async def test_a_wrong_sku_is_answered_with_its_path_and_nothing_is_written(
    billing: Served, transport: str, mode: str
) -> None:
    """A2, A4, A5, B6: an error result with the code first, problems in `_meta`, no structured content, zero writes."""
    line = {"sku": "ab-1", "quantity": 1, "unit_price_minor": 100}
    async with billing.client("clerk", transport=transport, mode=mode) as client:
        result = await client.call_tool("quote_create", order(lines=[line]))
    assert (result.is_error, result.structured_content, quotes(billing)) == (True, None, 0)
    assert text_of(result).startswith("invalid_arguments: ")
    assert [problem["path"] for problem in fault_of(result)["problems"]] == ["lines.0.sku"]
    assert "ab-1" not in repr(result.model_dump())


@pytest.mark.anyio
@BOTH
async def test_a_repeat_with_the_key_is_the_same_answer_and_a_twin_without_is_told_apart(
    billing: Served, transport: str
) -> None:
    """D1, B7: replayed with the original run; a keyless twin is named; a new key is a second quote."""
    async with billing.client("clerk", transport=transport) as client:
        first, again = [
            await client.call_tool("quote_create", order(idempotency_key="order-4711-attempt")) for _ in range(2)
        ]
        twin = await client.call_tool("quote_create", order())
        second = await client.call_tool("quote_create", order(idempotency_key="order-4712-attempt"))
        conflict = await client.call_tool("quote_create", order(7, idempotency_key="order-4711-attempt"))
    assert first.structured_content == again.structured_content
    assert first.content == again.content
    assert ((again.meta or {})["fourfold/replayed"], (again.meta or {})["fourfold/run"]) == (
        True,
        (first.meta or {})["fourfold/run"],
    )
    assert (fault_of(twin)["code"], fault_of(twin)["operation_id"]) == (
        "possible_duplicate",
        (first.meta or {})["fourfold/operation"],
    )
    assert (second.structured_content or {})["quote_id"] == "Q-000002"
    assert (second.meta or {})["fourfold/possibleDuplicateOf"] == (first.meta or {})["fourfold/operation"]
    assert (fault_of(conflict)["code"], quotes(billing)) == ("idempotency_conflict", 2)


@pytest.mark.anyio
async def test_30_concurrent_callers_of_one_key_make_one_quote(billing: Served) -> None:
    """D1: thirty clients at once over HTTP, one quote, thirty equal answers."""
    answers: list[Any] = []

    async def one() -> None:
        async with billing.client("clerk", transport="http") as client:
            result = await client.call_tool("quote_create", order(idempotency_key="thirty-at-once-0001"))
            answers.append(result.structured_content)

    async with anyio.create_task_group() as tasks:
        for _ in range(30):
            tasks.start_soon(one)
    assert (len(answers), [answer == answers[0] for answer in answers].count(True), quotes(billing)) == (30, 30, 1)


@pytest.mark.anyio
async def test_concurrent_keyless_twins_make_one_quote(billing: Served) -> None:
    """D1, MP-088: the client that sends each call twice gets one effect, and is told about the other."""
    codes: Counter[str] = Counter()

    async def one(client: Client) -> None:
        result = await client.call_tool("quote_create", order())
        codes[fault_of(result)["code"] if result.is_error else "done"] += 1

    async with billing.client("clerk", transport="http") as client, anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(one, client)
    assert (codes, quotes(billing)) == ({"done": 1, "possible_duplicate": 9}, 1)


@pytest.mark.anyio
@BOTH
async def test_another_tenants_object_and_a_made_up_one_get_the_same_bytes(billing: Served, transport: str) -> None:
    """B18, A5: the tenant stands in the predicate, so there is nothing to tell."""
    async with billing.client("other", transport=transport) as client:
        foreign = await client.call_tool("quote_create", order())
        made_up = await client.call_tool("quote_create", order(account_id=ACCOUNT[:-1] + "1"))
        theirs = await client.call_tool("invoice_list", {"status": "open"})
    assert (foreign.model_dump(), fault_of(foreign)["code"]) == (made_up.model_dump(), "unknown_account")
    assert "acme" not in repr(theirs.structured_content).lower()


@pytest.mark.anyio
async def test_every_call_leaves_a_run_with_its_account(billing: Served) -> None:
    """A9, A17: good, invalid and refused calls are recorded, with the account where it is known."""
    async with billing.client("clerk", transport="http") as client:
        await client.call_tool("quote_create", order())
        await client.call_tool("quote_create", order(currency="usd"))
        with pytest.raises(Exception, match="Unknown tool"):
            await client.call_tool("made_up", {})

    def recorded() -> list[tuple[Any, ...]]:
        sql = "SELECT outcome, code, subject, principal FROM fourfold_run ORDER BY at_ms, seq"
        return outside(billing.folder / "store.db", sql)

    with anyio.fail_after(10):
        while len(recorded()) < 3:
            await anyio.lowlevel.checkpoint()
    assert recorded() == [
        ("done", "", ACCOUNT, "clerk@acme"),
        ("invalid", "invalid_arguments", ACCOUNT, "clerk@acme"),
        ("refused", "unknown_tool", "unknown", "clerk@acme"),
    ]
