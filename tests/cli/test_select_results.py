"""`fourfold select compare`, `status` and `history`: what results say together, and whether they still hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.suites import FALLEN, write_results, write_suite
from tests.selection.suites import case, replay_text, shop_suite, suite_text

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
        ["right-result.jsonl", "suite.jsonl", "replay:right.jsonl", "13"],
        ["wrong-result.jsonl", "suite.jsonl", "replay:wrong.jsonl", "7"],
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


def test_a_run_keeps_its_result_in_the_store_that_is_named(run: Run) -> None:
    """B14: made if it is a file that isn't there; the same answers once more are the same result."""
    write_suite()
    words = ["select", "run", "suite.jsonl", "shop:catalog", "--store", "sqlite:///kept.db"]
    for name in ("right", "right", "wrong"):
        assert run(*words, "--chooser", f"replay:{name}.jsonl", "--out", f"{name}-result.jsonl").code == 0

    told = json.loads(run("select", "history", "--store", "sqlite:///kept.db", "--json").out)["results"]

    # Both may be of one second.
    assert sorted((each["name"], each["suite"], each["passed"]) for each in told) == [
        ("right-result.jsonl", "suite.jsonl", 13),
        ("wrong-result.jsonl", "suite.jsonl", 7),
    ]


def test_a_configured_store_is_written_to_once_it_is_there(run: Run, workspace: Path) -> None:
    """B14: a run doesn't make it, and says so; it is the one that history reads, too."""
    write_suite()
    configured = (workspace / "fourfold.toml").read_text("utf-8")
    placed = configured.replace("[serve]\n", '[serve]\nstore = "sqlite:///shop.db"\n')
    (workspace / "fourfold.toml").write_text(placed, "utf-8")
    words = ["select", "run", "suite.jsonl", "shop:catalog", "--chooser", "replay:right.jsonl"]

    before = run(*words)
    run("migrate")
    after = run(*words)
    told = run("select", "history")

    assert "note sqlite:///shop.db, the configured store, is not there or is old: the result is not kept" in before.out
    assert (before.code, after.code, "the configured store" in after.out) == (0, 0, False)
    assert [line.split()[1:4] for line in told.out.splitlines()[1:]] == [["-", "suite.jsonl", "replay:right.jsonl"]]


def test_a_configured_store_that_is_not_to_be_reached_keeps_nobody_from_a_run(run: Run, workspace: Path) -> None:
    """B14: it may be that of a server elsewhere; one that is named has to be there."""
    write_suite()
    configured = (workspace / "fourfold.toml").read_text("utf-8")
    placed = configured.replace("[serve]\n", '[serve]\nstore = "postgresql://app:hush5@127.0.0.1:1/books"\n')
    (workspace / "fourfold.toml").write_text(placed, "utf-8")
    words = ["select", "run", "suite.jsonl", "shop:catalog", "--chooser", "replay:right.jsonl"]

    found, named = run(*words), run(*words, "--store", "postgresql://app:hush5@127.0.0.1:1/books")

    assert (found.code, named.code, named.out) == (0, 3, "")
    assert "the configured store, is not there or is old: the result is not kept in it" in found.out
    assert "hush5" not in found.out + named.err


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("memory:", "memory: keeps nothing after its process"),
        ("mysql://x", "a store is named sqlite:///path/to/file.db"),
        ("sqlite:///old.db", "sqlite:///old.db has not the tables of this version; fourfold migrate adds them"),
    ],
)
def test_a_store_that_could_not_be_written_to_is_refused_before_anything_is_asked(
    run: Run, store: str, said: str
) -> None:
    """Exit code 2: an answer costs money."""
    write_suite()
    Path("old.db").touch()

    refused = run("select", "run", "suite.jsonl", "shop:catalog", "--chooser", "bm25", "--store", store)

    assert (refused.code, refused.out, said in refused.err) == (2, "", True)


def test_older_files_are_put_into_the_store(run: Run) -> None:
    """B14: by hand, once each."""
    write_results(run)
    words = ["select", "history", "--add", "right-result.jsonl", "--add", "wrong-result.jsonl", "--store"]

    first, again = (run(*words, "sqlite:///kept.db") for _ in range(2))

    assert (first.err, again.err) == (
        "2 of 2 results are new in the store\n",
        "0 of 2 results are new in the store\n",
    )
    # Both may be of one second.
    assert {line.split()[3] for line in again.out.splitlines()[1:]} == {"replay:right.jsonl", "replay:wrong.jsonl"}


def test_a_run_that_is_not_whole_is_no_result_and_is_not_kept(run: Run) -> None:
    """B14: nobody shall compare with half of it."""
    write_suite()
    Path("other.jsonl").write_text(replay_text([case("other", "Are you there?")]), "utf-8")
    words = ["--chooser", "replay:other.jsonl", "--store", "sqlite:///kept.db"]

    whole = run("select", "run", "suite.jsonl", "shop:catalog", *words)

    assert whole.code == 3
    assert not Path("kept.db").exists()


def test_what_history_is_asked_of_is_told_apart(run: Run) -> None:
    """Exit code 2: files or the store; a suite that the store has no result of."""
    write_results(run)
    run("select", "history", "--add", "right-result.jsonl", "--store", "sqlite:///kept.db")

    both = run("select", "history", "right-result.jsonl", "--suite", "x")
    none = run("select", "history", "--suite", "x", "--store", "sqlite:///kept.db")

    assert (both.code, none.code) == (2, 2)
    assert "--add and --suite are about the store; leave out the files" in both.err
    assert "the store has no such result; fourfold select run … --store URL keeps one" in none.err
