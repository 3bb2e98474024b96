"""`fourfold select new` and `review`: cases that are proposed, and a person who accepts them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.terminal import at_terminal
from tests.selection.suites import case, lines_of, suite_text

Run = Callable[..., Result]

_NEW = ["select", "new", "shop:catalog", "--out", "new.jsonl"]

pytestmark = pytest.mark.usefixtures("workspace")


def _suite(*names: str) -> None:
    cases = [case(name, f"Is {name} there?", tool="stock_get", reviewed=False) for name in names]
    Path("suite.jsonl").write_text(suite_text(cases), "utf-8")


def test_proposals_are_made_of_the_contracts(run: Run) -> None:
    """C9: every class but those that need a person; none is reviewed, and all of them fit the tools."""
    result = run(*_NEW)
    checked = run("select", "check", "new.jsonl", "shop:catalog")

    assert result.code == 0
    assert result.out == (
        "13 cases in new.jsonl: 2 near_neighbour, 3 ask, 1 preserve, 1 injection, 6 abstain\n"
        "next: fourfold select review new.jsonl\n"
    )
    assert not any(line.get("reviewed") for line in lines_of(Path("new.jsonl")))
    assert (checked.code, checked.out.splitlines()[-1][-12:]) == (0, ", 0 findings")


def test_proposals_leave_a_file_alone_that_is_there(run: Run) -> None:
    """No file is written over."""
    Path("new.jsonl").write_text("mine\n", "utf-8")

    result = run(*_NEW)

    assert (result.code, result.err) == (2, "fourfold: new.jsonl is there already; name another file\n")
    assert Path("new.jsonl").read_text("utf-8") == "mine\n"
    assert run("select", "new", "--out", "x.jsonl").code == 2
    assert run("select", "new", "shop:catalog", "more", "--out", "x.jsonl").code == 2


def test_a_case_is_accepted_skipped_and_left(run: Run) -> None:
    """A8: the second stays as it is, byte for byte, and after the end nothing more is asked."""
    _suite("one", "two", "three")
    second = Path("suite.jsonl").read_text("utf-8").splitlines()[1]

    result = run("select", "review", "suite.jsonl", stdin="a\ns\nq\n")

    assert (result.code, result.out.splitlines()[-1]) == (0, "1 accepted, 2 of 3 cases are not reviewed")
    assert "1 of 3: one (positive: one tool fits)\n" in result.out
    assert "user     Is one there?\n" in result.out
    assert 'expects  call: [{"name": "stock_get", "args": {}}]\n' in result.out
    assert [line.get("reviewed", False) for line in lines_of(Path("suite.jsonl"))] == [True, False, False]
    assert Path("suite.jsonl").read_text("utf-8").splitlines()[1] == second


def test_what_is_expected_is_changed_by_a_line_of_json(run: Run) -> None:
    """A8: what a model did was wrong; what is no expectation is told and not kept."""
    _suite("one")
    call = '{"decision": "call", "calls": [{"name": "order_create", "args": {"pieces": {"eq": 2}}}], "forbid": []}'
    answers = ["e", "{", "e", '{"decision": "call"}', "e", "", "e", call, "a"]

    result = run("select", "review", "suite.jsonl", stdin="".join(f"{each}\n" for each in answers))

    (changed,) = lines_of(Path("suite.jsonl"))
    assert changed["expect"] == {
        "decision": "call",
        "calls": [{"name": "order_create", "args": {"pieces": {"eq": 2}}}],
    }
    assert (changed["reviewed"], changed["messages"][0]["content"]) == (True, "Is one there?")
    assert "not kept: is no JSON (" in result.out
    assert "not kept: calls stand where the decision may be a call, and only there, at /expect\n" in result.out
    assert "nothing is changed\n" in result.out


def test_what_is_expected_is_changed_in_an_editor_on_a_terminal(run: Run, workspace: Path) -> None:
    """A8: with what is there already; the editor is the user's own."""
    _suite("one")
    editor = workspace / "editor.py"
    editor.write_text(
        "import json, sys\npath = sys.argv[1]\nfound = json.load(open(path))\n"
        'found["forbid"] = [{"name": "order_create"}]\njson.dump(found, open(path, "w"))\n',
        "utf-8",
    )

    said = at_terminal("select", "review", "suite.jsonl", keys="e\na\n", EDITOR=f"{sys.executable} {editor}")

    (changed,) = lines_of(Path("suite.jsonl"))
    assert "1 accepted, 0 of 1 cases are not reviewed" in said
    assert changed["expect"]["forbid"] == [{"name": "order_create"}]
    assert changed["expect"]["calls"] == [{"name": "stock_get", "args": {}}]


def test_words_class_and_note_are_changed_before_it_is_accepted(run: Run) -> None:
    """A8: each step is kept, so that nothing is lost where the input ends."""
    _suite("one")

    run("select", "review", "suite.jsonl", stdin="w\nHave you got it?\nc\nnear_neighbour\nn\nwas an update\n")
    (changed,) = lines_of(Path("suite.jsonl"))
    run("select", "review", "suite.jsonl", stdin="a\n")
    (accepted,) = lines_of(Path("suite.jsonl"))

    assert (changed["class"], changed["note"]) == ("near_neighbour", "was an update")
    assert changed["messages"] == [{"role": "user", "content": "Have you got it?"}]
    assert accepted == {**changed, "reviewed": True}


def test_what_makes_no_case_is_not_kept(run: Run) -> None:
    """A8: an unknown class or key, a class that calls nothing, a secret in a note."""
    _suite("one")
    before = Path("suite.jsonl").read_bytes()

    result = run("select", "review", "suite.jsonl", stdin="c\nfunny\nc\nask\nw\n\nn\npassword=hunter22\nx\nq\n")

    assert Path("suite.jsonl").read_bytes() == before
    for said in (
        "'funny' is no class\n",
        "a case of class ask calls nothing; take the calls out of its line first\n",
        "nothing is changed\n",
        "not kept: looks like a credential; put `[redacted]` there\n",
        "'x' is none of [a]ccept, ",
    ):
        assert said in result.out


def test_a_class_without_a_call_says_which_decision_is_right(run: Run) -> None:
    """A8: what an import has seen is only that nothing was called."""
    line = '{"id": "x", "class": "positive", "messages": [{"role": "user", "content": "Hm"}], '
    Path("suite.jsonl").write_text(line + '"expect": {"decision": ["ask", "abstain"]}}\n', "utf-8")

    run("select", "review", "suite.jsonl", stdin="c\nask\na\n")

    assert [each["expect"]["decision"] for each in lines_of(Path("suite.jsonl"))] == ["ask"]


def test_what_a_terminal_would_obey_is_shown_as_an_escape(run: Run) -> None:
    """A conversation that was recorded is foreign text."""
    said = json.dumps({"role": "user", "content": "\x1b[2Jgone"})
    line = f'{{"id": "x", "class": "abstain", "messages": [{said}], "expect": {{"decision": "abstain"}}}}\n'
    Path("suite.jsonl").write_text(line, "utf-8")

    result = run("select", "review", "suite.jsonl", stdin="")

    assert "\x1b" not in result.out
    assert "user     \\x1b[2Jgone\n" in result.out


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["suite.jsonl"], None, "suite.jsonl cannot be read"),
        (["suite.jsonl"], "{\n", "suite.jsonl, line 1: is no JSON"),
        (["suite.jsonl", "more"], "\n", "unexpected 'more' after the suite"),
        ([], "\n", "name a suite (a file .jsonl)"),
    ],
)
def test_what_cannot_be_reviewed_is_misuse(run: Run, words: list[str], text: str | None, said: str) -> None:
    """Exit code 2."""
    if text is not None:
        Path("suite.jsonl").write_text(text, "utf-8")

    result = run("select", "review", *words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err
