"""`fourfold review` on every kind of target, in every format, with what a team sets aside."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving

Run = Callable[..., Result]

TENANT: dict[str, Any] = {
    "name": "memory_add",
    "description": "Save a memory.",
    "inputSchema": {
        "type": "object",
        "properties": {"tenant_id": {"type": "string", "maxLength": 36}},
        "required": ["tenant_id"],
        "additionalProperties": False,
    },
}


@pytest.fixture
def saved(workspace: Path) -> Path:
    """A saved list of one tool with an identity argument."""
    path = workspace / "tools.json"
    path.write_text(json.dumps({"tools": [TENANT]}), "utf-8")
    return path


def only(run: Run, *words: str) -> Result:
    """A review with one rule, so that other rules may come and go."""
    return run("review", *words, "--select", "identity-argument")


def test_a_finding_has_a_place_a_reason_and_a_fix(run: Run, saved: Path) -> None:
    """C6: what a person sees, with the answer to each question of the design review."""
    result = only(run, str(saved.name))

    assert result.code == 1
    assert "memory_add  pass       pass       1 error    pass       pass\n" in result.out
    assert (
        "memory_add\n"
        "  Could it do what nobody allowed?\n"
        "    error FF201 identity-argument at /inputSchema/properties/tenant_id\n"
    ) in result.out
    assert "1 error, 0 warnings, 0 advice in 1 tools, by 1 rules\n" in result.out


def test_every_kind_of_target_is_reviewed(run: Run, saved: Path) -> None:
    """C6: a saved list, a catalog, a server that is started, a server that runs."""
    assert only(run, saved.name).code == 1
    assert only(run, "shop:catalog").code == 0
    started = fourfold("review", "--select", "identity-argument", "--", FOURFOLD, "serve", "shop:catalog")
    assert started.code == 0
    with serving("--http", "127.0.0.1:0") as server:
        live = fourfold("review", server.url, "--select", "identity-argument", token=TOKEN)
    assert live.code == 0
    assert "0 errors, 0 warnings, 0 advice" in live.out


def test_json_is_one_object_with_the_documented_fields(run: Run, saved: Path) -> None:
    """C6: for programs; the pointer is into the tool's definition."""
    printed = json.loads(only(run, saved.name, "--format", "json").out)

    (finding,) = printed["findings"]
    assert (finding["id"], finding["tool"], finding["severity"]) == ("FF201", "memory_add", "error")
    assert TENANT["inputSchema"]["properties"]["tenant_id"] == {"type": "string", "maxLength": 36}
    assert finding["pointer"] == "/inputSchema/properties/tenant_id"
    assert printed["summary"] == {"tools": 1, "rules": 1, "error": 1, "warning": 0, "advice": 0, "waived": 0}
    assert printed["questions"]["memory_add"]["autonomy"] == "fail"


def test_sarif_names_the_rule_and_the_file(run: Run, saved: Path) -> None:
    """C6: for code hosts (SARIF 2.1.0)."""
    log = json.loads(only(run, saved.name, "--format", "sarif").out)

    (sarif,) = log["runs"]
    (result,) = sarif["results"]
    assert log["version"] == "2.1.0"
    assert sarif["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "FF201"
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "tools.json"


def test_markdown_and_html_escape_what_is_foreign(run: Run, workspace: Path) -> None:
    """C6, B2: a tool's name is text in a report, whatever it looks like."""
    evil = {**TENANT, "name": "<script>alert(1)</script>|`"}
    (workspace / "evil.json").write_text(json.dumps({"tools": [evil]}), "utf-8")

    page = only(run, "evil.json", "--format", "html").out
    text = only(run, "evil.json", "--format", "markdown").out

    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<script>" not in text
    assert page.count("<html") == 1


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_terminal_is_not_sent_what_it_would_obey(run: Run, workspace: Path, form: str) -> None:
    """C6: a bell or a turned direction in a name is shown, not obeyed, wherever the name stands in the report."""
    twins = [{**TENANT, "name": f"memory_{word}\u202e\u0007"} for word in ("add", "put")]
    (workspace / "evil.json").write_text(json.dumps({"tools": twins}), "utf-8")

    printed = run("review", "evil.json", "--advice", "--format", form).out

    assert "overlapping-tools" in printed
    assert "\\u202e" in printed
    assert not {"\u202e", "\u0007"} & {*printed}


def test_a_report_is_printed_where_no_evidence_can_be_kept(run: Run, saved: Path, workspace: Path) -> None:
    """B15, C6: what was found out is not lost with the folder."""
    (workspace / ".fourfold").write_text("a file, where the folder would be", "utf-8")

    result = only(run, saved.name)

    assert result.code == 1
    assert "identity-argument" in result.out
    assert result.err.startswith("no evidence is kept: .fourfold/evidence/review.json cannot be written: ")


def test_what_is_waived_is_counted_and_what_waives_nothing_is_told(run: Run, saved: Path, workspace: Path) -> None:
    """C6: a waiver has a reason and may have an end; one that sets nothing aside is reported."""
    (workspace / "fourfold.toml").write_text(
        '[[review.waiver]]\nrule = "FF201"\ntool = "memory_add"\nreason = "one tenant"\nuntil = 2999-12-31\n'
        '[[review.waiver]]\nrule = "FF201"\ntool = "gone"\nreason = "old"\n'
        '[[review.waiver]]\nrule = "FF201"\ntool = "memory_add"\nreason = "over"\nuntil = 2020-01-01\n',
        "utf-8",
    )

    result = only(run, saved.name)

    assert result.code == 0
    assert "0 errors, 0 warnings, 0 advice, 1 waived in 1 tools" in result.out
    assert "unused waiver: the waiver of FF201 for gone sets nothing aside: old\n" in result.out
    assert "unused waiver: the waiver of FF201 for memory_add ended on 2020-01-01: over\n" in result.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tools.json", "--select", "no-such-rule"], 2, "no rule is called 'no-such-rule'"),
        (["tools.json", "--ignore", "FF201", "--select", "FF201"], 0, ""),
        (["missing.json"], 2, "missing.json cannot be read"),
        (["tools.txt"], 2, "a saved tools/list (.json)"),
        (["words.json"], 2, "words.json holds no list of tools"),
        (["broken.json"], 2, "broken.json is no JSON"),
        (["numbers.json"], 2, "lists something that is no tool"),
        (["empty.json"], 0, ""),
    ],
)
def test_bad_input_says_what_to_do(
    run: Run, saved: Path, workspace: Path, *, words: list[str], code: int, said: str
) -> None:
    """C6: files that are no catalogs, rules that are none, and an empty catalog, which is clean."""
    for name, text in {"words": '"words"', "broken": "{", "numbers": "[1]", "empty": '{"tools": []}'}.items():
        (workspace / f"{name}.json").write_text(text, "utf-8")

    result = run("review", *words)

    assert result.code == code
    assert said in result.err


def test_a_schema_is_written_in_portable_words(run: Run, workspace: Path) -> None:
    """D3: a reference is written out; what was tried on both stands beside it."""
    place = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    schema = {"type": "object", "properties": {"at": {"$ref": "#/$defs/Place"}}, "$defs": {"Place": place}}
    (workspace / "refs.json").write_text(json.dumps({"tools": [{"name": "a", "inputSchema": schema}]}), "utf-8")

    text = run("review", "refs.json", "--fix-schema")
    (tool,) = json.loads(run("review", "refs.json", "--fix-schema", "--json").out)["tools"]

    assert text.code == 0
    assert text.out.endswith("1 of 1 input schemas rewritten; --json prints them\n")
    assert tool["schema"]["properties"]["at"] == place
    assert tool["proof"]["accepted"] > 0
    assert tool["proof"]["refused"] > 0


def test_a_live_review_is_for_servers(run: Run, saved: Path) -> None:
    """C6: nothing that is not running can be called."""
    result = run("review", saved.name, "--live")

    assert (result.code, "use a URL, or -- and a command" in result.err) == (2, True)


def test_a_survey_counts_over_a_folder(run: Run, workspace: Path) -> None:
    """C6: shares with their totals, as text with bars and as CSV."""
    (workspace / "saved").mkdir()
    (workspace / "saved/one.json").write_text(json.dumps({"tools": [TENANT]}), "utf-8")

    text = run("review", "--survey", "saved").out
    rows = run("review", "--survey", "saved", "--format", "csv").out.splitlines()

    assert text.startswith("1 tools in 1 catalogs\n")
    assert rows[0] == "measure,found,total,share,catalogs,without any,lower quartile,median,upper quartile"
    assert "tools with an identity argument,1,1,1.0000,1,0,1.0000,1.0000,1.0000" in rows
    assert run("review", "--survey", "saved", "--format", "html").code == 2
    (workspace / "empty").mkdir()
    assert run("review", "--survey", "empty").code == 2


def test_a_model_that_is_not_there_is_misuse(run: Run, workspace: Path) -> None:
    """B9: before anything is printed."""
    (workspace / "tools.json").write_text('{"tools": []}', "utf-8")

    result = run("review", "tools.json", "--embeddings", "no_such_model")

    assert (result.code, result.out) == (2, "")
    assert "no_such_model is neither a folder nor an installed package" in result.err
