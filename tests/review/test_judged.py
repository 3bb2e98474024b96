"""Ten findings of each rule on public catalogs were judged by hand: nine of ten are right."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from fourfold.review.registry import all_rules
from tests.review.sample_to_judge import CATALOGS, drawn, findings, judged

catalogs_needed = pytest.mark.skipif(
    not CATALOGS.is_dir(), reason="the public catalogs lie beside a checkout, not in it"
)


def test_every_judged_finding_has_a_verdict_and_says_why() -> None:
    """C1: a verdict without a reason is no judgement."""
    assert {each.verdict for each in judged().values()} == {"right", "wrong"}
    assert [each.place for each in judged().values() if len(each.why.split()) < 3] == []


def test_only_rules_that_exist_are_judged() -> None:
    """C1."""
    known = {rule.id for rule in all_rules()}
    assert [place for place in judged() if place[0] not in known] == []


def test_nine_of_ten_findings_of_each_rule_are_right() -> None:
    """C1: a rule whose findings are wrong more often is mended or goes."""
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for place, each in judged().items():
        verdicts[place[0]][each.verdict] += 1
    assert {rule: dict(count) for rule, count in verdicts.items() if count["wrong"] * 10 > count.total()} == {}


@catalogs_needed
def test_the_findings_that_are_drawn_today_are_the_judged_ones() -> None:
    """C1: a rule that was changed is judged again."""
    assert sorted(set(drawn(findings())) - set(judged())) == []
    assert sorted(place for place in judged() if place not in findings()) == []
