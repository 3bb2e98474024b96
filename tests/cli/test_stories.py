"""What each command prints, compared with files that a person has read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.snapshots import matches, story

Run = Callable[..., Result]

_ORDER = '{"customer": "C001", "sku": "ABC-1234", "pieces": 3}'
_KEY = "order-of-monday-1"


def test_the_tools_of_a_catalog_are_a_table_with_its_waivers(run: Run) -> None:
    """B5, B2: effect, scopes, toolsets and every waiver with its reason are seen at a glance."""
    assert matches("tools", story(run, ["tools", "shop:catalog"]))


def test_the_facts_of_a_contract_are_there_for_a_program(run: Run) -> None:
    """B2, B5, D4: what the table has no room for: reach, annotations, faults, schemas and both digests."""
    _, order, report, _ = json.loads(run("tools", "shop:catalog", "--json").out)["tools"]

    assert (order["reach"], order["faults"], order["missing"]) == ("store", ["out_of_stock"], "unknown_article")
    assert (order["annotations"]["readOnlyHint"], report["annotations"]["readOnlyHint"]) == (False, True)
    assert order["input_schema"]["required"] == ["customer", "sku", "pieces"]
    assert len({order["wire_digest"], order["lock_digest"], report["wire_digest"], report["lock_digest"]}) == 4


def test_a_call_prints_its_line_and_its_result(run: Run) -> None:
    """A5: the short line, then the structured result; with --json both, and whether it was an error."""
    stock = ["call", "shop:catalog", "stock_get", '{"sku": "LOW-0002"}']

    assert matches("call", story(run, stock, [*stock, "--json"]))


def test_a_failed_call_says_what_was_wrong_and_what_to_do(run: Run) -> None:
    """A2, A4, B7: every problem with its path, the code first, the next step, exit code 1."""
    calls = [
        ["call", "shop:catalog", "order_create", '{"sku": "ab-1", "pieces": 0, "extra": 1}'],
        ["call", "shop:catalog", "stock_get", '{"sku": "XYZ-0001"}'],
        ["call", "shop:catalog", "order_create", '{"customer": "C001", "sku": "OUT-0000", "pieces": 1}', "--json"],
        ["call", "shop:catalog", "report_make"],
    ]

    assert matches("call-failed", story(run, *calls))


def test_a_repeat_with_the_same_key_says_that_nothing_ran(run: Run) -> None:
    """D1: the earlier outcome, told apart from a new one; other arguments under the key are a conflict."""
    order = ["call", "shop:catalog", "order_create", _ORDER, "--key", _KEY]
    other = _ORDER.replace("3}", "4}")

    told = story(run, order, order, [*order, "--json"], ["call", "shop:catalog", "order_create", other, "--key", _KEY])

    assert matches("call-repeated", told)


def test_run_records_are_listed_counted_and_shown(run: Run) -> None:
    """A9, A17: which account saw which failure, and how often each output value was returned."""
    run("call", "shop:catalog", "order_create", _ORDER)
    run("call", "shop:catalog", "order_create", '{"customer": "C002", "sku": "OUT-0000", "pieces": 1}')
    run("call", "shop:catalog", "order_create", '{"customer": "C003"}')
    run("call", "shop:catalog", "nothing")
    newest = run("runs", "list", "--account", "C001").out.splitlines()[1].split()[2]

    told = story(run, ["runs", "list"], ["runs", "failures"], ["runs", "counts"], ["runs", "show", newest])

    assert matches("runs", told.replace(newest, f"run_{'0' * 32}"))


def test_the_state_of_a_folder_is_told_by_doctor_and_migrate(run: Run, workspace: Path) -> None:
    """B18: versions, callers, store and keys, before and after the first server; no secret among them."""
    before = story(run, ["doctor"], ["migrate"], ["migrate", "--dry-run", "--store", "sqlite:///new.db"])
    made = story(run, ["migrate", "--store", "sqlite:///new.db"], ["migrate", "--store", "sqlite:///new.db"])
    run("call", "shop:catalog", "stock_get", '{"sku": "LOW-0002"}')
    after = story(run, ["doctor"])

    assert matches("doctor-and-migrate", f"{before}\n{made}\n{after}")


def test_a_new_server_and_a_new_tool_say_what_to_do_next(
    run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A7: the commands that come next, and the token this once."""
    made = story(run, ["new", "garden"], ["new", "garden"], ["new", "tool", "leaf_get"])
    monkeypatch.chdir(workspace / "garden")
    added = story(run, ["new", "tool", "leaf_get"], ["new", "tool", "leaf_get"])

    assert matches("new", f"{made}\n{added}")


@pytest.mark.parametrize(
    ("name", "configuration"),
    [("unknown-field", '[[caller]]\nname = "a"\ntokn = "x"\n'), ("no-toml", "[[caller")],
)
def test_a_faulty_configuration_is_named_by_doctor(run: Run, workspace: Path, name: str, configuration: str) -> None:
    """B18: each place that is wrong, and exit code 1."""
    (workspace / "fourfold.toml").write_text(configuration, "utf-8")

    assert matches(f"doctor-{name}", story(run, ["doctor"]))
