"""Questions to the sums over the runs: retry rates, cost, accounts, filled fields; and single records that answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.model.cost import Charge
from fourfold.model.run import Run
from tests.cli.commands import Result
from tests.stores.clocks import SteppedClock
from tests.stores.records import run_at

Runner = Callable[..., Result]

_DAY_MS = 86_400_000
_CHANGE_MS = 1_793_491_200_000
"""2026-11-01 00:00 UTC."""


def call(number: int, at_ms: int, outcome: str = "done", **changes: Any) -> Run:
    """A call of `quote_create` by itself, with a charge of 25 cents."""
    faults = {"done": ("", ""), "invalid": ("invalid_arguments", "after_fix"), "rejected": ("credit_limit", "never")}
    code, retry = faults[outcome]
    plain: dict[str, Any] = {"operation_id": "", "trace_id": "", "replayed": False, "counted": (), "reference": ""}
    fee = (Charge(what="gateway fee", amount_minor=25, currency="EUR"),)
    told: dict[str, Any] = {"outcome": outcome, "code": code, "retry": retry, "charges": fee, **plain, **changes}
    return replace(replace(run_at(1), **told), run_id=f"run_{number:032x}", at_ms=at_ms)


def migration() -> list[Run]:
    """Forty operations a day after a change, of which two are retried; before it, sixteen are."""
    runs: list[Run] = []
    for side, retried in ((-1, 16), (1, 2)):
        for index in range(40):
            at_ms = _CHANGE_MS + side * _DAY_MS + index * 600_000
            if index < retried:
                runs.append(call(len(runs), at_ms, "invalid"))
            runs.append(call(len(runs), at_ms + 1_000, subject=f"acct-{index % 2}"))
    return runs


@pytest.fixture
def store(workspace: Path) -> str:
    """A store with the calls of a migration, and one call that was rejected."""
    rejected = call(999, _CHANGE_MS + 2 * _DAY_MS, "rejected", subject="acct-7")

    async def fill() -> None:
        opened = open_sqlite(workspace / "s.db", clock=SteppedClock())
        for run in [*migration(), rejected]:
            opened.runs.append(run)
        await opened.aclose()

    anyio.run(fill)
    return "sqlite:///s.db"


def test_a_change_is_compared_with_what_was_before(store: str, run: Runner) -> None:
    """A14: 16 of 40 before, 2 of 41 after; the interval is Newcombe's, and says that it is more than chance."""
    result = run("runs", "retry-rate", "--tool", "quote_create", "--around", "2026-11-01", "--store", store)

    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        "        from                  until                 operations  retried  rate    95 %",
        "before  2026-10-18 00:00:00Z  2026-11-01 00:00:00Z  40          16       40.0 %  26.3 to 55.4",
        "after   2026-11-01 00:00:00Z  2026-11-15 00:00:00Z  41          2        4.9 %   1.3 to 16.1",
        "difference -35.1 points (-50.9 to -17.4): more than chance explains, at 95 % confidence",
    ]


def test_a_difference_that_could_be_chance_is_said_to_be(store: str, run: Runner) -> None:
    """A14: a day with one operation, and a month with none."""
    one = run("runs", "retry-rate", "--around", "2026-11-03T00:00Z", "--days", "1", "--store", store)
    none = run("runs", "retry-rate", "--around", "2026-09-01", "--json", "--store", store)
    said = run("runs", "retry-rate", "--around", "2026-09-01", "--store", store).out.splitlines()[-1]

    assert one.out.splitlines()[-1] == "difference -5.0 points (-16.5 to +74.4): this could be chance"
    told = json.loads(none.out)
    assert (told["could_be_chance"], told["interval"]) == (True, {"low": -1.0, "high": 1.0})
    assert said == "no operations before and after: there is nothing to compare"


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (["--by", "tool"], [("quote_create", 81, 18, 99)]),
        (["--by", "code"], [("", 62, 0, 62), ("credit_limit", 1, 0, 1), ("invalid_arguments", 18, 18, 36)]),
        (["--by", "week"], [("2026-W44", 40, 16, 56), ("2026-W45", 41, 2, 43)]),
        (["--by", "day", "--since", "2026-11-01"], [("2026-11-02", 40, 2, 42), ("2026-11-03", 1, 0, 1)]),
        (["--by", "version", "--until", "2026-11-01"], [("1.0", 40, 16, 56)]),
        (["--by", "principal", "--code", "credit_limit"], [("clerk@acme", 1, 0, 1)]),
        (["--by", "hour", "--since", "2026-11-03"], [("2026-11-03T00:00Z", 1, 0, 1)]),
        (["--tenant", "globex"], []),
    ],
)
def test_a_rate_goes_by_what_is_asked(store: str, run: Runner, words: list[str], rows: list[object]) -> None:
    """A14: per tool, version, caller, code, and by hour, day and ISO week; operations and not calls."""
    since = [] if "--since" in words else ["--since", "2026-10-01"]

    told = json.loads(run("runs", "retry-rate", *words, *since, "--json", "--store", store).out)

    found = [(rate["key"], rate["operations"], rate["retried"], rate["attempts"]) for rate in told["rates"]]
    assert found == rows


def test_the_last_failing_call_says_its_account_and_cost(store: str, run: Runner) -> None:
    """A9: the question of the article, in one command."""
    result = run("runs", "last", "--failed", "--price", "2", "--output-price", "10", "--store", store)

    assert result.code == 0
    account, spent = result.out.splitlines()[:2]
    assert account == "account  acct-7"
    assert spent.endswith("110 of the definition (estimated); dollars $0.00064; charges 25 EUR minor")
    assert spent.startswith("cost     30 tokens of arguments, 60 of the result, ")
    assert "code                         credit_limit" in result.out
    assert run("runs", "last", "--tool", "none", "--store", store).code == 2


def test_cost_goes_by_account_and_by_day_and_says_that_tokens_are_estimates(store: str, run: Runner) -> None:
    """A9: tokens, dollars at a price that was named, and charges, which need none."""
    table = run("runs", "cost", "--since", "2026-10-01", "--price", "2", "--store", store)
    by_day = json.loads(run("runs", "cost", "--by", "day", "--since", "2026-11-01", "--json", "--store", store).out)

    assert "estimated" in table.err
    assert [line.split() for line in table.out.splitlines()[1:]] == [
        ["acct-1", "58", "18", "1740", "3480", "6380", "$0.02", "1450", "EUR", "minor"],
        ["acct-0", "40", "0", "1200", "2400", "4400", "$0.01", "1000", "EUR", "minor"],
        ["acct-7", "1", "1", "30", "60", "110", "$0.00034", "25", "EUR", "minor"],
    ]
    assert [(row["key"], row["runs"], row["usd"], row["charges"][0]["amount_minor"]) for row in by_day["costs"]] == [
        ("2026-11-02", 42, None, 1050),
        ("2026-11-03", 1, None, 25),
    ]
    assert by_day["costs"][0]["tokens"]["source"] == "estimated"


def test_accounts_with_most_failures_come_first(store: str, run: Runner) -> None:
    """A9: which account saw which failure, and what it cost."""
    told = json.loads(run("runs", "accounts", "--since", "2026-10-01", "--json", "--store", store).out)
    one = json.loads(run("runs", "accounts", "--account", "acct-7", "--since", "1w", "--json", "--store", store).out)

    found = [(row["account"], row["runs"], row["failed"]) for row in told["accounts"]]
    assert found == [("acct-1", 58, 18), ("acct-7", 1, 1), ("acct-0", 40, 0)]
    assert one["accounts"] == []


def test_declared_values_go_by_month(workspace: Path, run: Runner) -> None:
    """A17: how often below_floor was returned in each month; the last day of October is October's."""
    floor = (("flags", "below_floor"),)
    days = [(1, -2), (2, -1), (3, 0), (4, 1), (5, 2)]

    async def put() -> None:
        opened = open_sqlite(workspace / "c.db", clock=SteppedClock())
        for number, day in days:
            opened.runs.append(call(number, _CHANGE_MS + day * _DAY_MS, counted=floor))
        opened.runs.append(call(6, _CHANGE_MS, counted=(("flags", "credit_hold"),)))
        await opened.aclose()

    anyio.run(put)
    words = ("runs", "counts", "--by-month", "--since", "2026-10-01", "--store", "sqlite:///c.db")
    assert [line.split()[:5] for line in run(*words).out.splitlines()[1:]] == [
        ["2026-10", "2", "quote_create", "flags", "below_floor"],
        ["2026-11", "3", "quote_create", "flags", "below_floor"],
        ["2026-11", "1", "quote_create", "flags", "credit_hold"],
    ]
    assert "2 rows, and there may be more" in run(*words, "--limit", "2").err


def test_filled_fields_go_by_month(store: str, run: Runner) -> None:
    """A17: the fill rate of each output field."""
    result = run("runs", "fill", "--field", "flags", "--since", "2026-10-01", "--store", store)

    assert [line.split() for line in result.out.splitlines()[1:]] == [
        ["2026-10", "quote_create", "flags", "56", "56", "100.0", "%"],
        ["2026-11", "quote_create", "flags", "43", "43", "100.0", "%"],
    ]


def test_everything_leaves_as_json_lines_oldest_first(store: str, run: Runner) -> None:
    """A9: every run once, over pages; the same fields as elsewhere."""
    lines = [json.loads(line) for line in run("runs", "export", "--store", store).out.splitlines()]
    shown = json.loads(run("runs", "show", lines[0]["run_id"], "--json", "--store", store).out)["run"]

    assert len({line["run_id"] for line in lines}) == len(lines) == 99
    assert [line["at_ms"] for line in lines] == sorted(line["at_ms"] for line in lines)
    assert lines[0] == shown
    assert len(run("runs", "export", "--failed", "--store", store).out.splitlines()) == 19


def test_a_tail_is_the_newest_runs_in_their_order(store: str, run: Runner) -> None:
    """A9: the last line is the last call; for programs, a run a line."""
    result = run("runs", "tail", "--limit", "2", "--store", store)
    failed = run("runs", "tail", "--limit", "2", "--failed", "--json", "--store", store)

    assert [line.split()[4] for line in result.out.splitlines()] == ["done", "rejected"]
    assert [json.loads(line)["outcome"] for line in failed.out.splitlines()] == ["invalid", "rejected"]


def test_dropped_runs_stay_in_the_sums(store: str, run: Runner) -> None:
    """A9, A14: whole days; the rate before the change is still there."""
    before = run("runs", "retry-rate", "--by", "day", "--since", "2026-10-01", "--store", store)
    dropped = run("runs", "prune", "--before", "2026-11-02T12:00", "--store", store)
    rebuilt = run("runs", "rebuild", "--store", store)

    assert dropped.out == "56 runs are dropped; the sums keep what they cost\n"
    assert rebuilt.out == "43 runs are in the sums\n"
    assert run("runs", "retry-rate", "--by", "day", "--since", "2026-10-01", "--store", store) == before
    assert len(run("runs", "export", "--store", store).out.splitlines()) == 43


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["retry-rate", "--days", "3"], "--days needs --around"),
        (["cost", "--model", "gpt-4o", "--price", "2"], "choose one"),
        (["cost", "--output-price", "2"], "needs --price or --model"),
        (["prune"], "Missing option '--before'"),
        (["retry-rate", "--around", "soon"], "use 15m, 24h, 7d"),
    ],
)
def test_options_that_say_nothing_together_are_refused(store: str, run: Runner, words: list[str], why: str) -> None:
    """A9: misuse is told in one line."""
    result = run("runs", *words, "--store", store)

    assert result.code == 2
    assert why in result.err


@pytest.mark.parametrize("question", ["last", "tail", "retry-rate", "cost", "accounts", "fill", "export", "rebuild"])
def test_asking_never_makes_a_store(run: Runner, workspace: Path, question: str) -> None:
    """A9: a slip in the name must not look like an empty store."""
    result = run("runs", question, "--store", "sqlite:///slip.db")

    assert result.code == 2
    assert list(workspace.glob("slip*")) == []
