"""`fourfold select import`: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fourfold.contracts.case_file import read_cases
from tests.cli.commands import FOURFOLD, Result
from tests.selection.imported import GOOD

Run = Callable[..., Result]

REQUEST: dict[str, Any] = {
    "tools": [{"type": "function", "function": {"name": "refund", "parameters": {"type": "object"}}}],
    "messages": [{"role": "user", "content": "Refund INV-7."}],
    "response": {"tool_calls": [{"function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}]},
}

LINES = int(os.environ.get("FOURFOLD_LINES", "20000"))
"""Of the long file; scripts/soak import sets 100,000."""


def _write(name: str, *records: Any, more: str = "") -> None:
    text = "".join(f"{json.dumps(record)}\n" for record in records)
    Path(name).write_text(text + more, "utf-8")


def _suite(name: str) -> list[str]:
    with Path(name).open("rb") as lines:
        return [str(case.messages[-1]["content"]) for case in read_cases(lines, name=name)]


def _asking(text: str) -> dict[str, Any]:
    return {**REQUEST, "messages": [{"role": "user", "content": text}]}


def test_new_cases_are_written_and_the_rest_is_counted_with_the_reason(run: Run) -> None:
    """A8: by kind, with the line of the first example."""
    _write("log.jsonl", REQUEST, REQUEST, GOOD["mcp"], {**REQUEST, "tools": []}, {"a": 1}, more='{"cut": ')

    result = run("select", "import", "log.jsonl", "--out", "suite.jsonl")

    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "log.jsonl: 4 records (openai 3, mcp 1), 3 decisions\n"
        "       1  new, in suite.jsonl\n"
        "       1  the same as another one in the file\n"
        "Not to be replayed, because the record\n"
        "       1  holds no conversation that led to the answer (line 3)\n"
        "       1  does not tell of the tools that were offered; name them with --tools (line 4)\n"
        "       1  is of no format that is known (line 5)\n"
        "Not to be read: 1\n"
        "  line 6: is no JSON; it may have been cut off\n"
        "Nobody has reviewed them yet: fourfold select review suite.jsonl\n"
    )
    assert _suite("suite.jsonl") == ["Refund INV-7."]


def test_json_says_the_same(run: Run) -> None:
    """A8: for programs; docs/schemas/selection-import.json describes it."""
    _write("log.jsonl", REQUEST, {**REQUEST, "tools": []}, more='{"cut": ')

    printed = json.loads(run("select", "import", "log.jsonl", "--json").out)

    assert printed == {
        "schema": "fourfold/selection-import/v1",
        "file": "log.jsonl",
        "suite": None,
        "records": {"openai": 2},
        "decisions": 2,
        "new": 1,
        "duplicates": 0,
        "already": 0,
        "not_replayable": [
            {
                "reason": "no_schemas",
                "means": "does not tell of the tools that were offered; name them with --tools",
                "count": 1,
                "line": 2,
                "pointer": "",
            }
        ],
        "not_readable": {
            "count": 1,
            "first": [{"line": 3, "pointer": "", "what": "is no JSON; it may have been cut off"}],
        },
    }


def test_a_suite_grows_by_what_is_new(run: Run) -> None:
    """A8: what people have reviewed in it stays as it is."""
    _write("log.jsonl", REQUEST)
    run("select", "import", "log.jsonl", "--out", "suite.jsonl")
    reviewed = Path("suite.jsonl").read_text("utf-8").replace('"class"', '"reviewed": true, "class"').rstrip()
    Path("suite.jsonl").write_text(reviewed, "utf-8")
    _write("log.jsonl", REQUEST, _asking("Refund INV-8."))

    result = run("select", "import", "log.jsonl", "--out", "suite.jsonl")

    assert "       1  new, in suite.jsonl\n       1  in suite.jsonl already\n" in result.out
    assert Path("suite.jsonl").read_text("utf-8").startswith(reviewed)
    assert _suite("suite.jsonl") == ["Refund INV-7.", "Refund INV-8."]


def test_without_a_suite_nothing_is_written(run: Run, workspace: Path) -> None:
    """A8: a look before."""
    _write("log.jsonl", REQUEST)
    before = {*workspace.iterdir()}

    result = run("select", "import", "log.jsonl")

    assert result.out == (
        "log.jsonl: 1 record (openai 1), 1 decision\n       1  new, in no suite: name one with --out\n"
    )
    assert {*workspace.iterdir()} == before


@pytest.mark.parametrize("target", ["shop:catalog", "tools.json", "functions.json"])
def test_the_target_tells_of_tools_that_a_record_does_not(run: Run, target: str) -> None:
    """A8: a catalog, or a saved list in the form of MCP or of a provider."""
    tool = {"name": "order_create", "description": "Create an order."}
    Path("tools.json").write_text(json.dumps({"tools": [{**tool, "inputSchema": {"type": "object"}}]}), "utf-8")
    function = {"type": "function", "function": {**tool, "parameters": {"type": "object"}}}
    Path("functions.json").write_text(json.dumps([function]), "utf-8")
    called = {"tool_calls": [{"function": {"name": "order_create", "arguments": '{"customer": "C001"}'}}]}
    _write("log.jsonl", {"messages": REQUEST["messages"], "response": called})

    result = run("select", "import", "log.jsonl", "--tools", target, "--out", "suite.jsonl")

    assert (result.code, _suite("suite.jsonl")) == (0, ["Refund INV-7."])


@pytest.mark.parametrize("record", [GOOD["mcp"], {**REQUEST, "response": {}}])
def test_a_file_without_a_decision_to_use_ends_with_1(run: Run, record: dict[str, Any]) -> None:
    """A8: readable, but of no use here; no suite is made."""
    _write("log.jsonl", record)

    assert run("select", "import", "log.jsonl", "--out", "suite.jsonl").code == 1
    assert not Path("suite.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "log.jsonl is empty"),
        ("not json\n", "log.jsonl holds nothing that can be read: line 1: is no JSON; it may have been cut off"),
        ('{"a": {"b": NaN}}', "log.jsonl holds nothing that can be read: line 1 at /a/b: is no finite number"),
        ('{"a": 1}', "log.jsonl holds no record of a format that is known; there are openai, anthropic, claude-code"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_ends_with_2(run: Run, text: str, said: str) -> None:
    """A8: with the place; a suite that was there is as it was."""
    Path("log.jsonl").write_text(text, "utf-8")
    Path("suite.jsonl").write_text("", "utf-8")

    result = run("select", "import", "log.jsonl", "--out", "suite.jsonl")

    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert (Path("suite.jsonl").read_text("utf-8"), Path("suite.jsonl.new").exists()) == ("", False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing.jsonl"], "'missing.jsonl' does not exist"),
        (["log.jsonl", "--format", "xml"], "'xml' is not one of 'auto', 'openai'"),
        (["log.jsonl", "--tools", "shop"], "'shop' is no target"),
        (["log.jsonl", "--tools", "log.json"], "log.json cannot be read"),
        (["log.jsonl", "--out", "broken.jsonl"], "broken.jsonl, line 1: is no JSON"),
        (["log.jsonl", "--out", "log.jsonl/suite.jsonl"], "log.jsonl/suite.jsonl cannot be written"),
    ],
)
def test_words_that_are_wrong_end_with_2(run: Run, words: list[str], said: str) -> None:
    """A8, B9: a broken suite is not written to."""
    _write("log.jsonl", REQUEST)
    Path("broken.jsonl").write_text("{", "utf-8")

    result = run("select", "import", *words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert Path("broken.jsonl").read_text("utf-8") == "{"


def test_a_terminal_is_not_sent_what_a_file_says(run: Run) -> None:
    """A8: names of members are shown with escapes."""
    Path("log.jsonl").write_text(json.dumps(REQUEST) + '\n{"\\u001b[31m": NaN}\n', "utf-8")

    result = run("select", "import", "log.jsonl")

    assert "line 2 at /\\x1b[31m: is no finite number" in result.out


def _peak_kib(path: Path) -> int:
    """The most memory that an import of a file has taken."""
    words = [FOURFOLD, "select", "import", str(path), "--out", str(path.with_suffix(".suite"))]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


@pytest.mark.timeout(400)
def test_a_long_file_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    """A8: 20,000 lines, 5,000 cases of them new; 20 MB, of which 10 MiB would be seen. The soak has 100,000."""
    padding = "Be brief. " * 80
    for name, count in (("short.jsonl", 100), ("long.jsonl", LINES)):
        with (tmp_path / name).open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps({**_asking(f'{at % 5_000}'), 'note': padding})}\n" for at in range(count))

    short, long = (_peak_kib(tmp_path / name) for name in ("short.jsonl", "long.jsonl"))

    assert (tmp_path / "long.jsonl").stat().st_size > 1_000 * LINES
    assert long - short < (10 if LINES < 100_000 else 16) * 1024
