"""What belongs to somebody else and what belongs to nobody: one answer, for every id that a tool takes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from billing import catalog
from fourfold.edge.translate import answer as on_the_wire
from fourfold.testing import Answer
from tests.confusion.calls import Desk, call_with, somebody_new, stranger_to
from tests.confusion.ids import BOUND_TO_PRINCIPAL, FREE, TAKES, at, chosen, made_up, with_at
from tests.confusion.over_store import StoreKit

_PLACES = [(tool, place) for tool, places in TAKES.items() for place in places]
_COLLEAGUES = [(tool, place) for tool, place in _PLACES if TAKES[tool][place] in BOUND_TO_PRINCIPAL]
_ASKED_BY = [*((*each, "globex") for each in _PLACES), *((*each, "acme") for each in _COLLEAGUES)]

_CASES = [
    (tool, place, tenant, around)
    for tool, place, tenant in _ASKED_BY
    for around in ("theirs", "own")
    # An order for one's own account has one key in it; alone, an id has nothing around it.
    if around == "theirs" or (place != "idempotency_key" and len(TAKES[tool]) > 1)
]
"""Tool, place of the id, the tenant of whoever asks, and whether the rest of the call is the owner's or its own."""

_PER_CALL = re.compile(r"\b(?:op|ref|run|plan)_[0-9a-zA-Z]+")
_NUMBERED = re.compile(r"\b(?:C|CN-\d{4}|DRAFT|INV-\d{4}|Q)-\d+\b|(?:left_minor|invoice_version)\W+\d+")


@pytest.mark.parametrize(("tool", "place", "tenant", "around"), _CASES)
def test_a_foreign_id_is_answered_like_a_made_up_one(
    books: StoreKit, tool: str, place: str, *, tenant: str, around: str
) -> None:
    """B18, B10, C9: byte for byte, in its owner's call and in one of the asker's own; nothing of the owner's moves."""
    owner = somebody_new(books)
    asker = stranger_to(owner, tenant)
    kind, good = TAKES[tool][place], call_with(place, tool, desk=owner)
    real = at(good, place)
    nobodys = made_up(kind, real, books)
    call = good if around == "theirs" else call_with(place, tool, desk=asker)
    before = _owned(owner, good)
    written = books.writes

    foreign = asker.call(tool, with_at(call, place, real))
    # Two keys of one caller with the same arguments are pointed out, as they should be.
    absent = (stranger_to(somebody_new(books), tenant) if kind == "key" else asker).call(
        tool, with_at(call, place, nobodys)
    )

    assert _told(foreign, tool, real) == _told(absent, tool, nobodys)
    # What a colleague's own key did is in the books of both.
    assert _owned(owner, good) == before or (tenant == "acme" and foreign.ok)
    assert foreign.ok or books.writes == written
    # What was compared is a real id: its owner gets something else for it.
    assert _told(owner.call(tool, with_at(good, place, nobodys)), tool) != _told(owner.call(tool, good), tool)


def test_a_cursor_is_of_one_tool_and_one_search(books: StoreKit) -> None:
    """B10, C9: one's own, and good where it comes from; a list that pages alike does not take it."""
    desk = somebody_new(books)
    pages = {tool: call_with("cursor", tool, desk=desk) for tool, places in TAKES.items() if "cursor" in places}
    crossed = [
        desk.call(tool, {**page, "cursor": other["cursor"]})
        for tool, page in pages.items()
        for other in pages.values()
        if other is not page
    ]
    elsewhere = desk.call("customer_find", {**pages["customer_find"], "query": "rb"})

    assert {(answer.code, answer.writes) for answer in (*crossed, elsewhere)} == {("cursor_invalid", 0)}
    assert all(desk.call(tool, page).ok for tool, page in pages.items())


def test_every_argument_of_somebodys_choice_is_an_id_or_free() -> None:
    """B18: a new argument has to be looked at before this passes, and then it is in the test above."""
    names = {place.rpartition(".")[2] for _, place in chosen()}
    found = {(tool, place) for tool, place in chosen() if place.rpartition(".")[2] not in FREE}

    assert names >= FREE
    assert found == {(tool, place) for tool, places in TAKES.items() for place in places}
    assert set(TAKES) == set(catalog.build().tools)


def _told(answer: Answer, tool: str, asked: str = "") -> str:
    """All that an answer says, without the ids that every call has its own of, and without what was asked."""
    said = on_the_wire(answer.outcome).model_dump_json(by_alias=True)
    said = said.replace(asked, "") if asked else said
    if answer.ok and catalog.build().tools[tool].contract.effect.writes:
        # What the asker made itself has the next number, and leaves the less behind the more it took.
        said = _NUMBERED.sub("", said)
    return _PER_CALL.sub("", said)


def _owned(owner: Desk, good: dict[str, Any]) -> list[Any]:
    """What the owner reads of its books."""
    reference = good.get("invoice_reference", "INV-2026-0010")
    return [
        owner.call("invoice_get", {"invoice_reference": reference}).structured,
        owner.call("payment_list", {"invoice_reference": "INV-2026-0010"}).structured,
        owner.call("customer_find", {"query": "customer"}).structured,
        owner.call("operation_status", {"operation_id": good.get("operation_id", "op_00000000")}).structured,
    ]
