"""The scoring rules against published verdicts on 4,960 answers of real models."""

from __future__ import annotations

from collections import Counter

import pytest

from fourfold.model.scored import SampleVerdict
from fourfold.selection.exact import score_exact
from fourfold.selection.lenient import score_lenient
from fourfold.stats.paired import mcnemar
from tests.selection.bfcl import BFCL, MODELS, Answered, answered, published_failures

pytestmark = pytest.mark.skipif(not BFCL.is_dir(), reason="the recorded answers lie beside a checkout, not in it")


def _is_right(each: Answered, verdict: SampleVerdict) -> bool:
    """As the publisher counts where no function fits: any answer without a call that can be read is right."""
    if each.category == "relevance":
        return verdict.reason != "unexpected_call"
    return verdict.passed


def test_the_lenient_rule_gives_the_published_verdict() -> None:
    """B14: on each of 4,960 answers."""
    differing = [
        each.case.id
        for model in MODELS
        for each in answered(model)
        if _is_right(each, score_lenient(each.case, each.choice, tools=each.tools))
        is (each.case.id in published_failures(model))
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("model", "lenient", "exact"),
    [
        ("claude-3-5-sonnet-20240620-FC", 790, 766),
        ("gpt-4o-2024-05-13-FC", 881, 860),
        ("gpt-4o-2024-08-06-FC", 902, 879),
        ("mistral-large-2407-FC-Auto", 903, 862),
    ],
)
def test_both_rules_are_printed_side_by_side(model: str, lenient: int, exact: int) -> None:
    """A8: of 1,000 questions with a right call, how many are right by either rule."""
    right = Counter[str]()
    for each in answered(model):
        if each.category != "relevance":
            right["lenient"] += score_lenient(each.case, each.choice, tools=each.tools).passed
            right["exact"] += score_exact(each.case, each.choice, tools=each.tools).passed
    assert (right["lenient"], right["exact"]) == (lenient, exact)


def test_a_newer_model_is_seen_to_be_better_with_a_thousand_cases() -> None:
    """B14: GPT-4o of May against August 2024, the worked example of `compare`."""
    before, after = (
        {
            each.case.id: _is_right(each, score_lenient(each.case, each.choice, tools=each.tools))
            for each in answered(f"gpt-4o-{day}-FC")
        }
        for day in ("2024-05-13", "2024-08-06")
    )
    fixed = sum(after[case] and not passed for case, passed in before.items())
    broken = sum(passed and not after[case] for case, passed in before.items())
    assert (len(before), fixed, broken) == (1_240, 67, 20)
    assert mcnemar(fixed, broken) == pytest.approx(4.3e-7, rel=0.01)
    assert mcnemar(41, 20) == pytest.approx(0.00985, rel=0.01)  # on the 1,000 with a right call
