"""Names of tools, beyond the examples of the rules' pages: what must fire, and what must not."""

from __future__ import annotations

import pytest

from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from tests.review.examples import findings


def tool(name: str, description: str = "") -> JsonObject:
    """A tool without arguments."""
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}}


def found(rule: str, *tools: JsonObject) -> list[Finding]:
    """What one rule finds in a catalog."""
    return findings({"tools": [*tools]}, rule)


def places(rule: str, *tools: JsonObject) -> list[tuple[str, str]]:
    """Where one rule finds something, as tool and pointer."""
    return [(finding.tool, finding.pointer) for finding in found(rule, *tools)]


def test_a_name_that_is_listed_three_times_is_found_twice() -> None:
    """A10: each later tool, with the first one as its pair."""
    assert [finding.message for finding in found("FF105", tool("a"), tool("b"), tool("a"), tool("a"))] == [
        "tools 0 and 2 of the list are both called a",
        "tools 0 and 3 of the list are both called a",
    ]


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("delete_issue", "delete_issues", "a plural s"),
        ("get_items_info", "get_item_info", "one letter"),
        ("get_invoice", "get_lnvoice", "case, separators or look-alike characters only"),
        ("getUser", "get_user", "case, separators or look-alike characters only"),
        ("archive_a", "archlve_a", "case, separators or look-alike characters only"),
    ],
)
def test_names_one_slip_apart_are_found(one: str, other: str, difference: str) -> None:
    """B1: the smallest mistake is another valid tool."""
    assert [(each.pair, each.message) for each in found("FF106", tool(one), tool(other))] == [
        (one, f"{other} differs from {one} by {difference}")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get_zone", "set_zone"),
        ("hget", "hset"),
        ("lpush", "rpush"),
        ("add_sns", "add_sqs"),
        ("a", "b"),
        ("subscribe", "psubscribe"),
        ("lrange", "xrange"),
    ],
)
def test_short_words_differ_by_one_letter_as_words_do(one: str, other: str) -> None:
    """B1: get and set are two words, not a slip."""
    assert found("FF106", tool(one), tool(other)) == []


def test_names_that_a_description_tells_apart_are_left_alone() -> None:
    """B1: who reads the one learns of the other."""
    many = tool("create_items", "Create up to 20 items.")

    assert found("FF106", tool("create_item", "Create an item. For several at once use create_items."), many) == []
    assert [finding.severity for finding in found("FF106", tool("create_item", "Create an item."), many)] == ["warning"]
    assert found("FF106", tool("x_get_item", "Get one."), tool("x_get_items", "Saves many calls of get_item.")) == []
    assert len(found("FF106", tool("drop_item", "Drop one of the items."), tool("drop_items", "Drop some."))) == 1
    assert [it.severity for it in found("FF106", tool("get_item", "Get one."), tool("get_items", "Get some."))] == [
        "advice"
    ]


@pytest.mark.parametrize(
    "name",
    ["manage_order", "get_data", "http_request", "do", "process", "query", "execute_action", "search", "run_query"],
)
def test_names_that_could_be_any_tool_are_found(name: str) -> None:
    """B1: the article's weak names, and general verbs alone."""
    assert places("FF107", tool(name), tool("invoice_list")) == [(name, "/name")]


@pytest.mark.parametrize(
    "name",
    ["invoice_list", "kill_process", "browser_find", "list_files", "whoami", "click", "get_order", "create_update"],
)
def test_names_with_a_thing_or_a_clear_verb_are_not_vague(name: str) -> None:
    """B1: a process that is killed is a thing."""
    assert found("FF107", tool(name), tool("invoice_list")) == []


def test_a_prefix_of_all_names_hides_no_vague_verb_and_the_connector_pair_is_prescribed() -> None:
    """B1: clients ask for search and fetch by these names."""
    assert places("FF107", tool("shop_manage_order"), tool("shop_list_orders")) == [("shop_manage_order", "/name")]
    assert found("FF107", tool("search"), tool("fetch")) == []
