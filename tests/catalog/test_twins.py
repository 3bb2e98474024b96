"""The rules between tools: twins by name, copies by description, long names, an empty catalog."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.catalog.declare import Catalog
from fourfold.errors import ContractError
from fourfold.model.contract import Waiver
from tests.contracts.declaring import Nothing, Ok, add_tool


def handler(request: Nothing) -> Ok:
    """What all the tools do."""
    return Ok(done=True)


def _catalog(*tools: dict[str, Any]) -> Catalog:
    catalog = Catalog("shop")
    for tool in tools:
        add_tool(catalog, handler, **tool)
    return catalog


def _problems(*tools: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        _catalog(*tools).build()
    except ContractError as error:
        return [(problem.rule, problem.where) for problem in error.problems]
    return []


FIND = {"name": "account_find", "does": "Finds an account by its name.", "use_when": "the user names a customer"}
LIST = {"name": "invoice_list", "does": "Lists open invoices.", "use_when": "the user asks what is unpaid"}


def test_tools_that_differ_build() -> None:
    """B1: in the order of their names."""
    assert _problems(FIND, LIST) == []
    assert list(_catalog(LIST, FIND).build().tools) == ["account_find", "invoice_list"]


def test_an_empty_catalog_is_refused() -> None:
    """B1: a forgotten import would look like a healthy server."""
    assert _problems() == [("empty_catalog", "shop")]


def test_a_name_is_declared_once() -> None:
    """B1: MP-023. Inside one server, the later tool never wins in silence."""
    assert _problems(FIND, {**LIST, "name": "account_find"}) == [("duplicate_name", "account_find")]


@pytest.mark.parametrize("name", ["account_flnd", "acc0unt_find", "accou_ntfind"])
def test_names_that_look_alike_are_refused(name: str) -> None:
    """B1: by people and by models; the later one is to be renamed."""
    assert _problems(FIND, {**LIST, "name": name}) == [("alike_name", name)]


def test_near_copies_of_a_description_are_refused() -> None:
    """B1, C2: the same words in another order; one that differs in a third of them is none."""
    copy = {"name": "customer_find", "does": "By its name, finds an account.", "use_when": "the user names a customer"}
    other = {**copy, "does": "Finds an account by its tax number.", "use_when": "the user quotes an invoice"}

    assert _problems(FIND, copy) == [("near_copy", "customer_find")]
    assert _problems(FIND, other) == []


def test_a_comparison_is_waived_by_the_later_tool() -> None:
    """B1, C2: the rule guesses, a person may know better; unneeded, the waiver is a problem."""
    waiver = Waiver(rule="near_copy", where="customer_find", reason="the old name stays for a year")
    copy = {**FIND, "name": "customer_find", "waivers": [waiver]}

    assert _problems(FIND, copy) == []
    assert _problems(FIND, {**LIST, "waivers": [waiver]}) == [("unused_waiver", "invoice_list")]


def test_a_name_that_is_long_with_the_servers_in_front_is_a_warning() -> None:
    """B1: MP-020. Alone it fits; clients put the server's name before it, each in its own form."""
    catalog = Catalog("acme_billing-cost-management-mcp-server")
    add_tool(catalog, handler, name="cost_get")
    add_tool(catalog, handler, **{**LIST, "name": "usage_comparisons_list"})
    (warning,) = catalog.build().warnings

    assert (warning.rule, warning.where, warning.severity) == ("long_name", "usage_comparisons_list", "warning")
    assert warning.what == (
        "as mcp__acme_billing-cost-management-mcp-server__usage_comparisons_list the name is over 64 characters"
    )


def test_short_descriptions_are_not_compared() -> None:
    """C2: three words in common say nothing, and they are refused for being short anyway."""
    short: dict[str, Any] = {"does": "Get it", "use_when": "get it"}

    assert _problems({**FIND, **short}, {**LIST, **short}) == []
