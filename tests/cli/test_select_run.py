"""`fourfold select run`: what it shows, how it ends, what it keeps, and what it refuses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourfold.model.case import EndState
from fourfold.model.chosen import ChosenCall
from fourfold.selection.recorded import recorded_line
from tests.cli.commands import Result
from tests.cli.suites import FALLEN, write_results, write_suite
from tests.selection.suites import answer, case, eq, lines_of, recorded, replay_text, right, shop_suite, suite_text

Run = Callable[..., Result]

_RUN = ["select", "run", "suite.jsonl", "shop:catalog"]
_RIGHT = [*_RUN, "--chooser", "replay:right.jsonl"]
_WRONG = [*_RUN, "--chooser", "replay:wrong.jsonl"]

pytestmark = pytest.mark.usefixtures("workspace")


def facts(result: Result) -> dict[str, Any]:
    """What `--json` has printed."""
    found: dict[str, Any] = json.loads(result.out)
    return found


def test_a_run_that_is_right_passes_with_rates_and_intervals(run: Run) -> None:
    """A8, B14: with n, and with what so few cases could have shown."""
    write_suite()

    result = run(*_RIGHT)

    assert (result.code, result.err) == (0, "")
    assert "suite.jsonl on shop:catalog, chosen by replay:right.jsonl\n13 cases, 1 sample each" in result.out
    assert "  near_neighbour       6 of 6       100.0 %  too few\n" in result.out
    assert "  order_create.pieces         6 of 6       100.0 %  too few\n" in result.out
    assert "13 cases show a fall of " in result.out
    assert result.out.splitlines()[-1] == "13 of 13 right, 100.0 % (77.2 to 100.0 %)"


def test_the_calls_are_made_on_a_throwaway_store_where_a_case_names_an_end_state(run: Run, workspace: Path) -> None:
    """B11: task success, beside the verdict on the call; nothing is made where nobody asks for it."""
    state = EndState(read="stock_get", args={"sku": "ABC-1234"}, holds={"/pieces": eq(897)})
    args = {"customer": eq("C001"), "sku": eq("ABC-1234"), "pieces": eq(3)}
    names = ("as-said", "in-words")
    orders = [case(name, f"Three of ABC-1234, {name}", tool="order_create", args=args) for name in names]
    cases = [replace(each, expect=replace(each.expect, state=(state,))) for each in orders]
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")
    other = ChosenCall(name="order_create", arguments={"customer": "C002", "sku": "ABC-1234", "pieces": 3})
    answers = [recorded(cases[0], right(cases[0])), recorded(cases[1], answer(other))]
    Path("right.jsonl").write_text("".join(f"{recorded_line(each)}\n" for each in answers), "utf-8")

    told, plain = facts(run(*_RIGHT, "--execute", "--json")), facts(run(*_RIGHT, "--json"))
    page = run(*_RIGHT, "--execute", "--format", "html").out
    text = run(*_RIGHT, "--execute", "--caller", "reader").out

    assert (told["tasks"]["done"]["passed"], told["tasks"]["wrong_done"], plain["tasks"]) == (2, ["in-words"], None)
    assert "Tasks, once the calls were made on a new store" in page
    assert "not the expected call, and the end state is there: in-words" in page
    assert "  the right call, and the end state is not there: as-said\n" in text
    assert not [*workspace.rglob("*.db")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop:catalog", "--caller", "clerk"], "--caller makes the calls of --execute; name both"),
        (["shop:catalog", "--execute", "--caller", "nobody"], "nobody"),
        (["tools.json", "--execute"], "--execute needs a catalog (module:catalog)"),
    ],
)
def test_calls_are_made_for_a_catalog_by_somebody_who_is_configured(run: Run, words: list[str], said: str) -> None:
    """Exit code 2."""
    write_suite()
    listed = json.loads(run("tools", "shop:catalog", "--json").out)["tools"]
    Path("tools.json").write_text(json.dumps({"tools": listed}), "utf-8")

    refused = run("select", "run", "suite.jsonl", *words, "--chooser", "bm25")

    assert (refused.code, refused.out, said in refused.err) == (2, "", True)


def test_what_is_wrong_is_told_by_reason_tool_and_case(run: Run) -> None:
    """B11: the confusion map in text names the tool that was taken for another."""
    write_suite()

    result = run(*_WRONG)

    assert result.code == 0  # nothing that must pass fails, and there is nothing to compare with
    assert "  wrong_tool       6  another tool was called\n" in result.out
    assert "  stock_get -> report_make: 5\n  order_create -> report_make: 1\n" in result.out
    assert "  stock-4 wrong_tool\n  order-1 wrong_tool\n" in result.out
    assert "tokens       1,200 in (0 of them cached), 240 out, of 12 answers" in result.out
    assert "first token  0.10 s in the middle" in result.out


def test_the_gate_fails_on_a_fall_that_is_more_than_chance(run: Run) -> None:
    """B14: six broken and none fixed, with the ids; the same result against itself passes."""
    write_results(run)

    fell = run(*_WRONG, "--against", "right-result.jsonl")
    same = run(*_RIGHT, "--against", "right-result.jsonl")

    assert (fell.code, same.code) == (1, 0)
    assert f"  broken: {', '.join(FALLEN)}\n" in fell.out
    assert "gate the rate fell by more than chance: 6 broken, 0 fixed, p = 0.031\n" in fell.out
    assert "0 fixed, 0 broken, 13 right and 0 wrong both times\n" in same.out


def test_the_gate_fails_on_one_case_that_must_pass(run: Run) -> None:
    """B14: without any comparison."""
    write_suite()
    Path("wrong.jsonl").write_text(replay_text(shop_suite(), failing=["order-0"]), "utf-8")

    result = run(*_WRONG)

    assert result.code == 1
    assert "gate order-0 must pass, and fails in most samples\n" in result.out


def test_the_gate_looks_at_what_was_held_out(run: Run) -> None:
    """B14: a description that was written with a case in sight learns nothing from it; all are held out by default."""
    write_suite()
    cases = [case(f"tune-{at}", f"Will it rain on day {at}?", split="tune", case_class="abstain") for at in range(8)]
    Path("suite.jsonl").write_text(suite_text([*shop_suite(), *cases]), "utf-8")
    Path("right.jsonl").write_text(replay_text([*shop_suite(), *cases]), "utf-8")
    Path("wrong.jsonl").write_text(replay_text([*shop_suite(), *cases], failing=[each.id for each in cases]), "utf-8")
    run(*_RIGHT, "--out", "first.jsonl")

    result = run(*_WRONG, "--against", "first.jsonl", "--json")

    assert (result.code, facts(result)["gate"]) == (0, {"failures": [], "warnings": []})
    assert len(facts(result)["comparison"]["broken"]) == 8
    assert (
        "the gate looks at 13 of 21 cases: those that are held out, and those that must pass"
        in (facts(result)["remarks"])
    )


def test_what_was_answered_is_kept_and_not_asked_again(run: Run) -> None:
    """A8: facts, answers, verdicts, one line each; a second run over the same file changes nothing."""
    write_suite()
    run(*_RIGHT, "--out", "kept.jsonl")
    before = Path("kept.jsonl").read_bytes()
    run(*_RIGHT, "--out", "kept.jsonl")
    other = run(*_RUN, "--chooser", "bm25", "--out", "kept.jsonl")

    lines = lines_of(Path("kept.jsonl"))
    assert Path("kept.jsonl").read_bytes() == before
    assert [line.get("format", "answer") for line in lines] == [
        "fourfold/select-run/v1",
        *["answer"] * 13,
        "fourfold/select-verdicts/v1",
    ]
    assert (other.code, other.err) == (
        2,
        "fourfold: kept.jsonl is of another run: chooser differ; name another file\n",
    )


def test_another_rule_over_the_same_answers_is_another_result(run: Run) -> None:
    """B14: the last verdicts count; nothing is asked."""
    write_suite()
    run(*_RIGHT, "--out", "kept.jsonl")

    again = run(*_RIGHT, "--out", "kept.jsonl", "--rule", "lenient", "--json")

    assert facts(again)["rule"] == "lenient"
    assert [line["rule"] for line in lines_of(Path("kept.jsonl")) if "verdicts" in line] == ["exact", "lenient"]


def test_a_baseline_is_scored_on_the_tool_alone_and_says_so(run: Run) -> None:
    """B14: arguments are not its own; a suite that it solves is too easy."""
    cases = [case(f"s-{at}", f"Is article {at} in stock?", tool="stock_get") for at in range(10)]
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")

    result = run(*_RUN, "--chooser", "bm25")

    assert result.code == 0
    assert "rule: tools\n" in result.out
    assert "note bm25 is scored on the tool alone: arguments are not counted\n" in result.out
    assert "counting words alone finds the tool of 10 of 10 calls; add near neighbours\n" in result.out


def test_only_what_is_reviewed_is_asked(run: Run) -> None:
    """A8: what an import has found is what a model did, and not yet what is right."""
    fresh = case("fresh", "Is ABC-1000 there?", tool="stock_get", reviewed=False)
    Path("suite.jsonl").write_text(suite_text([fresh]), "utf-8")

    none = run(*_RUN, "--chooser", "bm25")
    Path("suite.jsonl").write_text(suite_text([*shop_suite(), fresh]), "utf-8")
    some = facts(run(*_RUN, "--chooser", "bm25", "--json"))
    every = facts(run(*_RUN, "--chooser", "bm25", "--json", "--unreviewed"))

    assert (none.code, none.err.startswith("fourfold: no case of suite.jsonl is reviewed")) == (2, True)
    assert (some["facts"]["cases"], every["facts"]["cases"]) == (13, 14)
    assert "1 cases that nobody has reviewed were left out" in some["remarks"]


@pytest.mark.parametrize(
    ("words", "cases"),
    [
        (["--class", "abstain"], 1),
        (["--class", "abstain", "--class", "positive"], 7),
        (["--only", "order-1"], 1),
        (["--only", "shelf"], 6),
        (["--only", "order_create"], 6),
        (["--split", "holdout"], 13),
    ],
)
def test_a_part_of_the_suite_can_be_asked(run: Run, words: list[str], cases: int) -> None:
    """A8: by class, id, label, tool and split."""
    write_suite()

    assert facts(run(*_RIGHT, "--json", *words))["facts"]["cases"] == cases


def test_samples_that_do_not_agree_are_told(run: Run) -> None:
    """B14: pass^1, pass^2, and the share of cases that flip."""
    write_suite()
    text = replay_text(shop_suite(), samples=2).splitlines()
    text[1] = text[1].replace("stock_get", "order_create")  # the second sample of the first case
    Path("right.jsonl").write_text("\n".join(text), "utf-8")

    result = run(*_RIGHT, "--samples", "2")

    assert "repeats, 2 samples each, resampled by case\n  pass^1   96.2 %" in result.out
    assert "  pass^2   92.3 %" in result.out
    assert "  cases whose samples do not agree: 7.7 %\n" in result.out


def test_answers_that_never_came_leave_the_run_open(run: Run) -> None:
    """A8: a replay that has none of them is not a run that passed, and no case of it is right."""
    write_suite()
    Path("right.jsonl").write_text(replay_text([case("other", "Something else")]), "utf-8")
    Path("suite.jsonl").write_text(suite_text(shop_suite()[:6]), "utf-8")

    result = run(*_RIGHT)

    assert result.code == 3
    assert result.out.splitlines()[-1] == "0 of 0 right, - (too few); 6 without an answer"


def test_the_page_draws_the_map_and_the_intervals(run: Run) -> None:
    """B11: in one file that loads nothing; what is foreign is escaped."""
    write_suite()
    hostile = case("x", "Hello", tool="stock_get", labels=("<script>",))
    Path("suite.jsonl").write_text(suite_text([*shop_suite(), hostile]), "utf-8")

    page = run(*_WRONG, "--format", "html").out

    assert '<svg class="map"' in page
    assert '<svg class="bar"' in page
    assert "<title>stock_get -> report_make: 5</title>" in page
    assert "<script" not in page
    assert "src=" not in page


def test_a_cap_in_money_stops_before_it_is_passed(run: Run) -> None:
    """A8: it needs a price; what was answered before is paid for, too."""
    write_suite()
    priced = ["--output-price", "10", "--input-price", "2.50"]

    costs = facts(run(*_RIGHT, *priced, "--json"))
    stopped = run(*_RIGHT, *priced, "--max-cost", "0.0001", "--out", "capped.jsonl")
    without = run(*_RIGHT, "--max-cost", "1")

    assert costs["effort"]["cost"] == "0.00540000"
    assert stopped.code == 3
    assert "note the run ended early (budget); the same command with the same --out goes on with it\n" in stopped.out
    assert (without.code, "--max-cost needs --output-price" in without.err) == (2, True)


def test_settings_stand_in_the_configuration(run: Run, workspace: Path) -> None:
    """Suite, chooser, samples, rule and instructions; an option wins."""
    write_suite(samples=2)
    Path("system.txt").write_text("Be brief.", "utf-8")
    section = (
        'suite = "suite.jsonl"\nchooser = "replay:right.jsonl"\nsamples = 2\nrule = "lenient"\nsystem = "system.txt"'
    )
    with (workspace / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[select]\n{section}\n")

    configured = facts(run("select", "run", "shop:catalog", "--json"))
    chosen = facts(run("select", "run", "shop:catalog", "--json", "--samples", "1", "--rule", "exact"))

    assert (configured["facts"]["samples"], configured["rule"]) == (2, "lenient")
    assert configured["facts"]["system"].startswith("sha256:")
    assert (chosen["facts"]["samples"], chosen["rule"]) == (1, "exact")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('api_key_env = "sk-0123456789"', "select.api_key_env: String should match pattern"),
        ('rule = "loose"', "select.rule: Input should be 'exact', 'lenient' or 'tools'"),
        ("samples = 0", "select.samples: Input should be greater than or equal to 1"),
        ('model = "gpt-4o"', "select.model: Extra inputs are not permitted"),
        ('system = "none.txt"', "none.txt, the instructions, cannot be read"),
        ('chooser = "gpt"', "no chooser is called 'gpt'"),
    ],
)
def test_a_setting_that_is_wrong_is_named(run: Run, workspace: Path, line: str, said: str) -> None:
    """With its place, and never with what may be a key."""
    write_suite()
    with (workspace / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write(f"[select]\n{line}\n")
    chooser = [] if line.startswith("chooser") else ["--chooser", "bm25"]

    result = run(*_RUN, *chooser)

    assert (result.code, result.out, said in result.err) == (2, "", True)
    assert "sk-0123456789" not in result.err


def test_a_result_that_differs_in_two_things_is_refused_before_anything_is_asked(run: Run, workspace: Path) -> None:
    """B14: chooser and catalog, named with the tool that changed."""
    write_results(run)
    shutil.copy(workspace / "shop.py", workspace / "other.py")
    text = (workspace / "other.py").read_text("utf-8").replace("Order pieces of one", "Buy pieces of one")
    (workspace / "other.py").write_text(text, "utf-8")
    words = ["select", "run", "suite.jsonl", "other:catalog", "--chooser", "replay:wrong.jsonl", "--out", "new.jsonl"]

    refused = run(*words, "--against", "right-result.jsonl")
    before = Path("new.jsonl").exists()
    forced = run(*words, "--against", "right-result.jsonl", "--force")

    assert (refused.code, before, forced.code) == (2, False, 1)
    assert "differ in 2 things" in refused.err
    assert "catalog (changed order_create); chooser (replay:right.jsonl to replay:wrong.jsonl)" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["suite.jsonl", "shop:catalog"], "name what chooses with --chooser, such as --chooser bm25"),
        (["suite.jsonl"], "name a target"),
        (["shop:catalog", "--chooser", "bm25"], "name a suite (a file .jsonl)"),
        (["suite.jsonl", "shop:catalog", "more", "--chooser", "bm25"], "unexpected 'more' after the target"),
        (["suite.jsonl", "shop:catalog", "--chooser", "gpt"], "no chooser is called 'gpt'"),
        (["suite.jsonl", "shop:catalog", "--chooser", "bm25:x"], "no chooser is called 'bm25:x'"),
        (["suite.jsonl", "shop:catalog", "--chooser", "replay:none.jsonl"], "none.jsonl cannot be read"),
        (["suite.jsonl", "shop:catalog", "--chooser", "openai:gpt-4o"], "name a file for the answers with --out"),
        (["suite.jsonl", "shop:catalog", "--chooser", "openai:x", "--out", "o.jsonl"], "OPENAI_API_KEY is not set"),
        (["none.jsonl", "shop:catalog", "--chooser", "bm25"], "none.jsonl cannot be read"),
        (["suite.jsonl", "shop:catalog", "--chooser", "bm25", "--only", "nothing"], "suite.jsonl has no such cases"),
        (["suite.jsonl", "shop:catalog", "--chooser", "bm25", "--toolset", "none"], "offers no tools in none"),
        (["suite.jsonl", "shop:catalog", "--chooser", "bm25", "--against", "suite.jsonl"], "is no file of a run"),
    ],
)
def test_what_cannot_be_run_is_refused_with_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    """Exit code 2, one sentence."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_suite()

    result = run("select", "run", *words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_toolset_is_offered_alone(run: Run) -> None:
    """A8: routing is compared like any other change; the digest of the catalog is that of what was offered."""
    write_suite()

    result = facts(run(*_RIGHT, "--toolset", "stock", "--json"))

    assert [tool["name"] for tool in result["facts"]["tools"]] == ["stock_get"]
