"""`fourfold runs show` and `runs to-test` on a tool whose contract keeps its calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema_rs
import pytest

from tests.cli.commands import Result, fourfold
from tests.cli.test_to_test import outcome_of
from tests.meta.repository import ROOT

Run = Callable[..., Result]

SECRET = "wrong-4711"


def run_of(run: Run, arguments: str) -> str:
    """The id of the run of one call of `door_open`."""
    run("call", "doors:catalog", "door_open", arguments)
    return json.loads(run("runs", "list", "--json").out)["runs"][0]["run_id"]


@pytest.mark.usefixtures("workspace")
def test_a_run_shows_what_was_kept_of_its_call(run: Run) -> None:
    """D7, A9: with the keys beside the store; what is never kept is named."""
    shown = run("runs", "show", run_of(run, f'{{"door": "front", "code": "{SECRET[5:]}", "extra": "{SECRET}"}}')).out

    assert SECRET[5:] not in shown
    lines = shown.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("kept until "))
    assert lines[start + 1 :] == [
        "  with the scopes orders:write, reports:read",
        "arguments",
        "  {",
        '    "door": "front",',
        '    "code": "[redacted]",',
        '    "extra": "[left out]"',
        "  }",
        "  redacted: /code",
        "  of no declared type: /extra",
    ]


def test_without_the_keys_a_run_says_that_they_are_missing(run: Run, workspace: Path) -> None:
    """D7: the rest of the record is shown."""
    run_id = run_of(run, '{"door": "front"}')
    (workspace / ".fourfold/doors.keys").unlink()

    shown = run("runs", "show", run_id).out

    assert "tool" in shown
    assert shown.endswith("Z\n  it is kept sealed, and the keys are not here\n")
    kept = json.loads(run("runs", "show", run_id, "--json").out)["kept"]
    assert (kept["why"], kept["arguments"], kept["result"]) == (
        "it is kept sealed, and the keys are not here",
        None,
        None,
    )


@pytest.mark.usefixtures("workspace")
def test_what_was_kept_is_printed_as_json_by_its_schema(run: Run) -> None:
    """D7, A17: parts with their losses, null where there is none."""
    printed = json.loads(run("runs", "show", run_of(run, '{"door": "front", "code": "9"}'), "--json").out)

    kept = printed["kept"]
    assert kept["arguments"]["value"] == {"door": "front", "code": "[redacted]"}
    assert kept["result"] == {
        "value": {"owner": "[redacted]", "room": "front"},
        "redacted": ["/owner"],
        "left_out": [],
        "cut": [],
    }
    schema = json.loads((ROOT / "docs/schemas/runs-show.json").read_text("utf-8"))
    part = jsonschema_rs.validator_for({**schema["properties"]["kept"], "$defs": schema["$defs"]})
    part.validate(kept)


def test_a_secret_has_to_be_filled_in(run: Run, workspace: Path) -> None:
    """D7: the case says which place it is, and passes once somebody has written there."""
    run_id = run_of(run, f'{{"door": "front", "code": "{SECRET}"}}')

    result = run("runs", "to-test", run_id, "doors:catalog")
    path = workspace / "tests/test_door_open_door_locked.py"
    text = path.read_text("utf-8")

    assert result.out == "tests/test_door_open_door_locked.py written; it fails until filled in: /code\n"
    assert SECRET not in text
    assert "fill in /code; then empty TO_FILL_IN" in outcome_of(path).stdout
    filled = text.replace("[redacted]", "wrong-0000").replace(
        'TO_FILL_IN: list[str] = ["/code"]', "TO_FILL_IN: list[str] = []"
    )
    path.write_text(filled, "utf-8")
    assert "1 passed" in outcome_of(path).stdout


@pytest.mark.parametrize(
    ("door", "code", "before", "after"),
    [
        ("cellar", "not_permitted", "passed", "failed"),
        ("stuck", "internal", "failed", "passed"),
    ],
)
def test_a_denial_and_a_failure_become_cases(
    run: Run, workspace: Path, *, door: str, code: str, before: str, after: str
) -> None:
    """D7: the case of a denial holds on to it, that of a failure fails until it is mended; both as they are."""
    run_id = run_of(run, json.dumps({"door": door}))

    assert run("runs", "to-test", run_id, "doors:catalog").out.endswith("; it runs as it is\n")

    path = workspace / f"tests/test_door_open_{code}.py"
    assert f"1 {before}" in outcome_of(path).stdout
    source = workspace / "doors.py"
    source.write_text(source.read_text("utf-8").replace(f'"{door}"', '"another"'), "utf-8")
    assert f"1 {after}" in outcome_of(path).stdout


@pytest.mark.usefixtures("workspace")
def test_cases_of_all_failures_are_written_at_once(run: Run) -> None:
    """D7: one of each tool and code; one that is there is named and does not stop the others."""
    run_of(run, f'{{"door": "front", "code": "{SECRET}"}}')
    run_of(run, '{"door": ["front"]}')
    run_of(run, '{"door": "back"}')
    run("runs", "to-test", "--failed", "doors:catalog", "--output", "cases")

    again = run("runs", "to-test", "--failed", "--since", "1h", "doors:catalog", "--output", "cases")

    assert sorted(path.name for path in Path("cases").iterdir()) == [
        "test_door_open_door_locked.py",
        "test_door_open_invalid_arguments.py",
    ]
    assert (again.code, again.out, again.err.count(" is there already")) == (0, "", 2)


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize(
    "words",
    [("doors:catalog",), ("run_1", "--failed", "doors:catalog"), ("run_1", "doors:catalog", "--tool", "door_open"), ()],
)
def test_a_run_and_the_failures_exclude_each_other(run: Run, words: tuple[str, ...]) -> None:
    """D7: nothing is written on a guess."""
    assert run("runs", "to-test", *words).code == 2


@pytest.mark.usefixtures("workspace")
def test_a_catalog_says_what_it_keeps(run: Run) -> None:
    """D7: for people and for programs."""
    assert run("tools", "doors:catalog").out.endswith("kept: door_open: arguments and results of each call\n")

    printed = json.loads(run("tools", "doors:catalog", "--json").out)
    assert printed["tools"][0]["keep"] == ["arguments", "results"]


@pytest.mark.usefixtures("workspace")
def test_a_change_of_what_is_kept_is_a_change_of_the_lock(run: Run, workspace: Path) -> None:
    """D7: whoever reviews it can ask who reads that; the version has to say so."""
    run("lock", "doors:catalog")
    path = workspace / "doors.py"
    path.write_text(path.read_text("utf-8").replace(', "results"', ""), "utf-8")

    result = fourfold("diff", "doors:catalog")

    assert "keep-changed" in result.out
