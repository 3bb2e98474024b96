"""The rules for a declaration as a whole: each broken once, nearly broken once, waived once."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.contracts.base import Page
from fourfold.errors import BuildProblem
from fourfold.model.contract import Waiver
from fourfold.model.effect import Create, Destroy, Effect, Read, Update
from fourfold.model.fault import Fault, Retry, StaleVersion
from fourfold.model.policy import Resource
from tests.contracts.declaring import Nothing, Ok, catalog_of, output_with, problems_of, rules_of


class UnknownAccount(Fault):
    """No account with that id is visible to you."""

    code, retry, next_step = "unknown_account", Retry.NEVER, "Ask the user which account they mean."


class Twin(Fault):
    """Another fault."""

    code, retry, next_step = "unknown_account", Retry.NEVER, "Ask."


class Shouting(Fault):
    """A code in capitals."""

    code, next_step = "UNKNOWN", "Ask."


class Internal(Fault):
    """The framework's code."""

    code, next_step = "internal", "Ask."


class Speechless(Fault):
    """A dead end."""

    code = "dead_end"


class Wordless(Fault):
    """Loses this docstring below."""

    code, next_step = "wordless", "Ask."


Wordless.__doc__ = None


class Loosely(Fault):
    """A verb as plain text."""

    code, next_step = "loosely", "Ask."


Loosely.retry = "never"  # type: ignore[assignment]  # what an author without a type checker writes


def find(request: Nothing) -> Resource | None:
    """Finds nothing."""
    return None


async def coroutine(request: Nothing) -> Ok:
    """A handler that awaits."""
    return Ok(done=True)


LONG = "word " * 210
BROKEN: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("tool_name", {"name": "quote"}, {"name": "quote_create"}),
    ("tool_name", {"name": "Quote_create"}, {"name": "quote2_create"}),
    ("tool_name", {"name": "quote-create"}, {"name": "a_b"}),
    ("tool_name", {"name": "quote_créer"}, {"name": "quote_make"}),
    ("tool_name", {"name": "billing_and_cost_management_get_cost_and_usage_comparisons"}, {"name": "get_cost"}),
    ("tool_name", {"name": "a_" + "b" * 49}, {"name": "a_" + "b" * 48}),
    ("tool_name", {"name": ""}, {"name": "a_1"}),
    ("contract_version", {"version": "1"}, {"version": "1.0"}),
    ("contract_version", {"version": "0.1"}, {"version": "12.34"}),
    ("contract_version", {"version": "1.0.0"}, {"version": "1.10"}),
    ("contract_version", {"version": "١.٠"}, {"version": "9999.9999"}),
    ("missing_description", {"does": "Lists"}, {"does": "Lists things"}),
    ("missing_description", {"use_when": " "}, {"use_when": "it is asked"}),
    ("missing_description", {"not_for": ""}, {"not_for": "writing it"}),
    ("long_description", {"inputs": LONG}, {"inputs": LONG[:800]}),
    ("no_version", {"effect": Update()}, {"effect": Update(), "resource": find, "missing": UnknownAccount}),
    ("async_write", {"effect": Create(), "handler": coroutine}, {"effect": Read(), "handler": coroutine}),
    ("no_missing", {"resource": find}, {"resource": find, "missing": UnknownAccount}),
    ("page_limit", {"page_limit": 101}, {"page_limit": 100}),
    ("fault_code", {"faults": [Shouting]}, {"faults": [UnknownAccount]}),
    ("reserved_code", {"faults": [Internal]}, {"faults": [StaleVersion]}),
    ("fault_retry", {"faults": [Loosely]}, {"faults": [UnknownAccount]}),
    ("silent_fault", {"faults": [Speechless]}, {"faults": [UnknownAccount]}),
    ("silent_fault", {"missing": Wordless}, {"missing": UnknownAccount}),
    ("duplicate_code", {"faults": [UnknownAccount, Twin]}, {"faults": [UnknownAccount, StaleVersion]}),
    ("duplicate_code", {"faults": [Twin], "missing": UnknownAccount}, {"faults": [Twin], "missing": Twin}),
    ("no_fault", {"faults": [UnknownAccount()]}, {"faults": [UnknownAccount]}),
    ("no_fault", {"missing": ValueError}, {"missing": UnknownAccount}),
    ("unknown_field", {"says": "It is {dome}."}, {"says": "It is {done}, in {{braces}}."}),
    ("unknown_field", {"says": "It is {done.real}."}, {"says": "Done."}),
    ("unknown_field", {"says": "It is {done!r:>9}."}, {"says": ""}),
    ("unknown_field", {"says": "100 % {"}, {"says": "100 %"}),
    ("unknown_effect", {"effect": Read}, {"effect": Read()}),
    ("unknown_effect", {"effect": "read"}, {"effect": Create()}),
    ("unknown_effect", {"effect": Effect()}, {"effect": Create()}),
]


def _one(declared: dict[str, Any]) -> BuildProblem:
    (problem,) = problems_of(catalog_of(**declared))
    return problem


@pytest.mark.parametrize(("rule", "broken", "sound"), BROKEN)
def test_a_declaration_that_breaks_one_rule_has_one_problem(rule: str, broken: Any, sound: Any) -> None:
    """B1, B4, B7, C6: MP-020. What, why and how to put it right; its neighbour builds."""
    problem = _one(broken)

    assert problem.rule == rule
    assert problem.where == (broken.get("name", "thing_get") or "(no name)")
    assert all(len(text.split()) >= 2 for text in (problem.what, problem.why, problem.fix))
    assert problems_of(catalog_of(**sound)) == ()


@pytest.mark.parametrize(
    ("rule", "broken", "sound"), [row for row in BROKEN if row[0] not in {"fault_retry", "no_fault", "unknown_effect"}]
)
def test_a_rule_of_the_tool_is_waived_with_a_reason(rule: str, broken: Any, sound: Any) -> None:
    """B4: and a waiver that sets nothing aside is a problem of its own."""
    waivers = [Waiver(rule=rule, where="thing_get", reason="the old clients rely on it")]

    assert rules_of(**broken, waivers=waivers) == []
    assert rules_of(**sound, waivers=waivers) == [("unused_waiver", "")]


def test_a_destructive_action_needs_a_plan() -> None:
    """B4, C7: unless somebody wrote down why not."""
    declared: dict[str, Any] = {"effect": Destroy(), "resource": find, "missing": UnknownAccount}
    reason = Waiver(rule="no_plan", where="thing_get", reason="deletes a draft only")

    assert rules_of(**declared) == [("no_plan", "")]
    assert catalog_of(**declared, waivers=[reason]).build().tools["thing_get"].contract.waivers == (reason,)


@pytest.mark.parametrize("reason", ["", "because", "is fine"])
def test_a_waiver_of_the_tool_needs_a_reason_in_words(reason: str) -> None:
    """A1: a reasoned waiver, as for fields."""
    waiver = Waiver(rule="contract_version", where="thing_get", reason=reason)

    assert rules_of(version="1", waivers=[waiver]) == [("waiver_reason", "")]


def test_all_parts_of_a_declaration_are_looked_at_together() -> None:
    """B1: one build, every fault, those of both models too."""
    found = rules_of(
        Nothing,
        output_with(value=str),
        name="x",
        version="1",
        does="",
        effect="read",
        page_limit=0,
        faults=[Speechless],
    )

    assert [rule for rule, _ in found] == [
        "unbounded_string",
        "tool_name",
        "contract_version",
        "missing_description",
        "unknown_effect",
        "page_limit",
        "silent_fault",
    ]


def test_scopes_and_toolsets_may_be_one_word() -> None:
    """A3: a string is iterable, and its letters are nobody's scopes."""
    contract = catalog_of(needs="quotes:write", toolsets="sales").build().tools["thing_get"].contract

    assert (contract.needs, contract.toolsets) == (frozenset({"quotes:write"}), frozenset({"sales"}))


def test_a_page_limit_is_checked_though_no_page_is_returned() -> None:
    """B19: a number that can never hold is a slip."""
    assert rules_of(Nothing, Page[Ok], page_limit=0) == [("page_limit", "")]
