"""`pytest --fourfold-select SUITE`, seen from a pytest of its own: a test of each reviewed case."""

from __future__ import annotations

import shutil
from importlib.metadata import entry_points

import pytest

from tests.cli.commands import FOURFOLD
from tests.meta.repository import ROOT
from tests.selection.suites import case, replay_text, shop_suite, suite_text

pytest_plugins = ["pytester"]

# The environment with the lowest versions has the sources on its path and no installed package.
_LOADED = [] if entry_points(group="pytest11", name="fourfold") else ["-p", "fourfold.pytest_plugin"]
_SHOP = ["--fourfold-select", "suite.jsonl", "--fourfold-target", "shop:catalog"]
_SERVER = f"{FOURFOLD} serve shop:catalog"
_CALLER = '[serve]\ncaller = "clerk"\n[[caller]]\nname = "clerk"\ntenant = "acme"\nprincipal = "clerk@acme"\n'
_REPLAY = ["--fourfold-chooser", "replay:answers.jsonl"]


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a shop, a suite, and answers of which two are wrong."""
    shutil.copy(ROOT / "tests/cli/catalogs/shop.py", pytester.path)
    fresh = case("fresh", "Is ABC-1000 there?", tool="stock_get", reviewed=False)
    (pytester.path / "suite.jsonl").write_text(suite_text([*shop_suite(), fresh]), "utf-8")
    answers = replay_text(shop_suite(), failing=["stock-1", "order-2"])
    (pytester.path / "answers.jsonl").write_text(answers, "utf-8")
    return pytester


def run(project: pytest.Pytester, *words: str) -> pytest.RunResult:
    """A pytest in the project, in a process of its own."""
    return project.runpytest_subprocess(*_LOADED, "-p", "no:cacheprovider", *words)


def test_each_reviewed_case_is_a_test(project: pytest.Pytester) -> None:
    """A8: one that is wrong says what was wanted and what was chosen, without a traceback."""
    result = run(project, *_SHOP, *_REPLAY, "-v")

    assert (result.ret, result.parseoutcomes()) == (1, {"passed": 11, "failed": 2})
    result.stdout.fnmatch_lines(["select::positive?stock-0? PASSED*", "select::positive?stock-1? FAILED*"])
    result.stdout.fnmatch_lines(["stock-1: wrong_tool; wanted stock_get, chosen report_make"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*fresh*")


def test_cases_are_chosen_by_name(project: pytest.Pytester) -> None:
    """A8: with -k, by class or id; the others are not asked."""
    result = run(project, *_SHOP, *_REPLAY, "-k", "abstain or stock-0")

    assert (result.ret, result.parseoutcomes()) == (0, {"passed": 2, "deselected": 11})


def test_a_baseline_is_judged_by_the_tool_alone(project: pytest.Pytester) -> None:
    """B14: its calls have no arguments."""
    (project.path / "fourfold.toml").write_text('[select]\nrule = "exact"\nchooser = "bm25"\n', "utf-8")
    (project.path / "suite.jsonl").write_text(
        suite_text([case("a", "How many pieces are in stock?", tool="stock_get")]), "utf-8"
    )

    assert run(project, *_SHOP).ret == 0


def test_an_answer_that_nobody_can_judge_is_skipped_and_one_that_never_came_fails(project: pytest.Pytester) -> None:
    """A8: neither is right."""
    unclear = case("unclear", "Hm", case_class="abstain")
    missing = case("missing", "Well", case_class="abstain")
    (project.path / "suite.jsonl").write_text(suite_text([unclear, missing]), "utf-8")
    answers = replay_text([unclear]).replace("I can't do that.", "I can't. Which one?")
    (project.path / "answers.jsonl").write_text(answers, "utf-8")

    result = run(project, *_SHOP, *_REPLAY, "-rs")

    assert result.parseoutcomes() == {"skipped": 1, "failed": 1}
    result.stdout.fnmatch_lines(["*missing: infra_error; wanted (none), chosen (none)"])
    result.stdout.fnmatch_lines(["SKIPPED*no rule can tell; a person has to read the answer"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fourfold-select", "suite.jsonl"], "*needs --fourfold-target TARGET and --fourfold-chooser SPEC"),
        ([*_SHOP, "--fourfold-chooser", "gpt"], "*--fourfold-select suite.jsonl: no chooser is called 'gpt'*"),
        (["--fourfold-select", "none.jsonl", *_SHOP[2:], *_REPLAY], "*none.jsonl cannot be read*"),
        ([*_SHOP[:2], "--fourfold-target", "none:catalog", *_REPLAY], "*--fourfold-select suite.jsonl: *none*"),
    ],
)
def test_what_cannot_be_run_is_an_error_of_usage(project: pytest.Pytester, words: list[str], said: str) -> None:
    """Before any test runs."""
    result = run(project, *words)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])


def test_a_saved_list_and_a_command_are_targets(project: pytest.Pytester) -> None:
    """Any server, whoever wrote it."""
    tools = '{"tools": [{"name": "stock_get", "inputSchema": {"type": "object", "properties": {"sku": {}}}}]}'
    (project.path / "tools.json").write_text(tools, "utf-8")
    (project.path / "fourfold.toml").write_text(_CALLER, "utf-8")

    saved = run(project, *_SHOP[:2], "--fourfold-target", "tools.json", *_REPLAY, "-k", "stock-0")
    started = run(project, *_SHOP[:2], "--fourfold-target", _SERVER, *_REPLAY, "-k", "stock-0")

    assert (saved.ret, started.ret) == (0, 0)
