"""Recorded cases that a review has to get right: what is found and where, what stays silent, what is clean.

The files lie beside the checkout (`../shared/cases`); where they don't, these tests say so. The same kinds stand as
literal examples in `tests/review` and in the rules' own pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fourfold.contracts.diff import diff
from fourfold.contracts.lock import lock_of
from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedTool, ToolAnswer
from fourfold.review.compare import compare_listings
from fourfold.review.engine import review, review_answer
from fourfold.review.hidden_text import hidden_characters
from fourfold.review.profile import all_profiles
from fourfold.review.saved import listed
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView
from tests.meta.repository import SHARED
from tests.review.compact import expanded
from tests.review.examples import TODAY, catalog_of

DEFINITIONS = [
    "MP-001", "MP-002", "MP-004", "MP-005", "MP-007", "MP-008", "MP-010", "MP-011", "MP-013", "MP-014", "MP-016",
    "MP-017", "MP-020", "MP-022", "MP-055", "MP-067", "MP-068", "MP-074", "MP-076", "MP-077", "MP-082", "MP-085",
    "MP-094", "MP-101", "MP-113", "MP-115", "MP-116", "MP-134", "MP-139",
]  # fmt: skip
CLEAN = [
    "MP-001", "MP-002", "MP-004", "MP-005", "MP-007", "MP-008", "MP-011", "MP-013", "MP-014", "MP-016", "MP-017",
    "MP-067", "MP-068", "MP-085", "MP-094", "MP-101", "MP-116",
]  # fmt: skip
OURS = {
    "free-form-object": "any-keys-object",
    "identity-in-input": "identity-argument",
    "self-consent-argument": "consent-argument",
}
"""Symbols that the cases name otherwise."""

SEVERITIES = {"error": "error", "warn": "warning"}
CLIENTS = frozenset(profile.name for profile in all_profiles())
"""The clients of the cases that have a profile; others are left out."""


def case(name: str) -> Any:
    """A recorded case, its long values written out."""
    path = SHARED / "cases" / f"{name}.json"
    if not path.is_file():
        pytest.skip("no ../shared/cases beside this checkout")
    return expanded(json.loads(path.read_text("utf-8")))


def symbol(finding: JsonObject) -> str:
    """Our symbol for what a case expects."""
    rule: str = finding["rule"]
    return OURS.get(rule, rule)


def found(definition: JsonObject, *, clients: tuple[str, ...] = ()) -> list[Finding]:
    """What the review finds, with the clients that a case is about."""
    catalog = catalog_of(definition)
    context = definition.get("context", {})
    catalog = replace(catalog, server=context.get("server_name", catalog.server))
    return [*review(catalog, today=TODAY, settings=ReviewSettings(clients=clients)).findings]


def clients_of(expected: list[JsonObject]) -> tuple[str, ...]:
    """The clients that a case is about."""
    named = {client for each in expected for client in each.get("profiles", ())}
    return tuple(sorted(named & CLIENTS))


def place(finding: Finding, definition: JsonObject) -> str:
    """The pointer as the cases write it: into the list, where there is one."""
    tools = definition.get("tools")
    if tools is None or not finding.tool:
        return finding.pointer or "/"
    return f"/tools/{[tool['name'] for tool in tools].index(finding.tool)}{finding.pointer}"


@pytest.mark.parametrize("name", DEFINITIONS)
def test_what_a_case_expects_is_found_at_its_place(name: str) -> None:
    """C2, C6, D2, D3: with the severity that it has for the clients that it hurts.

    MP-001, MP-002, MP-004, MP-005, MP-007, MP-008, MP-010, MP-011, MP-013, MP-014, MP-016, MP-017,
    MP-020, MP-022, MP-055, MP-067, MP-068, MP-074, MP-076, MP-077, MP-082, MP-085, MP-094, MP-101, MP-113, MP-115,
    MP-116, MP-134, MP-139.
    """
    recorded = case(name)
    definition = recorded["input"].get("tool", recorded["input"])
    expected = recorded["expected"]["findings"]
    findings = found(definition, clients=clients_of(expected))

    seen = {(it.symbol, place(it, definition), it.severity) for it in findings}
    assert seen >= {(symbol(each), each["at"], SEVERITIES[each["level"]]) for each in expected}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_what_a_case_keeps_silent_is_silent(name: str) -> None:
    """D2: MP-020, MP-055, MP-115 and MP-139 name what must not be flagged by the same rules."""
    recorded = case(name)
    definition = recorded["input"].get("tool", recorded["input"])
    rules = {symbol(each) for each in recorded["expected"]["findings"]}
    silent = tuple(recorded["expected"].get("must_not_flag", ()))

    flagged = [place(it, definition) for it in found(definition) if it.symbol in rules]
    assert not [at for at in flagged if silent and at.startswith(silent)]


@pytest.mark.parametrize("name", CLEAN)
def test_the_corrected_definition_is_clean(name: str) -> None:
    """D2: what a case calls fixed is not found again, for any client that it is about."""
    expected = case(name)["expected"]
    rules = {symbol(each) for each in expected["findings"]}

    again = found(expected["fixed"], clients=clients_of(expected["findings"]))
    assert not [(it.symbol, it.pointer) for it in again if it.symbol in rules]


def test_two_servers_with_one_name_for_a_tool_clash() -> None:
    """D3: MP-023: found at the second server, with the name of the first."""
    first, second = case("MP-023")["input"]["servers"]

    clashes = [it for it in found({**second, "servers": [first]}) if it.symbol == "name-collision"]
    assert [(it.tool, it.pointer, it.severity) for it in clashes] == [("send_email", "/name", "error")]
    assert "'crm'" in clashes[0].message


def test_a_text_that_differs_by_user_is_found() -> None:
    """D2: MP-079: the same tool, listed for two users."""
    recorded = case("MP-079")["input"]
    lists = [listed(recorded[side], target=side, facts={}) for side in ("before", "after")]

    assert [(it.symbol, it.pointer) for it in compare_listings(*lists)] == [
        ("per-user-text-in-catalog", "/description")
    ]


def test_tools_that_models_confuse_are_pairs() -> None:
    """C2: MP-080: exactly the two pairs."""
    recorded = case("MP-080")
    pairs = {frozenset((it.tool, it.pair)) for it in found(recorded["input"]) if it.symbol == "overlapping-tools"}

    assert pairs == {frozenset(pair) for pair in recorded["expected"]["confusable_pairs"]}


def test_a_list_that_differs_by_user_is_not_for_shared_caches() -> None:
    """D2: MP-097: what the server sends with its list is looked at as well."""
    recorded = case("MP-097")
    tools = [{"name": name} for name in recorded["input"]["by_principal"]["u1"]]
    sent = {"tools": tools, "by_principal": recorded["input"]["by_principal"], **recorded["input"]["sent"]}

    seen = [(it.symbol, it.pointer, it.severity) for it in found(sent) if it.pointer == "/cacheScope"]
    assert seen == [("public-cache-of-private-list", "/cacheScope", "error")]


@pytest.mark.parametrize("name", ["MP-136", "MP-137"])
def test_a_changed_definition_is_seen_at_its_place(name: str) -> None:
    """D4: MP-136 and MP-137: a rewritten description and a new argument; the digest tells them apart."""
    recorded = case(name)
    before, after = (lock_of(listed(recorded["input"][side], target=side, facts={})) for side in ("before", "after"))

    assert before.digest != after.digest
    assert [f"/0{change.pointer}" for change in diff(before, after)] == recorded["expected"]["changed"]


def test_a_flag_is_an_emoji_and_other_tags_are_text() -> None:
    """D2: MP-140: only registered sequences pass."""
    recorded = case("MP-140")
    items = recorded["input"]["items"]

    clean = [index for index, item in enumerate(items) if not hidden_characters(item)]
    assert clean == recorded["expected"]["allow"]


ANSWERS = ["MP-041", "MP-043", "MP-044", "MP-047", "MP-049", "MP-050", "MP-059", "MP-064", "MP-073", "MP-121"]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_breaks_its_contract_is_found(name: str) -> None:
    """B3, A5: by the rule of its kind, and none of the answers that are good.

    MP-041, MP-043, MP-044, MP-047, MP-049, MP-050, MP-059, MP-064, MP-073, MP-121.
    """
    recorded = case(name)
    given, expected = recorded["input"], recorded["expected"]
    results = given.get("results", [given.get("result")])
    flagged = [index for index, result in enumerate(results) if expected["rule"] in _symbols(given, result)]

    assert flagged == expected.get("flag", [0])


def _symbols(given: JsonObject, result: JsonObject) -> set[str]:
    tool = ToolView(ListedTool(definition=given.get("tool", {"name": "t"})))
    answer = ToolAnswer(result=result, arguments=given.get("arguments", {}))
    return {it.symbol for it in review_answer(tool, answer)}


def test_every_case_about_definitions_is_tried() -> None:
    """D2: a case that comes is not forgotten here."""
    tried = {*DEFINITIONS, "MP-023", "MP-079", "MP-097"}

    assert {name for name, recorded in _cases() if recorded["expected"].get("check") == "lint"} == tried


def _cases() -> Iterator[tuple[str, Any]]:
    folder = SHARED / "cases"
    if not folder.is_dir():
        pytest.skip("no ../shared/cases beside this checkout")
    for path in sorted(folder.glob("MP-*.json")):
        yield path.stem, json.loads(path.read_text("utf-8"))
