"""Every rule: its page is complete, its example fires, and what its page says to use instead does not."""

from __future__ import annotations

import re

import pytest

from fourfold.model.finding import Finding
from fourfold.review.registry import all_rules, rule_named
from fourfold.review.rule import Rule
from tests.review.examples import findings

RULES = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: f"{rule.id}-{rule.symbol}")


@RULES
def test_the_example_of_a_rule_is_found_by_it(rule: Rule) -> None:
    """D2: a rule that does not find its own example finds nothing."""
    found = findings(rule.page.example("Example"), rule.id)

    assert found
    assert {finding.symbol for finding in found} == {rule.symbol}


@RULES
def test_what_a_page_says_to_use_instead_is_clean(rule: Rule) -> None:
    """D2: advice that is itself a finding would send its reader in a circle."""
    assert findings(rule.page.example("Use instead"), rule.id) == []


@RULES
def test_a_finding_says_where_what_and_what_to_do(rule: Rule) -> None:
    """C6: every finding has a place, a sentence and a fix."""
    for finding in findings(rule.page.example("Example"), rule.id):
        assert finding.pointer == "" or finding.pointer.startswith("/")
        assert finding.message
        assert finding.fix
        assert not finding.message.endswith(".")
        assert not finding.fix.endswith(".")


@RULES
def test_a_rule_is_named_as_its_file_and_says_what_stands_behind_it(rule: Rule) -> None:
    """D2: a rule without a source is honest about being a judgement."""
    assert re.fullmatch(r"FF[1-7]\d\d", rule.id)
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.symbol)
    assert (rule.evidence == "judgement") == (rule.sources == ())
    assert rule.page.summary.endswith(".")
    assert rule_named(rule.id) is rule_named(rule.symbol) is rule


def test_the_same_catalog_gives_the_same_findings() -> None:
    """C10: nothing depends on the order of a set or a dictionary."""
    example = {
        "tools": [rule.page.example("Example") for rule in all_rules() if "name" in rule.page.example("Example")]
    }

    def run() -> list[Finding]:
        return findings(example)

    assert run() == run()
