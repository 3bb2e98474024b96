"""`operation_status`: an agent asks what became of a call instead of repeating it."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold import Catalog, Create, Read
from fourfold.errors import ContractError
from fourfold.testing import Kit, caller, open_kit
from tests.stages.bank import PAYMENT, Bank, banking
from tests.stages.desk import ACCOUNT, desk, one_tool, said

pytestmark = pytest.mark.anyio

HI: dict[str, Any] = {"account_id": ACCOUNT, "text": "hi"}


def status(kit: Kit, operation_id: str | None, **more: Any) -> Any:
    """What became of an operation."""
    return kit.call("operation_status", {"operation_id": operation_id or "none"}, **more)


def test_a_settled_operation_says_when_and_what_to_do(kit: Kit) -> None:
    """D1: of a success, and of a fault that was kept."""
    done = kit.call("note_add", HI)
    failed = kit.call("note_add", {**HI, "text": "closed"}, key="key-of-a-closed-file")

    assert status(kit, done.operation_id).structured == {
        "operation_id": done.operation_id,
        "tool": "note_add",
        "state": "done",
        "started_at": "2026-11-01T00:00:00Z",
        "settled_at": "2026-11-01T00:00:00Z",
        "next_step": "It happened. Repeat the call with the same idempotency_key for its result.",
    }
    assert status(kit, failed.operation_id).structured["state"] == "failed"


@pytest.mark.parametrize("by", [caller("another"), caller(tenant="globex")])
def test_an_operation_of_somebody_else_is_an_unknown_one(kit: Kit, by: Any) -> None:
    """B18: as one that was made up."""
    done = kit.call("note_add", HI)

    foreign, made_up = status(kit, done.operation_id, by=by), status(kit, "op_that_never_was", by=by)
    assert (foreign.code, foreign.fault) == ("unknown_operation", made_up.fault)


async def test_an_unknown_operation_is_called_unknown() -> None:
    """D1: and nothing is executed by asking."""
    bank = Bank(mood="loses answers")
    async with banking(bank, kind="blind") as served:
        lost = await served.call("refund_create", {"payment_id": PAYMENT}, key="key-of-a-lost-one")
        asked = await served.call("operation_status", {"operation_id": lost.operation_id})

        assert (asked.structured["state"], bank.requests) == ("unknown", 1)
        assert "settled_at" in asked.structured


def test_a_catalog_that_writes_nothing_needs_none() -> None:
    """B11: no tool without a use."""
    assert list(one_tool(said, Read()).build().tools) == ["note_add"]
    assert list(one_tool(said, Create()).build().tools) == ["note_add", "operation_status"]


def test_an_author_cannot_take_its_name() -> None:
    """B1: agents would ask the wrong tool."""
    catalog = Catalog("own", version="1")
    catalog.tool(
        name="operation_status",
        version="1.0",
        does="Says a word",
        use_when="a word is wanted",
        not_for="anything else",
        effect=Read(),
    )(said)

    with pytest.raises(ContractError, match="the framework adds a tool of that name"):
        catalog.build()


def test_its_toolsets_are_those_of_the_writes() -> None:
    """B11: where a write is served, so is the question about it."""
    tools = desk(toolsets={"writing"}).build().tools

    assert tools["operation_status"].contract.toolsets == {"writing"}


def test_a_tool_set_of_reads_only_does_not_serve_it() -> None:
    """B11: asking needs no write of one's own, but there is nothing to ask about."""
    with open_kit(desk(toolsets={"writing"})) as kit:
        assert kit.service.find(caller(), "operation_status") is not None
