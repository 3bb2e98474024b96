"""`fourfold prove` on a catalog, a URL and a command: what it prints, how it ends, what it leaves for the checklist."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving

Run = Callable[..., Result]

ANSWERED = ["--only", "valid-is-answered"]
"""A check that `report_make`, which breaks, fails."""
ESCAPING = "x\u001b[31m"
ENDING = f"""\
import os, sys, json
TOOLS = [{{"name": {ESCAPING!r}, "inputSchema": {{"type": "object"}}, "annotations": {{"readOnlyHint": True}}}}]
ANSWERS = {{
    "initialize": {{"protocolVersion": "2025-06-18", "capabilities": {{"tools": {{}}}},
                   "serverInfo": {{"name": "ending", "version": "1"}}}},
    "tools/list": {{"tools": TOOLS}},
}}
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "tools/call":
        os._exit(3)
    if "id" in message:
        found = ANSWERS.get(message["method"])
        said = {{"result": found}} if found else {{"error": {{"code": -32601, "message": "no such method"}}}}
        print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], **said}}), flush=True)
"""
"""A server that lists one tool and ends when anything is called."""


def evidence(kind: str) -> dict[str, Any] | None:
    """The results that were left, without the seed."""
    path = Path(f".fourfold/evidence/{kind}.json")
    return {**json.loads(path.read_text("utf-8"))["results"], "seed": 0} if path.exists() else None


@pytest.mark.usefixtures("workspace")
def test_a_failure_comes_with_the_call_that_shows_it(run: Run) -> None:
    """B12: what should hold, what was seen instead, and a line to paste."""
    result = run("prove", "shop:catalog", *ANSWERED, "--only", "list-is-stable", "--seed", "7")

    assert result.code == 1
    assert "failed valid-is-answered report_make\n  should hold: " in result.out
    assert "\n  fourfold call shop:catalog report_make '{}'\n" in result.out
    assert "\n  list-is-stable          1       0           0\n" in result.out
    assert result.out.splitlines()[-1].endswith(" calls, seed 7")


@pytest.mark.usefixtures("workspace")
def test_where_nothing_failed_the_exit_code_is_zero(run: Run) -> None:
    """B12: a check of the server as a whole. Standard error, which is no terminal, has what handlers print."""
    result = run("prove", "shop:catalog", "--only", "list-is-stable")

    assert (result.code, {*result.err.splitlines()} <= {"looking into the shelves"}) == (0, True)
    assert "\n1 passed, 0 failed, 0 not tested; " in result.out


@pytest.mark.usefixtures("workspace")
def test_what_was_not_tested_counts_against_a_catalog_unless_somebody_allows_it(run: Run, workspace: Path) -> None:
    """B12: never green without having looked; who lets it pass says so, here or in fourfold.toml."""
    words = ["prove", "shop:catalog", "--only", "effect", "--only", "list-is-stable"]

    against = run(*words)
    allowed = run(*words, "--allow-untested", "effect")
    with (workspace / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write('[prove]\nallow_untested = ["effect"]\n')

    assert against.code == 1
    assert "to test it: allow it with --writes" in against.out
    assert " not tested (" in against.out.splitlines()[-1]
    assert allowed.code == 0
    assert "same-key-one-effect: order_create (allowed)\n" in allowed.out
    assert run(*words).code == 0


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop:catalog", "--only", "stock_gett"], "'stock_gett'; did you mean stock_get?"),
        (["shop:catalog", "--allow-untested", "efect"], "'efect'; did you mean effect?"),
        (["shop:catalog", "more"], "unexpected 'more' after the target"),
        (["shop:catalog", "--callers", "nobody.toml"], "nobody.toml"),
        (["http://127.0.0.1:9/mcp"], "could not be reached"),
        ([], "name a target"),
    ],
)
def test_misuse_is_told_apart_from_failures(run: Run, words: list[str], said: str) -> None:
    """A misspelled name would run nothing, and nothing would fail."""
    result = run("prove", *words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.usefixtures("workspace")
def test_the_same_seed_makes_the_same_calls(run: Run) -> None:
    """B12: a failure that came once can be had again."""
    once, again = (json.loads(run("prove", "shop:catalog", *ANSWERED, "--json").out) for _ in range(2))

    assert once == again
    assert once["seed"] == 1
    assert once["revision"] == "2026-07-28"


@pytest.mark.usefixtures("workspace")
def test_the_calls_of_a_run_are_bounded(run: Run) -> None:
    """B12: what they do not suffice for was not tested."""
    result = run("prove", "shop:catalog", *ANSWERED, "--max-calls", "1")

    assert result.code == 1
    assert "the 1 calls that are allowed were used up\n    to test it: allow more with --max-calls\n" in result.out


def test_examples_that_work_are_called_with(run: Run, workspace: Path) -> None:
    """B12: where no article number can be made up that exists, the team names one."""
    with (workspace / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write('[[prove.example]]\ntool = "stock_get"\narguments = { sku = "LOW-0002" }\n')

    result = run("prove", "shop:catalog", "--only", "output-conforms", "--json")

    (verdict,) = [it for it in json.loads(result.out)["verdicts"] if it["tool"] == "stock_get"]
    assert verdict["status"] == "passed"


def test_an_example_that_its_tool_does_not_take_is_the_fault_of_the_file(run: Run, workspace: Path) -> None:
    """B12: the tool would be blamed for refusing it."""
    with (workspace / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write('[[prove.example]]\ntool = "stock_get"\narguments = { number = "LOW-0002" }\n')

    result = run("prove", "shop:catalog", "--only", "output-conforms")

    assert result.code == 2
    assert "[[prove.example]] for stock_get does not fit the tool's schema: " in result.err


@pytest.mark.usefixtures("workspace")
def test_a_build_server_gets_junit(run: Run) -> None:
    """B12: a case for each check and tool; what had to be tested and was not is an error."""
    result = run("prove", "shop:catalog", *ANSWERED, "--only", "same-key-one-effect", "--format", "junit")

    root = ET.fromstring(result.out)  # noqa: S314  # our own output
    cases = {(case.get("classname"), case.get("name")): [each.tag for each in case] for case in root.iter("testcase")}
    assert cases["contract.valid-is-answered", "report_make"] == ["failure"]
    assert cases["contract.valid-is-answered", "stock_get"] == []
    assert cases["effect.same-key-one-effect", "order_create"] == ["error"]
    assert int(root.get("tests", "0")) == len(cases)


@pytest.mark.usefixtures("workspace")
def test_a_code_host_gets_sarif(run: Run) -> None:
    """B12: failures as results; what was not tested as an open question (SARIF 2.1.0, 3.27.9)."""
    log = json.loads(run("prove", "shop:catalog", *ANSWERED, "--only", "same-key-one-effect", "--format", "sarif").out)

    (sarif,) = log["runs"]
    results = {result["ruleId"]: result for result in sarif["results"]}
    rules = {rule["id"] for rule in sarif["tool"]["driver"]["rules"]}
    assert (results["valid-is-answered"]["kind"], results["valid-is-answered"]["level"]) == ("fail", "error")
    assert (results["same-key-one-effect"]["kind"], results["same-key-one-effect"]["level"]) == ("open", "none")
    assert {*results} <= rules


@pytest.mark.usefixtures("workspace")
def test_the_page_needs_no_other_file(run: Run) -> None:
    """B12: one HTML file with the failure and the call."""
    page = run("prove", "shop:catalog", *ANSWERED, "--format", "html").out

    assert page.startswith("<!DOCTYPE html>")
    assert "fourfold call shop:catalog report_make" in page
    assert "<script" not in page
    assert "src=" not in page


@pytest.mark.usefixtures("workspace")
def test_evidence_is_left_for_what_ran_as_a_whole(run: Run) -> None:
    """B15: single checks prove no family; a failure counts all the same."""
    run("prove", "shop:catalog", "--only", "codes-declared", "--only", "effect")

    assert evidence("contract") is None
    effect = evidence("effect")
    assert effect is not None
    assert effect["not_tested"] > 0

    run("prove", "shop:catalog", *ANSWERED)
    contract = evidence("contract")
    assert contract is not None
    assert contract["failed"] == 1


@pytest.mark.usefixtures("workspace")
def test_a_box_stays_open_for_what_was_not_tested(run: Run) -> None:
    """B15: the checklist says how many, and what would change it."""
    run("prove", "shop:catalog", "--only", "effect", "--allow-untested", "effect")
    boxes = {box["text"]: box for box in json.loads(run("checklist", "shop:catalog", "--json").out)["boxes"]}
    handles = boxes["Handles are opaque, scoped, protected and expire"]

    assert not handles["ticked"]
    assert handles["next_step"] == "run fourfold review TARGET"
    run("review", "shop:catalog")
    boxes = {box["text"]: box for box in json.loads(run("checklist", "shop:catalog", "--json").out)["boxes"]}
    assert boxes["Handles are opaque, scoped, protected and expire"]["ticked"]
    run("prove", "shop:catalog", "--only", "effect")
    boxes = {box["text"]: box for box in json.loads(run("checklist", "shop:catalog", "--json").out)["boxes"]}
    assert "checks of effect were not tested" in boxes["Handles are opaque, scoped, protected and expire"]["reason"]


@pytest.mark.usefixtures("workspace")
def test_a_running_server_is_proved_with_the_token_of_the_environment() -> None:
    """B12: and one that is started; what is not tested is no failure of a server that is not ours."""
    words = ["--only", "list-is-stable", "--only", "same-key-one-effect", "--json"]
    with serving("--http", "127.0.0.1:0") as server:
        running = fourfold("prove", server.url, *words, token=TOKEN)
    started = fourfold("prove", *words, "--", FOURFOLD, "serve", "shop:catalog")

    for result in (running, started):
        assert result.code == 0, result.err
        assert json.loads(result.out)["strict"] is False


def test_a_server_that_ends_has_failed_with_the_call_that_ended_it(workspace: Path) -> None:
    """B12: the verdicts until then stand, no evidence says otherwise, and no terminal is sent what it would obey."""
    (workspace / "ending.py").write_text(ENDING, "utf-8")

    result = fourfold("prove", "--only", "contract", "--", sys.executable, "ending.py")

    assert result.code == 1
    assert "failed server-answers\n" in result.out
    assert f"fourfold call 'x\\x1b[31m' '{{}}' -- {sys.executable} ending.py\n" in result.out
    assert "\x1b" not in result.out
    assert [(evidence(kind) or {}).get("failed") for kind in ("contract", "effect", "tenant")] == [1, 1, 1]


@pytest.mark.usefixtures("workspace")
def test_callers_of_a_server_are_named_in_a_file_without_their_tokens(workspace: Path) -> None:
    """A token is in the environment, never among the words of a command."""
    entry = '[[caller]]\nname = "{0}"\ntenant = "{0}"\nprincipal = "p"\ntoken_env = "TOKEN_OF_{1}"\n'
    (workspace / "callers.toml").write_text(entry.format("acme", "ACME") + entry.format("globex", "GLOBEX"), "utf-8")
    words = ["--callers", "callers.toml", "--only", "list-is-stable"]

    with serving("--http", "127.0.0.1:0") as server:
        missing = fourfold("prove", server.url, *words, TOKEN_OF_ACME=TOKEN)
        same = fourfold("prove", server.url, *words, TOKEN_OF_ACME=TOKEN, TOKEN_OF_GLOBEX=TOKEN)
        wrong = fourfold("prove", server.url, *words, TOKEN_OF_ACME=TOKEN, TOKEN_OF_GLOBEX="tok-of-nobody")

    assert (missing.code, missing.err) == (
        2,
        "fourfold: the token of caller globex is not there: set TOKEN_OF_GLOBEX\n",
    )
    assert (same.code, "they would be the same caller" in same.err) == (2, True)
    assert (wrong.code, "HTTP 401" in wrong.err, "tok-of-nobody" in wrong.err) == (2, True, False)
