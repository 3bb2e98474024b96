"""tau-bench airline: recorded runs of a real model are counted as published, and each decision becomes a case."""

from __future__ import annotations

from collections import Counter

import pytest

from fourfold.model.case import Case
from fourfold.selection.checking import check_cases
from fourfold.selection.importing.run import Import
from fourfold.selection.importing.to_case import CaseMaker
from fourfold.selection.retries import retry_after_error
from fourfold.stats.repeated import pass_hat_k
from tests.selection.tau import RUNS, TAU, passed_of_tasks, tools, trials

pytestmark = pytest.mark.skipif(not TAU.is_dir(), reason="the recorded runs lie beside a checkout, not in it")


def test_passing_every_time_is_rarer_than_passing_once() -> None:
    """B14: pass^1 to pass^4 over the 34 of 50 tasks that lie there; over all 50 .420 .273 .220 .200 are published."""
    passed = passed_of_tasks()

    assert len(passed) == 34
    assert [round(pass_hat_k(passed, samples=4, k=k), 4) for k in (1, 2, 3, 4)] == [0.4412, 0.299, 0.2353, 0.2059]


def test_retries_after_an_error_are_counted_as_published() -> None:
    """B14: 784 of 1,164 calls lie there, with 47 of 73 errors; over all of them 29 are retried."""
    found = retry_after_error(trial.calls for trial in trials())

    assert (found.calls, found.errors, found.retries) == (784, 47, 20)
    assert (round(found.error_rate or 0, 4), round(found.retry_after_error or 0, 4)) == (0.0599, 0.4255)


@pytest.fixture(scope="module")
def imported() -> tuple[list[Case], Import]:
    """The cases of all runs, and what was counted on the way."""
    counted = Import(maker=CaseMaker(tools()))
    with RUNS.open("rb") as lines:
        return [*counted.cases_in(lines)], counted


def test_every_decision_becomes_a_case_that_fits_its_tools(imported: tuple[list[Case], Import]) -> None:
    """A8: 784 decisions call and 894 say something; 36 of them are the same as another one."""
    cases, counted = imported

    decided = Counter(case.expect.decisions for case in cases)
    assert (counted.decisions, counted.duplicates, counted.hindered, counted.bad) == (1_678, 36, {}, [])
    assert decided == {("call",): 767, ("ask", "abstain"): 875}
    assert len(tools()) == 14
    assert [*check_cases(cases, tools())] == []


def test_no_address_of_a_customer_is_in_a_case(imported: tuple[list[Case], Import]) -> None:
    """A8: each profile holds one."""
    texts = [str(case.messages) for case in imported[0]]

    assert "mia.li3818@example.com" in RUNS.read_text("utf-8")
    assert not [text for text in texts if "mia.li3818" in text]
    assert any("person1@example.com" in text for text in texts)
