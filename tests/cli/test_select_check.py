"""`fourfold select check`: what a suite says that the tools don't hold, before any model is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.suites import write_suite
from tests.selection.suites import case, eq, shop_suite, suite_text

Run = Callable[..., Result]

_CHECK = ["select", "check", "suite.jsonl", "shop:catalog"]

pytestmark = pytest.mark.usefixtures("workspace")


def test_a_suite_that_fits_is_counted_by_class(run: Run) -> None:
    """A8: no model, exit code 0."""
    write_suite()

    result = run(*_CHECK)

    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("suite.jsonl on shop:catalog: 13 cases\n  positive            6  one tool fits\n")
    assert result.out.splitlines()[-1] == "0 lines are no cases, 0 cases do not fit, 0 findings"


def test_a_contract_change_that_breaks_three_cases_names_those_three(run: Run, workspace: Path) -> None:
    """A8: a bound that was lowered, with the place in each line."""
    write_suite()
    text = (
        (workspace / "shop.py")
        .read_text("utf-8")
        .replace("Field(ge=1, le=1000)]\n\n\nclass Un", "Field(ge=1, le=3)]\n\n\nclass Un")
    )
    (workspace / "shop.py").write_text(text, "utf-8")

    result = run(*_CHECK)

    assert result.code == 1
    assert [line for line in result.out.splitlines() if " at /" in line] == [
        "order-3 at /expect/calls/0/args/pieces/eq",
        "order-4 at /expect/calls/0/args/pieces/eq",
        "order-5 at /expect/calls/0/args/pieces/eq",
    ]
    assert "  maximum 3, which the value breaks\n" in result.out


def test_lines_that_are_no_cases_are_all_named(run: Run) -> None:
    """With the place in the line; the others are checked all the same."""
    lines = [suite_text(shop_suite()[:1]).strip(), "{", '{"id": 3}', suite_text(shop_suite()[:1]).strip()]
    Path("suite.jsonl").write_text("\n".join(lines), "utf-8")

    result = run(*_CHECK, "--json")

    assert result.code == 1
    assert json.loads(result.out)["problems"] == [
        {"line": 2, "pointer": "", "what": "is no JSON (not acceptable JSON: syntax)"},
        {"line": 3, "pointer": "/id", "what": "Input should be a valid string"},
        {"line": 4, "pointer": "/id", "what": "'stock-0' is the id of a line before"},
    ]


def test_a_class_that_is_wanted_and_missing_is_a_finding(run: Run) -> None:
    """A8: as many as somebody asks for."""
    write_suite()

    result = run(*_CHECK, "--least", "2")

    assert result.code == 1
    assert "too few 1 abstain cases, and 2 are wanted\ntoo few 0 ask cases, and 2 are wanted\n" in result.out


def test_what_is_no_fault_is_told_as_a_note(run: Run) -> None:
    """A8: unreviewed cases, a text that stands in a description, tools that are others now."""
    copied = case(
        "copied", "Tell how many pieces of an article are in stock", tool="stock_get", args={"sku": eq("ABC-1234")}
    )
    old = case("old", "Rain?", reviewed=False, tools_ref=f"sha256:{'0' * 64}")
    Path("suite.jsonl").write_text(suite_text([copied, old]), "utf-8")

    result = run(*_CHECK)

    assert result.code == 0
    assert "note 1 of 2 cases are not reviewed; fourfold select review walks through them\n" in result.out
    assert "note 1 cases were recorded with other tools than these\n" in result.out
    assert "which makes it an easy one: copied in stock_get\n" in result.out


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (None, _CHECK, "suite.jsonl cannot be read: No such file or directory"),
        ("\n\n", _CHECK, "suite.jsonl holds no cases"),
        ("{}", ["select", "check", "suite.jsonl"], "name a target"),
        ("{}", ["select", "check", "suite.jsonl", "tools.json"], "tools.json cannot be read"),
        ("{}", [*_CHECK, "--least", "x"], "'x' is not a valid integer"),
    ],
)
def test_what_cannot_be_checked_is_misuse(run: Run, text: str | None, words: list[str], said: str) -> None:
    """Exit code 2."""
    if text is not None:
        Path("suite.jsonl").write_text(text, "utf-8")

    result = run(*words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err
