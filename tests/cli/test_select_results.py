"""`fourfold select compare`, `status` and `history`: what results say together, and whether they still hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.suites import FALLEN, write_results
from tests.selection.suites import replay_text, shop_suite, suite_text

Run = Callable[..., Result]

_STATUS = ["select", "status", "suite.jsonl", "shop:catalog", "--result", "right-result.jsonl"]

pytestmark = pytest.mark.usefixtures("workspace")


def test_a_comparison_names_what_broke_and_how_sure_that_is(run: Run) -> None:
    """B14: exact McNemar, Newcombe, and the smallest fall that would have been seen."""
    write_results(run)

    result = run("select", "compare", "right-result.jsonl", "wrong-result.jsonl")

    assert result.code == 1
    assert result.out.splitlines()[:5] == [
        "right-result.jsonl against wrong-result.jsonl",
        "differs in chooser: replay:right.jsonl to replay:wrong.jsonl",
        "0 fixed, 6 broken, 7 right and 0 wrong both times",
        "-46.2 points (-70.9 to -13.8), p = 0.031 (exact McNemar)",
        f"broken: {', '.join(FALLEN)}",
    ]
    assert "gate the rate fell by more than chance: 6 broken, 0 fixed, p = 0.031\n" in result.out


def test_the_other_way_round_the_same_cases_are_fixed(run: Run) -> None:
    """B14: nothing that a result depends on differs between a result and itself."""
    write_results(run)

    better = json.loads(run("select", "compare", "wrong-result.jsonl", "right-result.jsonl", "--json").out)
    same = run("select", "compare", "right-result.jsonl", "right-result.jsonl")

    assert (better["comparison"]["fixed"], better["gate"]["failures"]) == (list(FALLEN), [])
    assert (same.code, "nothing that a result depends on differs" in same.out) == (0, True)


def test_results_that_differ_in_more_than_one_thing_are_refused_unless_forced(run: Run, workspace: Path) -> None:
    """B14: and says which."""
    write_results(run)
    cases = shop_suite()[:12]
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")
    Path("short.jsonl").write_text(replay_text(cases), "utf-8")
    run(
        "select", "run", "suite.jsonl", "shop:catalog", "--chooser", "replay:short.jsonl", "--out", "short-result.jsonl"
    )
    words = ["select", "compare", "right-result.jsonl", "short-result.jsonl"]

    refused, forced = run(*words), run(*words, "--force")

    assert (refused.code, refused.out, forced.code) == (2, "", 0)
    assert "suite (13 to 12 cases); chooser (replay:right.jsonl to replay:short.jsonl)" in refused.err
    assert "left out, with one verdict only: rain\n" in forced.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "bad.jsonl cannot be read: No such file or directory"),
        ("", "bad.jsonl is empty; it is no file of a run"),
        ("{}\n", "bad.jsonl is no file of a run"),
        ("facts", "bad.jsonl has no verdicts; run it to its end"),
    ],
)
def test_a_file_that_is_no_result_is_named(run: Run, text: str | None, said: str) -> None:
    """Exit code 2."""
    write_results(run)
    if text == "facts":
        text = "".join(Path("right-result.jsonl").read_text("utf-8").splitlines(keepends=True)[:5])
    if text is not None:
        Path("bad.jsonl").write_text(text, "utf-8")

    result = run("select", "compare", "right-result.jsonl", "bad.jsonl")

    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_result_holds_until_something_changes(run: Run, workspace: Path) -> None:
    """A8: the tool that changed is named; nothing is asked."""
    write_results(run)

    text = (workspace / "shop.py").read_text("utf-8")
    (workspace / "later.py").write_text(text.replace("Order pieces of one", "Buy pieces of one"), "utf-8")

    holds = run(*_STATUS)
    changed = run("select", "status", "suite.jsonl", "later:catalog", "--result", "right-result.jsonl")

    assert (holds.code, changed.code) == (0, 1)
    assert holds.out == (
        "not looked at, because nobody names it: chooser, system, temperature, max_tokens\nright-result.jsonl holds\n"
    )
    assert changed.out.startswith("catalog is another one: changed order_create\n")


def test_the_tools_that_changed_came_or_went_are_named(run: Run) -> None:
    """A8: in JSON, each kind of its own; a toolset is another routing."""
    write_results(run)

    result = run(*_STATUS, "--toolset", "stock", "--json")

    assert (result.code, json.loads(result.out)["holds"]) == (1, False)
    assert json.loads(result.out)["tools"] == {
        "added": [],
        "removed": ["operation_status", "order_create", "report_make"],
        "changed": [],
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--chooser", "openai:gpt-4o"], "chooser is another one: replay:right.jsonl to openai:gpt-4o\n"),
        (["--system", "system.txt"], "system prompt is another one: another one, or none\n"),
        (["--samples", "3"], "sampling is another one: samples 1 to 3\n"),
        (["--temperature", "0.5"], "sampling is another one: temperature (none) to 0.5\n"),
    ],
)
def test_a_chooser_or_prompt_that_is_another_one_is_seen_without_asking_it(
    run: Run, words: list[str], said: str
) -> None:
    """A8: no key is needed for it."""
    write_results(run)
    Path("system.txt").write_text("Be brief.", "utf-8")

    result = run(*_STATUS, *words)

    assert (result.code, said in result.out) == (1, True)
    assert result.out.endswith("right-result.jsonl does not hold any more; run the suite again\n")


def test_history_is_one_line_a_result_oldest_first(run: Run) -> None:
    """B14: with an interval that holds at all looks; what is no result in a folder is told of."""
    write_results(run)

    result = run("select", "history", ".")
    named = run("select", "history", "right-result.jsonl", "wrong-result.jsonl", "--json")

    lines = result.out.splitlines()
    assert (result.code, len(lines)) == (0, 3)
    assert [line.split()[1:5] for line in lines[1:]] == [
        ["right-result.jsonl", "replay:right.jsonl", "13", "of"],
        ["wrong-result.jsonl", "replay:wrong.jsonl", "7", "of"],
    ]
    assert "left out: suite.jsonl is no file of a run" in result.err
    assert [each["passed"] for each in json.loads(named.out)["results"]] == [13, 7]


def test_history_without_any_result_is_misuse(run: Run, workspace: Path) -> None:
    """Exit code 2, with what is wrong."""
    (workspace / "empty").mkdir()

    assert run("select", "history", "empty").err.endswith(
        "fourfold: there is no result; fourfold select run … --out FILE writes one\n"
    )
    assert run("select", "history", "nowhere").code == 2
    assert run("select", "history").code == 2
