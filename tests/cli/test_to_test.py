"""`fourfold runs to-test`: the case that it writes runs under pytest, once its arguments are there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result

Run = Callable[..., Result]


def run_of(run: Run, *call: str) -> str:
    """The id of the run that a call leaves."""
    run("call", "shop:catalog", *call)
    return json.loads(run("runs", "list", "--json").out)["runs"][0]["run_id"]


def outcome_of(path: Path) -> subprocess.CompletedProcess[str]:
    """The case, run by a pytest of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def filled(path: Path, arguments: str) -> Path:
    """The case as its reader leaves it: with arguments, and with the word that they are there."""
    kept = path.read_text("utf-8").splitlines()
    at = next(index for index, line in enumerate(kept) if line.startswith("ARGUMENTS"))
    kept[at : at + 2] = [f"ARGUMENTS: dict[str, Any] = {arguments}", "TO_FILL_IN: list[str] = []"]
    path.write_text("\n".join(kept) + "\n", "utf-8")
    return path


def test_a_fault_becomes_a_case_that_holds_on_to_it(run: Run, workspace: Path) -> None:
    """D7: it fails until the arguments, which no record keeps, are written."""
    run_id = run_of(run, "stock_get", '{"sku": "XYZ-9999"}')

    result = run("runs", "to-test", run_id, "shop:catalog")
    path = workspace / "tests/test_stock_get_unknown_article.py"

    assert (result.code, result.out.startswith("tests/test_stock_get_unknown_article.py written; ")) == (0, True)
    unfilled = outcome_of(path).stdout
    assert "1 failed" in unfilled
    assert "fill in ARGUMENTS, which are an example" in unfilled
    assert 'CALLER = caller(tenant="acme")' in path.read_text("utf-8")
    assert "stock_get 1.0 was answered with unknown_article" in path.read_text("utf-8")
    assert "1 passed" in outcome_of(filled(path, '{"sku": "XYZ-9999"}')).stdout
    assert "1 failed" in outcome_of(filled(path, '{"sku": "LOW-0002"}')).stdout
    assert "clerk" not in path.read_text("utf-8")


def test_a_failure_becomes_a_case_that_fails_until_it_is_mended(run: Run, workspace: Path) -> None:
    """D7: an internal error is never what a test should hold on to; its text stays in the record."""
    run_id = run_of(run, "report_make")

    run("runs", "to-test", run_id, "shop:catalog", "--output", "tests/test_report.py")
    path = workspace / "tests/test_report.py"

    assert "1 failed" in outcome_of(filled(path, "{}")).stdout
    assert "hunter2" not in path.read_text("utf-8")


@pytest.mark.usefixtures("workspace")
def test_what_makes_no_case_is_refused(run: Run) -> None:
    """D7: a success, a file that is there, a run that is not."""
    done = run_of(run, "stock_get", '{"sku": "LOW-0002"}')
    invalid = run_of(run, "stock_get", "{}")
    run("runs", "to-test", invalid, "shop:catalog")

    refused = [run("runs", "to-test", *words) for words in [(done, "shop:catalog"), (invalid, "shop:catalog")]]
    unknown = run("runs", "to-test", "run_none", "shop:catalog")

    assert [result.code for result in (*refused, unknown)] == [2, 2, 2]
    assert "is done: only a refusal or a failure makes a case" in refused[0].err
    assert "is there already" in refused[1].err
    assert "no run and no reference is 'run_none'" in unknown.err
