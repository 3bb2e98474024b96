"""`quote_preview`: the same answer as `quote_create`, and nothing saved."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Kit
from tests.billing.books import MADE_UP_ACCOUNT, OWING, line, order

_ORDERS: list[dict[str, Any]] = [
    order(),
    order(line(price=3_000), line("ABC-2000", quantity=12, price=11_000)),
    order(line(quantity=1, price=2_000_000), account=OWING, currency="CNY"),
    order(line(price=2_249)),
    order(line("ZZZ-9999")),
    order(line(quantity=1, price=10_000_001)),
    order(account=MADE_UP_ACCOUNT),
]


@pytest.mark.parametrize("arguments", _ORDERS)
def test_a_preview_answers_what_creating_would(kit: Kit, arguments: dict[str, Any]) -> None:
    """A6, B4: total, flags and faults come from the same rules."""
    preview = kit.call("quote_preview", arguments)
    created = kit.call("quote_create", arguments)

    assert preview.fault == created.fault
    assert preview.structured == {name: value for name, value in created.structured.items() if name != "quote_id"}


def test_a_preview_saves_nothing_and_may_be_repeated(kit: Kit) -> None:
    """B4: no write, no number taken, no duplicate."""
    answers = [kit.call("quote_preview", order()) for _ in range(3)]

    assert [answer.structured["total_minor"] for answer in answers] == [7_500] * 3
    assert kit.writes == 0
    assert kit.call("quote_create", order()).structured["quote_id"] == "Q-000001"


def test_a_preview_takes_no_idempotency_key(kit: Kit) -> None:
    """B4: what is not a write cannot be repeated by mistake."""
    answer = kit.call("quote_preview", {**order(), "idempotency_key": "0123456789abcdef"})

    assert answer.paths == ["idempotency_key"]
