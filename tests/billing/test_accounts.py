"""`account_find`: the way from what users say to an account_id."""

from __future__ import annotations

import pytest

from fourfold.testing import Answer, Kit
from tests.billing.books import ACCOUNT, GLOBEX, arrange


def _names(answer: Answer) -> list[str]:
    return [item["name"] for item in answer.structured["items"]]


def test_an_account_is_found_by_part_of_its_name(kit: Kit) -> None:
    """B3: the id that the quote tools take, with what a person recognises it by."""
    answer = kit.call("account_find", {"query": "nordic"})

    assert answer.structured == {
        "items": [{"account_id": ACCOUNT, "account_reference": "ACC-1001", "name": "Nordic Outfitters"}],
        "returned": 1,
        "has_more": False,
    }


@pytest.mark.parametrize(
    "query", ["Café Müller", "cafe muller", "CAFÉ", "Cafe\u0301 Mu\u0308ller", "acc-1002", " muller "]
)
def test_case_accents_and_spaces_do_not_matter(kit: Kit, query: str) -> None:
    """B2: an identifier as users type it."""
    assert _names(kit.call("account_find", {"query": query})) == ["Café Müller"]


def test_near_neighbours_are_both_returned(kit: Kit) -> None:
    """B3: the model asks which one; the tool does not guess."""
    assert _names(kit.call("account_find", {"query": "harbour"})) == ["Harbour Supplies", "Harbour Supplies North"]


@pytest.mark.parametrize("query", ["%%", "__", "acc-", "Orchard", "'; --", "nobody"])
def test_what_matches_nothing_is_an_empty_page(kit: Kit, query: str) -> None:
    """B18: wildcards are text, part of a reference is none, and another tenant's accounts are not there."""
    assert kit.call("account_find", {"query": query}).structured == {"items": [], "returned": 0, "has_more": False}


def test_one_reference_is_another_account_in_each_tenant(kit: Kit) -> None:
    """B18: the tenant stands in the predicate."""
    assert _names(kit.call("account_find", {"query": "ACC-1001"})) == ["Nordic Outfitters"]
    assert _names(kit.call("account_find", {"query": "ACC-1001"}, by=GLOBEX)) == ["Orchard Street Clinic"]


def test_many_matches_come_in_pages(kit: Kit) -> None:
    """B3, B10: at most 20, by reference."""
    for number in range(45):
        sql = "INSERT INTO account VALUES ('acme', ?, ?, 'Branch', 'branch', 0, 0, 0)"
        arrange(kit, sql, (f"{number:08}-0000-4000-8000-000000000000", f"ACC-{3_000 + number}"))

    first = kit.call("account_find", {"query": "branch"})
    second = kit.call("account_find", {"query": "branch", "cursor": first.structured["next_cursor"]})
    third = kit.call("account_find", {"query": "branch", "cursor": second.structured["next_cursor"]})

    pages = [page.structured for page in (first, second, third)]
    assert [page["returned"] for page in pages] == [20, 20, 5]
    assert [page["has_more"] for page in pages] == [True, True, False]
    found = [item["account_reference"] for page in pages for item in page["items"]]
    assert found == [f"ACC-{3_000 + number}" for number in range(45)]


@pytest.mark.parametrize(
    "arguments", [{}, {"query": "x"}, {"query": "x" * 81}, {"query": ["nordic"]}, {"name": "nordic"}]
)
def test_a_search_without_usable_text_is_refused(kit: Kit, arguments: dict[str, object]) -> None:
    """A2, C1: 2 to 80 characters under the name that the schema gives."""
    answer = kit.call("account_find", arguments)

    assert answer.kind == "invalid"
    assert "query" in answer.paths
