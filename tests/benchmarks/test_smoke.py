"""The benchmarks run, compare like with like, and report every row. How long things take is not judged here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.child import Child, WrongAnswer, serving
from benchmarks.report import Report, table
from benchmarks.rounds import Plan, check_answers
from benchmarks.run import measure
from benchmarks.wire import OPERATIONS

pytestmark = pytest.mark.serial

_ALWAYS_THERE = ("starlette", "sdk", "fourfold")
"""FastMCP is only in the environment of `scripts/bench`, which checks its answers before it measures."""


@pytest.fixture(scope="module")
def report() -> Report:
    """A run that is far too short to say anything."""
    return measure(Plan(rounds=1, seconds=0.02, part_seconds=0.001, connections=(2,)))


def test_every_contender_answers_the_same(tmp_path: Path) -> None:
    """A comparison means something only between servers that do the same."""
    with serving(_ALWAYS_THERE, tmp_path) as children:
        check_answers(children)
        prices = [child.structured("quote_preview")["total_minor"] for child in children]
        invoices = [len(child.structured("invoice_list")["items"]) for child in children]
        numbers = {child.structured("quote_create")["quote_id"] for child in children}

    assert prices == [10_027_489, 10_027_489, 10_027_489]
    assert invoices == [8, 8, 8]
    assert len(numbers) == 3


def test_a_contender_that_answers_otherwise_stops_the_run(tmp_path: Path) -> None:
    """A difference is named before anything is measured."""
    with serving(("starlette", "sdk"), tmp_path) as (starlette, sdk):
        # Asked as plain HTTP, an MCP server has another answer.
        mistaken = Child(contender="starlette", process=sdk.process, port=sdk.port)

        with pytest.raises(WrongAnswer):
            check_answers([starlette, mistaken])


def test_the_report_has_a_row_for_each_contender_and_operation(report: Report) -> None:
    """A row that is missing would look like a comparison that was never made."""
    over_http = {(row.contender, row.operation) for row in report.rows if row.connections}
    over_stdio = {(row.contender, row.operation) for row in report.rows if not row.connections}

    assert over_http >= {(name, operation) for name in _ALWAYS_THERE for operation in OPERATIONS}
    assert over_stdio == {(name, operation) for name in ("sdk", "fourfold") for operation in OPERATIONS}


def test_the_report_has_a_part_for_each_piece_of_a_call(report: Report) -> None:
    """What the contract costs is shown apart from what the protocol costs."""
    names = " ".join(part.name for part in report.parts)

    for piece in ("strict JSON", "input contract", "output contract", "fingerprint", "seal an outcome", "32 at once"):
        assert piece in names


def test_the_report_compares_a_large_catalog_with_a_small_one(report: Report) -> None:
    """C10: 157 tools are built, listed and called beside five; each has a ratio from this one run."""
    notes = {part.name: part.note for part in report.parts if "157" in part.name}

    for thing in ("declare and build one tool of 157", "tools/list of 157, whole", "invoice_list among 157 tools"):
        assert [note.startswith("x") for name, note in notes.items() if thing in name] == [True]


def test_the_table_and_the_json_say_the_same(report: Report) -> None:
    """One measurement, written for people and for programs."""
    written = report.as_json()
    shown = [line for line in table(report).splitlines() if line.startswith(OPERATIONS) and "  fourfold " in line]

    assert len(shown) == len([row for row in written["rows"] if row["contender"] == "fourfold"]) == 6
    assert written["schema"] == "fourfold/benchmarks/v1"
    assert [row["cpu_x_sdk"] for row in written["rows"] if row["contender"] == "sdk"] == [1.0] * 6
    assert json.loads(json.dumps(written))["versions"]["mcp"]
