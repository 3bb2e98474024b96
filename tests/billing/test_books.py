"""The books on a SQLite file: made once, kept afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import anyio

from billing import catalog
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.testing import Answer, caller
from tests.billing.books import line, order

_CLERK = caller("clerk@acme", scopes=["quotes:write", "invoices:read"])


async def _call(store: str, tool: str, arguments: Mapping[str, object]) -> Answer:
    """One call in a process of its own, as far as the store can tell."""
    async with open_service(catalog.build(), store) as service:
        return Answer(await service.call(Call(tool=tool, arguments=arguments, caller=_CLERK)))


def test_opening_the_books_again_adds_nothing_and_loses_nothing(tmp_path: Path) -> None:
    """B17: seeded once; numbers of quotes go on where they ended."""
    store = f"sqlite:///{tmp_path / 'billing.db'}"
    first = anyio.run(_call, store, "quote_create", order())
    second = anyio.run(_call, store, "quote_create", order(line(price=3_000)))
    page = anyio.run(_call, store, "invoice_list", {"limit": 2})

    assert [answer.structured["quote_id"] for answer in (first, second)] == ["Q-000001", "Q-000002"]
    assert [item["invoice_reference"] for item in page.structured["items"]] == ["INV-2026-0031", "INV-2026-0032"]
