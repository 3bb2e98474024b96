"""`fourfold prove --record` and `--replay`: the same verdicts with no server, and what makes no replay."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import TOKEN, Result, fourfold, serving

Run = Callable[..., Result]

SOME = ["--only", "valid-is-answered", "--only", "same-key-one-effect", "--only", "protocol-discover"]
ADDRESS = "ana.ferrer@clinic.es"
BOOK = f"""\
import sys, json
TOOLS = [{{"name": "person_get", "annotations": {{"readOnlyHint": True}}, "inputSchema": {{"type": "object",
          "properties": {{"email": {{"type": "string", "format": "email"}}}}}}}}]
PERSON = {{"email": "{ADDRESS}", "password": "hunter2", "note": "Bearer abcdef0123456789"}}
ANSWERS = {{
    "initialize": {{"protocolVersion": "2025-06-18", "capabilities": {{"tools": {{}}}},
                   "serverInfo": {{"name": "book", "version": "1"}}}},
    "tools/list": {{"tools": TOOLS}},
    "tools/call": {{"content": [{{"type": "text", "text": json.dumps(PERSON)}}], "structuredContent": PERSON}},
}}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        found = ANSWERS.get(message["method"])
        said = {{"result": found}} if found else {{"error": {{"code": -32601, "message": "no such method"}}}}
        print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], **said}}), flush=True)
"""
"""A server whose one read answers with an address, which is then asked with, and with two credentials."""


def verdicts(result: Result) -> list[tuple[str, str, str]]:
    """What a run has found out."""
    return [(each["check"], each["tool"], each["status"]) for each in json.loads(result.out)["verdicts"]]


@pytest.fixture
def recorded(run: Run, workspace: Path) -> tuple[Result, Path]:
    """A run over a catalog, and its recording."""
    result = run("prove", "shop:catalog", *SOME, "--writes", "--seed", "3", "--record", "run.jsonl", "--json")
    return result, workspace / "run.jsonl"


def test_a_recorded_run_is_made_again_without_a_server(run: Run, recorded: tuple[Result, Path]) -> None:
    """B12: reads, writes, counted rows and frames; the seed and the selection stand in the file."""
    first, path = recorded

    again = run("prove", "shop:catalog", "--replay", str(path), "--json")

    assert (first.code, again.code) == (1, 1)
    assert verdicts(again) == verdicts(first)
    assert json.loads(again.out)["seed"] == 3
    assert {each["name"] for each in json.loads(again.out)["checks"]} == {*SOME[1::2]}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_replay_leaves_no_evidence(run: Run, recorded: tuple[Result, Path]) -> None:
    """B15: it has found out nothing that the recorded run had not."""
    evidence = Path(".fourfold/evidence/contract.json")
    evidence.unlink()

    run("prove", "shop:catalog", "--replay", str(recorded[1]))

    assert not evidence.exists()


def test_neither_a_token_nor_an_address_is_in_the_file(workspace: Path) -> None:
    """B18: the same address is the same stand-in, so that the calls made with it are found again, offline."""
    (workspace / "book.py").write_text(BOOK, "utf-8")
    words = ["--only", "contract", "--json"]

    first = fourfold("prove", *words, "--record", "run.jsonl", "--", sys.executable, "book.py")
    (workspace / "book.py").unlink()
    again = fourfold("prove", "--replay", "run.jsonl", "--json", "--", sys.executable, "book.py")

    text = (workspace / "run.jsonl").read_text("utf-8")
    assert [word for word in (ADDRESS, "hunter2", "abcdef0123456789") if word in text] == []
    assert "@example.invalid" in text
    assert verdicts(again) == verdicts(first)


@pytest.mark.usefixtures("workspace")
def test_the_token_of_a_caller_is_in_no_line() -> None:
    """B18: it travels beside what is recorded."""
    with serving("--http", "127.0.0.1:0") as server:
        proved = fourfold("prove", server.url, "--only", "protocol", "--record", "run.jsonl", token=TOKEN)

    assert proved.code in {0, 1}, proved.err
    assert TOKEN not in Path("run.jsonl").read_text("utf-8")


def test_what_was_not_recorded_is_named(run: Run, recorded: tuple[Result, Path]) -> None:
    """B12: it is no verdict about the server."""
    path = recorded[1]
    head, *entries, _ = path.read_text("utf-8").splitlines()
    kept = [line for line in entries if '"tool": "report_make"' not in line]
    path.write_text("\n".join([head, *kept, json.dumps({"end": len(kept)})]) + "\n", "utf-8")

    result = run("prove", "shop:catalog", "--replay", str(path))

    assert (result.code, result.out) == (2, "")
    assert "holds no further call of report_make by the first caller with {}" in result.err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{", "", "is no recording of this version: make one with fourfold prove --record FILE"),
        ("prove-recording/v1", "proof/v1", "is no recording of this version"),
        ('{"end": ', "", "is cut short, since its run did not come to an end: record it again"),
        ('"shop:catalog"', '"barn:catalog"', "is a recording of barn:catalog, not of shop:catalog: name that one"),
        ('"digest": "', '"digest": "0', "the tools of shop:catalog have changed since"),
    ],
)
def test_what_is_no_recording_of_the_target_is_refused(
    run: Run, recorded: tuple[Result, Path], *, old: str, new: str, said: str
) -> None:
    """B12: another file, one that was cut, another target, another contract: misuse, with what to do."""
    path = recorded[1]
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")

    result = run("prove", "shop:catalog", "--replay", str(path))

    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_options_that_stand_in_the_recording_are_not_taken_again(run: Run, recorded: tuple[Result, Path]) -> None:
    """B12: another seed would make other calls; and no recording is written over."""
    path = str(recorded[1])

    seeded = run("prove", "shop:catalog", "--replay", path, "--seed", "4")
    over = run("prove", "shop:catalog", "--record", path)
    missing = run("prove", "shop:catalog", "--replay", "none.jsonl")

    assert [result.code for result in (seeded, over, missing)] == [2, 2, 2]
    assert "--replay makes the run that was recorded; leave --seed out" in seeded.err
    assert "is there already; name another file for the recording" in over.err
    assert "none.jsonl cannot be read: No such file or directory" in missing.err


@pytest.mark.usefixtures("workspace")
def test_a_run_that_did_not_begin_leaves_no_file(run: Run) -> None:
    """B12: a name of nothing, and a server that is not there."""
    named = run("prove", "shop:catalog", "--only", "stock_gett", "--record", "run.jsonl")
    absent = run("prove", "http://127.0.0.1:9/mcp", "--record", "run.jsonl")

    assert [named.code, absent.code, Path("run.jsonl").exists()] == [2, 2, False]
