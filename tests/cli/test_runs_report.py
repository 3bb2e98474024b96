"""`fourfold runs report`: a suite and the callers, by version of the contract."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.sqlite.store import open_sqlite
from tests.cli.commands import Result
from tests.cli.test_runs_sums import call
from tests.selection.suites import replay_text, shop_suite, suite_text
from tests.stores.clocks import SteppedClock

Run = Callable[..., Result]

_AT_MS = 1_793_491_200_000
_STORE = ["--store", "sqlite:///s.db"]


@pytest.fixture
def store(workspace: Path, run: Run) -> None:
    """Operations of two versions of `order_create`, of which the second is retried less; a result of each."""
    outcomes = [("1.0", ["invalid", "done"])] * 20 + [("1.0", ["done"])] * 20 + [("1.1", ["done"])] * 40
    calls = [
        call(2 * number + at, _AT_MS + number * 600_000 + at, outcome, tool="order_create", contract_version=version)
        for number, (version, met) in enumerate(outcomes)
        for at, outcome in enumerate(met)
    ]

    async def fill() -> None:
        opened = open_sqlite(workspace / "s.db", clock=SteppedClock())
        for each in calls:
            opened.runs.append(each)
        await opened.aclose()

    anyio.run(fill)
    cases = shop_suite()
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")
    text = (workspace / "shop.py").read_text("utf-8")
    name = 'name="order_create",\n    version="1.0"'
    assert name in text
    (workspace / "later.py").write_text(text.replace(name, name.replace("1.0", "1.1")), "utf-8")
    for target, failing in (("shop", [f"order-{at}" for at in range(1, 6)]), ("later", [])):
        Path("answers.jsonl").write_text(replay_text(cases, failing=failing), "utf-8")
        words = ["--chooser", "replay:answers.jsonl", "--out", f"{target}.jsonl", *_STORE]
        assert run("select", "run", "suite.jsonl", f"{target}:catalog", *words).code == 0


@pytest.mark.usefixtures("store")
def test_versions_stand_side_by_side_and_differences_are_judged(run: Run) -> None:
    """A14, B11: did the edit help in production, too?"""
    found = run("runs", "report", "--tool", "order_create", "--since", "2026-10-01", *_STORE)

    assert found.code == 0
    lines = [re.sub(r", \d{4}-.*", "", line) for line in found.out.splitlines()]
    assert lines == [
        "order_create",
        "  1.0",
        "    selection          16.7 % (3.0 to 56.4), 1 of 6 cases of suite.jsonl, replay:answers.jsonl",
        "    retry rate         50.0 % (35.2 to 64.8), 20 of 40 operations",
        "    invalid arguments  50.0 % (35.2 to 64.8), 20 of 40 operations",
        "  1.1",
        "    selection          100.0 % (61.0 to 100.0), 6 of 6 cases of suite.jsonl, replay:answers.jsonl",
        "    retry rate         0.0 % (0.0 to 8.8), 0 of 40 operations",
        "    invalid arguments  0.0 % (0.0 to 8.8), 0 of 40 operations",
        "  1.0 to 1.1",
        "    selection          +83.3 points (+15.5 to +97.8): better, by more than chance",
        "    retry rate         -50.0 points (-67.7 to -28.3): better, by more than chance",
        "    invalid arguments  -50.0 points (-67.7 to -28.3): better, by more than chance",
        "intervals of versions are at 95 % each; those of differences at 98.33 %, 95 % together",
    ]


@pytest.mark.usefixtures("store")
def test_what_is_missing_is_said(run: Run) -> None:
    """A14: plainly, and as null in JSON."""
    text = run("runs", "report", "--suite", "other.jsonl", "--since", "2099-01-01", *_STORE)
    told = json.loads(run("runs", "report", "--since", "2099-01-01", "--json", *_STORE).out)
    calls = run("runs", "report", "--suite", "other.jsonl", "--since", "2026-10-01", *_STORE)

    assert text.out == "No operations, and no results.\n"
    (order, stock) = told["tools"]
    assert (order["tool"], stock["tool"], len(stock["changes"])) == ("order_create", "stock_get", 0)
    assert [each["retry_rate"] for each in order["versions"]] == [None, None]
    assert [each["missing"] for each in order["changes"][0]["moved"]] == [
        "",
        "no operations of either version in this time",
        "no operations of either version in this time",
    ]
    assert "    selection          missing: no result in the store knows this version\n" in calls.out
    assert "    selection          missing: the store has no result of one of the versions\n" in calls.out
