"""`fourfold budget`: tokens and money of a target, on the real command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.budget.listing import REFUND
from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving
from tests.cli.snapshots import matches, story

Run = Callable[..., Result]

_LONGER = {**REFUND, "description": "Refund an invoice. It is paid back the way it was paid."}


@pytest.fixture
def lists(workspace: Path) -> Path:
    """The workspace with two saved lists in it: `before.json` and `after.json`."""
    (workspace / "before.json").write_text(json.dumps({"tools": [REFUND]}), "utf-8")
    (workspace / "after.json").write_text(json.dumps({"tools": [_LONGER, {**REFUND, "name": "new"}]}), "utf-8")
    return workspace


@pytest.mark.parametrize(
    ("tokens_per_tool", "said"),
    [
        ("90", "a month      40,000 requests are 50.4 M tokens, $126.00 at $2.50 a million\n1,000 turns  $3.15\n"),
        ("190", "a month      40,000 requests are 106.4 M tokens, $266.00 at $2.50 a million\n1,000 turns  $6.65\n"),
    ],
)
def test_the_arithmetic_of_the_article_is_what_if(run: Run, tokens_per_tool: str, said: str) -> None:
    """A10: 14 tools, 40,000 requests, $2.50: 50.4 M tokens and $126, 106.4 M and $266. No target is needed."""
    result = run(
        "budget", "--tools", "14", "--tokens-per-tool", tokens_per_tool, "--requests", "40000", "--price", "2.50"
    )

    assert (result.code, result.err) == (0, "")
    assert result.out.endswith(said)


@pytest.mark.usefixtures("lists")
def test_a_budget_says_what_is_counted_and_what_it_costs(run: Run) -> None:
    """A10: tokenizer, rendering, parts, money, cache, windows, dear fields, and what a change adds."""
    budget = ["budget", "after.json", "--requests", "40000", "--model", "gpt-4o", "--against", "before.json"]

    assert matches("budget", story(run, budget, ["budget", "before.json", "--profile", "characters"]))


def test_a_catalog_a_server_and_a_saved_list_cost_the_same(run: Run, workspace: Path) -> None:
    """A10: what counts is what a client sees, wherever it was read."""
    (workspace / "saved.json").write_text(fourfold("tools", "--json", "--", FOURFOLD, "serve", "shop:catalog").out)

    def tools(*target: str) -> Any:
        called = fourfold if "--" in target else run  # a started server needs a standard error that is a file
        return json.loads(called("budget", "--json", *target).out)["tools"]

    catalog = tools("shop:catalog")
    with serving("--http", "127.0.0.1:0") as server:
        listed = tools("--", FOURFOLD, "serve", "shop:catalog")
        assert {tool["name"] for tool in listed} <= {tool["name"] for tool in catalog}
        assert listed == tools("saved.json")
        assert listed == json.loads(fourfold("budget", "--json", server.url, token=TOKEN).out)["tools"]
    assert [tool for tool in catalog if tool in listed] == listed


@pytest.mark.usefixtures("lists")
def test_a_request_that_takes_more_than_it_may_fails(run: Run) -> None:
    """A10: a gate for CI; the last line says why, and nothing is left out."""
    within = run("budget", "before.json", "--profile", "characters", "--max-tokens", "61")
    over = run("budget", "before.json", "--profile", "characters", "--max-tokens", "60")

    assert (within.code, over.code) == (0, 1)
    assert within.out.endswith("limit        61 tokens are within the limit of 61\n")
    assert over.out.endswith("limit        61 tokens are over the limit of 60\n")
    assert run("budget", "--tools", "2", "--tokens-per-tool", "31", "--max-tokens", "60").code == 1


@pytest.mark.usefixtures("lists")
def test_what_was_locked_is_something_to_compare_with(run: Run) -> None:
    """A10, D4: what a change adds to the lock, in tokens and in money."""
    run("lock", "before.json", "--file", "vendor.lock.json")

    locked = run("budget", "after.json", "--against", "vendor.lock.json", "--json", "--price", "2.50")
    saved = run("budget", "after.json", "--against", "before.json", "--json", "--price", "2.50")

    change = json.loads(locked.out)["change"]
    assert change == json.loads(saved.out)["change"]
    assert (change["before"], change["after"], change["added"], change["month_added"]) == (54, 117, 63, "0.1575")


@pytest.mark.usefixtures("lists")
def test_defaults_stand_in_the_configuration_and_options_win(run: Run, workspace: Path) -> None:
    """A10: `[budget]`; a price that is named replaces a model that is configured."""
    section = '[budget]\nrequests = 500\nmodel = "gpt-4o"\nprofile = "characters"\nrendering = "list"\nmax_tokens = 9\n'
    (workspace / "fourfold.toml").write_text(section, "utf-8")

    configured = run("budget", "before.json", "--json")
    given = run("budget", "before.json", "--json", "--price", "1", "--requests", "2", "--rendering", "json")

    first, second = json.loads(configured.out), json.loads(given.out)
    assert (configured.code, first["profile"], first["rendering"]) == (1, "characters", "list")
    assert (first["cost"]["model"], first["cost"]["requests"]) == ("gpt-4o", 500)
    assert (second["cost"]["model"], second["cost"]["requests"], second["rendering"]) == ("custom", 2, "json")


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a target"),
        (["before.json", "--tools", "3", "--tokens-per-tool", "9"], "and no target"),
        (["--tools", "3"], "--tools and --tokens-per-tool together"),
        (["before.json", "after.json"], "unexpected 'after.json'"),
        (["before.json", "--price", "cheap"], "'cheap' is none"),
        (["before.json", "--model", "gpt-4"], "did you mean gpt-4o?"),
        (["before.json", "--profile", "gpt2"], "'characters', 'o200k'"),
        (["before.json", "--requests", "0"], "0 is not in the range"),
        (["missing.json"], "missing.json cannot be read"),
        (["before.json", "--against", "missing.lock.json"], "missing.lock.json cannot be read"),
    ],
)
def test_misuse_is_answered_with_what_to_do(run: Run, words: list[str], said: str) -> None:
    """Exit code 2, and nothing on standard output."""
    result = run("budget", *words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_names_from_a_server_are_shown_and_not_obeyed(run: Run, workspace: Path) -> None:
    """A tool may be called anything."""
    (workspace / "odd.json").write_text(json.dumps({"tools": [{**REFUND, "name": "a\x1b[2Jb"}]}), "utf-8")

    result = run("budget", "odd.json")

    assert "\x1b" not in result.out
    assert "a\\x1b[2Jb" in result.out
