"""The benchmark of questions to the runs answers, on both stores. What it measures is not judged here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.made_runs import END_MS, Made, made_runs
from benchmarks.million import STORES, measure

_MADE = Made(runs=2_000)


@pytest.mark.parametrize("store", STORES)
def test_every_question_is_asked_and_timed(store: str, tmp_path: Path) -> None:
    """Each answers, whatever is measured: the figures in the documentation can be had again."""
    found = measure(store, _MADE, rounds=1, folder=tmp_path)

    assert (found.store, found.runs, len(found.asked)) == (store, 2_000, 316)
    assert all(0 < each.p50_ms <= each.p95_ms for each in found.asked)


def test_made_up_runs_are_the_same_each_time_and_others_with_another_seed() -> None:
    """Two machines measure the same."""
    runs = [made.run for made in made_runs(_MADE)]

    assert runs == [made.run for made in made_runs(_MADE)]
    assert runs != [made.run for made in made_runs(replace(_MADE, seed=2))]
    assert runs[0].run_id == "run_019fc2a841ee000097aa8d447f3822a1"


@pytest.mark.parametrize("count", [0, 1, 50])
def test_exactly_as_many_runs_are_made_as_were_asked_for(count: int) -> None:
    """A page is looked at with none, with one and with a few."""
    assert len([*made_runs(Made(runs=count))]) == count


def test_made_up_runs_look_like_those_of_a_busy_server() -> None:
    """They come in order, up to the end, skewed, with every outcome, and a version that is retried less."""
    runs = [made.run for made in made_runs(Made(runs=20_000))]
    accounts, outcomes = Counter(run.subject for run in runs), Counter(run.outcome for run in runs)
    typed = [run for run in runs if run.tool == "quote_create"]
    invalid = Counter(run.contract_version for run in typed if run.outcome == "invalid")

    assert [run.at_ms for run in runs] == sorted(run.at_ms for run in runs)
    assert END_MS - 86_400_000 < runs[-1].at_ms < END_MS
    assert accounts.most_common(1)[0][1] > 50 * (20_000 / 2_000)
    assert set(outcomes) == {"done", "invalid", "rejected", "denied", "failed", "cancelled", "unknown"}
    assert len({run.run_id for run in runs}) == 20_000
    assert invalid["1.0"] > 3 * invalid["2.0"]
