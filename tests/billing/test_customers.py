"""`customer_create` and `customer_find`: who invoices are made out to."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Answer, Kit
from tests.billing.books import GLOBEX, draft

_NEW = {"name": "Ferretería Núñez", "client_location": "peninsula", "tax_number": "B87654323"}
_KEY = "a-new-customer-of-acme"


def _references(answer: Answer) -> list[str]:
    return [item["customer_reference"] for item in answer.structured["items"]]


def test_a_new_customer_gets_the_next_reference(kit: Kit) -> None:
    """C3: there are six; one write for the customer and one for the counter."""
    answer = kit.call("customer_create", _NEW)

    assert answer.structured == {
        "customer_reference": "C-000007",
        "name": "Ferretería Núñez",
        "client_location": "peninsula",
    }
    assert answer.writes == 2
    assert kit.runs()[0].subject == "C-000007"


def test_a_new_customer_can_be_found_and_billed(kit: Kit) -> None:
    """C3: found without case and accents, by the reference, and by the tax number."""
    kit.call("customer_create", _NEW)

    for query in ("ferreteria nunez", "C-000007", "c-000007", "B87654323"):
        assert _references(kit.call("customer_find", {"query": query})) == ["C-000007"]
    assert kit.call("invoice_create", draft(customer="C-000007")).structured["customer_name"] == "Ferretería Núñez"


def test_the_same_key_makes_one_customer(kit: Kit) -> None:
    """B9: the second answer is the first one."""
    first, second = (kit.call("customer_create", _NEW, key=_KEY) for _ in range(2))

    assert (second.structured, second.replayed, second.writes) == (first.structured, True, 0)


def test_one_tax_number_is_one_customer(kit: Kit) -> None:
    """A4: a rule of the books, and the answer names who has it."""
    kit.call("customer_create", _NEW)
    answer = kit.call("customer_create", {**_NEW, "name": "F. Núñez"})

    assert (answer.code, answer.writes) == ("customer_exists", 0)
    assert answer.fault is not None
    assert answer.fault.message == "The customer with that tax number is C-000007"


def test_another_tenants_customer_is_no_customer_here(kit: Kit) -> None:
    """B18: the tax number of acme's Papelería Sol is free in globex, where nobody finds it either."""
    sol = {"name": "Papelería Sol", "client_location": "peninsula", "tax_number": "B28123451"}

    assert _references(kit.call("customer_find", {"query": "papeleria"}, by=GLOBEX)) == []
    assert kit.call("customer_create", sol, by=GLOBEX).structured["customer_reference"] == "C-000003"
    assert kit.call("customer_create", sol).code == "customer_exists"


def test_customers_without_a_tax_number_are_outside_the_eu(kit: Kit) -> None:
    """A2, C3: what is charged in the EU hangs on it; two without one are two customers."""
    missing = kit.call("customer_create", {"name": "Norte", "client_location": "eu"})
    abroad = [kit.call("customer_create", {"name": name, "client_location": "world"}) for name in ("Ost AG", "West AG")]

    assert (missing.kind, missing.paths, missing.problems[0].code) == ("invalid", ["tax_number"], "missing_argument")
    assert [answer.structured["customer_reference"] for answer in abroad] == ["C-000007", "C-000008"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": None}, "name"),
        ({"client_location": "spain"}, "client_location"),
        ({"client_location": "Peninsula"}, "client_location"),
        ({"tax_number": "B-87654323"}, "tax_number"),
        ({"tax_number": "B８７６５４３２３"}, "tax_number"),
        ({"tax_number": 87_654_323}, "tax_number"),
        ({"tenant": "globex"}, "tenant"),
        ({"account_id": "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"}, "account_id"),
    ],
)
def test_what_is_no_customer_is_refused_by_its_path(kit: Kit, changes: dict[str, Any], path: str) -> None:
    """A2, C1, B18: nothing reached the books."""
    answer = kit.call("customer_create", {**_NEW, **changes})

    assert (answer.kind, answer.paths, answer.writes) == ("invalid", [path], 0)


def test_a_list_of_customers_goes_on_where_it_ended(kit: Kit) -> None:
    """B17, B10: bounded, and by reference; wildcards of the database are letters here."""
    first = kit.call("customer_find", {"query": "harbour", "limit": 1})
    second = kit.call("customer_find", {"query": "harbour", "limit": 1, "cursor": first.structured["next_cursor"]})

    assert (_references(first), _references(second)) == (["C-000003"], ["C-000004"])
    assert not second.structured["has_more"]
    assert _references(kit.call("customer_find", {"query": "%%"})) == []
