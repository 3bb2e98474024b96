"""Words that a command does not take, and what it says then. Exit code 2 throughout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result, fourfold

Run = Callable[..., Result]


@pytest.mark.parametrize("value", ["--modern-only=false", "--modern-only=true", "--modern-only=", "--modern-only=0"])
def test_a_flag_with_a_value_is_refused(run: Run, value: str) -> None:
    """MP-118, B9: `--flag=false` neither turns the flag on nor passes unseen."""
    result = run("serve", "shop:catalog", "--http", "127.0.0.1:0", value)

    assert (result.code, result.out) == (2, "")
    assert "--modern-only takes no value" in result.err
    assert "leave it out for off" in result.err


@pytest.mark.parametrize("word", ["False", "false", "true", "no", "0"])
def test_a_truth_value_after_a_flag_is_refused(run: Run, word: str) -> None:
    """MP-118, B9: `--flag False` must not turn the flag on, wherever it stands."""
    result = run("serve", "--modern-only", word, "shop:catalog")

    assert result.code == 2
    assert f"--modern-only takes no value, so '{word}' says nothing" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["serv"], "no command is called 'serv'; did you mean serve?"),
        (["wibble"], "No such command 'wibble'"),
        (["tools"], "name a target: module:catalog, a URL, or -- and a command"),
        (["tools", "shop"], "'shop' is no target: use module:catalog, a URL, or -- and a command"),
        (["tools", "shop:catalog", "more"], "unexpected 'more' after the target"),
        (["tools", "--"], "after -- comes the command of the server"),
        (["tools", "http://me:pw@127.0.0.1/mcp"], "a URL with a password would stand in the process list"),
        (["serve"], "Missing argument 'TARGET'"),
        (["serve", "shop:catalog", "--http", "8765"], "use HOST:PORT, such as 127.0.0.1:8765"),
        (["serve", "shop:catalog", "--http", "localhost:99999"], "use HOST:PORT"),
        (["call", "shop:catalog"], "give the tool's name and at most one JSON object of arguments"),
        (["call", "shop:catalog", "a", "{}", "{}"], "give the tool's name and at most one JSON object"),
        (["call", "http://127.0.0.1:9/mcp", "a", "--caller", "clerk"], "--caller and --store are for a catalog"),
        (["call", "a", "--store", "sqlite:///x.db", "--", "true"], "--caller and --store are for a catalog"),
        (["runs", "list", "--limit", "0"], "'--limit'"),
        (["runs", "list", "--outcome", "faild"], "'faild' is not one of 'done'"),
        (["tools", "shop:catalog", "--config", "missing.toml"], "'missing.toml' does not exist"),
    ],
)
def test_a_word_that_is_not_taken_is_explained(run: Run, words: list[str], message: str) -> None:
    """B9: what is wrong and what is taken, on standard error; never the password of a URL."""
    result = run(*words)

    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "pw" not in result.err.replace("password", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "the arguments are not acceptable JSON: syntax"),
        ("[]", 'the arguments are one JSON object, such as {"status": "open"}'),
        ("null", "the arguments are one JSON object"),
        ('{"sku": NaN}', "the arguments have not_finite at /sku"),
        ('{"sku": 1, "sku": 2}', "the arguments have duplicate_key at /sku"),
        ('{"sku": 9007199254740993}', "the arguments have unsafe_integer at /sku"),
        ('{"sku": "\\ud800"}', "the arguments have lone_surrogate at /sku"),
        ('{"a":' * 65 + "1" + "}" * 65, "the arguments are not acceptable JSON: too_deep"),
    ],
)
def test_arguments_that_readers_disagree_about_are_refused(run: Run, text: str, message: str) -> None:
    """C1: nothing is called, in process and over the wire alike."""
    for target in (["shop:catalog", "stock_get", text], ["stock_get", text, "--", "false"]):
        result = run("call", *target)

        assert (result.code, result.out) == (2, "")
        assert message in result.err


def test_arguments_come_from_standard_input_too(workspace: Path) -> None:
    """B19: for what is too long for a command line."""
    result = fourfold("call", "shop:catalog", "stock_get", "-", stdin=b'{"sku": "LOW-0002"}')

    assert (result.code, result.out.splitlines()[0]) == (0, "2 pieces of LOW-0002")


def test_huge_arguments_are_cut_off_before_they_are_read(workspace: Path) -> None:
    """B19: more than any server takes is misuse; more than the tool takes has its code."""
    over_all = fourfold("call", "shop:catalog", "stock_get", "-", stdin=b'{"sku": "' + b"x" * (4 << 20) + b'"}')
    over_the_tool = fourfold("call", "shop:catalog", "stock_get", "-", stdin=b'{"sku": "' + b"x" * 70_000 + b'"}')

    assert over_all.code == 2
    assert "the arguments are over 4,194,304 bytes" in over_all.err
    assert over_the_tool.code == 1
    assert over_the_tool.err.startswith("argument_too_large: ")


@pytest.mark.parametrize("when", ["yesterday", "24", "24 h", "-1d", "2026-13-01", "1e3h", "", "99999999d"])
def test_a_time_that_is_none_is_refused_with_the_forms_that_are(run: Run, when: str) -> None:
    """A9: the question is not answered for another time than was meant."""
    result = run("runs", "list", "--since", when)

    assert result.code == 2
    assert "use 15m, 24h, 7d, or a date or time such as 2026-11-30T09:00:00Z" in result.err
