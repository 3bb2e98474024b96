"""Files that nobody should have written: what cannot be read is named by its place, and the rest is read."""

from __future__ import annotations

import copy
import io
import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.contracts.case_file import case_line, read_cases
from fourfold.selection.importing.decision import FORMATS, HINDRANCES, Format
from fourfold.selection.importing.records import MOST_BYTES, bounded_lines
from fourfold.selection.importing.run import Import
from fourfold.selection.importing.to_case import CaseMaker
from tests.selection.imported import GOOD, REFUND, SCHEMA, import_lines, import_records

RECORD = GOOD["openai"]
LINE = json.dumps(RECORD).encode()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LINE[:-20], "line 2: is no JSON; it may have been cut off"),
        (b"\xff\xfe{}", "line 2: begins with a byte order mark"),
        (b'{"a": "\xe9"}', "line 2: is not UTF-8"),
        (b"[" * 300 + b"]" * 300, "line 2: is nested more than 200 deep"),
        (b'{"messages": [], "messages": []}', "line 2 at /messages: is there twice"),
        (b'{"a": {"b": NaN}}', "line 2 at /a/b: is no finite number"),
        (b'{"a": [1e999]}', "line 2 at /a/0: is no finite number"),
        (b'{"id": 12345678901234567890}', "line 2 at /id: is an integer beyond 2^53, which readers round"),
        (b'"text"', "line 2: is no object"),
        (b'[{"a": 1}, 7, {"b": NaN}]', "line 2 at /1: is no object"),
        (b" " * (MOST_BYTES + 1) + b"1", "line 2: has more than 32 MiB"),
        (b"\x00", "line 2: is no JSON; it may have been cut off"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(line: bytes, said: str) -> None:
    """A8: with line and place."""
    cases, counted = import_lines([LINE, line, b"", b"  \n", LINE])

    assert (len(cases), counted.duplicates) == (1, 1)
    assert str(counted.bad[0]) == said


def test_a_bad_first_line_is_no_document() -> None:
    """A8: what follows it is read line by line."""
    cases, counted = import_lines([b'{"cut": \n', LINE])

    assert (len(cases), [str(bad) for bad in counted.bad]) == (1, ["line 1: is no JSON; it may have been cut off"])


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORD, indent=2),
        json.dumps([RECORD]),
        json.dumps([RECORD], indent=1),
        f"[\n{json.dumps(RECORD)}\n]",
        f"[\n{json.dumps(RECORD)},\n{json.dumps(RECORD)}\n]",
        f"\ufeff{json.dumps(RECORD)}",
        f"\n\n{json.dumps(RECORD)}\r\n",
    ],
)
def test_one_document_is_read_as_well_as_lines(text: str) -> None:
    """A8: over several lines, as an array, with a byte order mark at its beginning."""
    cases, counted = import_lines(io.BytesIO(text.encode()))

    assert (len(cases), counted.bad) == (1, [])


def test_a_document_that_breaks_off_is_named_line_by_line() -> None:
    """A8: twenty places are enough; all are counted."""
    cases, counted = import_lines(io.BytesIO(json.dumps(RECORD, indent=1)[:-3].encode()))

    assert (cases, len(counted.bad), counted.read_nothing) == ([], 20, True)
    assert counted.bad_count > 20


def test_a_long_line_is_not_held_whole() -> None:
    """A8: its beginning is enough to refuse it, and the line after it has its number."""
    lines = list(bounded_lines(io.BytesIO(b"x" * (2 * MOST_BYTES + 5) + b"\nnext\n")))

    assert [len(line) for line in lines] == [MOST_BYTES + 1, 5]


def test_records_of_no_format_are_counted() -> None:
    """A8."""
    cases, counted = import_records({"a": 1}, {})

    assert (cases, counted.read_nothing, counted.hindered["unknown_format"].count) == ([], True, 2)


def test_a_case_that_no_suite_takes_is_not_written() -> None:
    """A8: such as one with a name that is too long."""
    name = "x" * 300
    record = {
        **RECORD,
        "tools": [{"type": "function", "function": {"name": name, "parameters": SCHEMA}}],
        "response": {"tool_calls": [{"function": {"name": name, "arguments": "{}"}}]},
    }

    cases, counted = import_records(record)

    assert (cases, counted.hindered["invalid"].count) == ([], 1)


_WORDS = """
messages response tools role content user assistant tool tool_calls function name arguments parameters request body
choices message type text tool_use tool_result input id system attributes key value stringValue resourceSpans
scopeSpans spans gen_ai.output.messages gen_ai.input.messages gen_ai.operation.name chat parts
openinference.span.kind LLM llm.input_messages.0.message.role llm.output_messages.0.message.content llm.tools.0.tool
llm.input_messages run_type llm inputs outputs extra generations kwargs GENERATION output observations data uuid
parentUuid sessionId jsonrpc method tools/call msg events resourceLogs scopeLogs logRecords eventName gen_ai.choice
"""
WORDS = st.sampled_from(_WORDS.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5),
    max_leaves=20,
)


def _import(lines: list[bytes], form: Format | None) -> Import:
    counted = Import(maker=CaseMaker([REFUND]), form=form)
    for case in counted.cases_in(lines):
        assert [*read_cases([case_line(case).encode()], name="x")] == [case]
    return counted


@given(st.lists(JSON, min_size=1, max_size=4), st.none() | st.sampled_from(sorted(FORMATS)))
def test_no_record_breaks_a_reader(records: list[Any], form: Format | None) -> None:
    """A8: whatever it holds and whoever is told to read it; each one is read, named or counted."""
    counted = _import([json.dumps(record).encode() for record in records], form)

    assert counted.hindered.keys() <= HINDRANCES.keys()
    assert counted.records.total() + counted.bad_count > 0 or counted.hindered.keys() <= {"unknown_format"}


def _keys(node: Any) -> list[Any]:
    """Under which names or numbers something stands in a part of a record."""
    if isinstance(node, dict):
        return sorted(cast("dict[str, Any]", node))
    return [*range(len(cast("list[Any]", node)))] if isinstance(node, list) else []


@st.composite
def _damaged(draw: st.DrawFn) -> tuple[Format, dict[str, Any]]:
    """A good record of which one part is something else."""
    form = draw(st.sampled_from(sorted(GOOD)))
    record = copy.deepcopy(GOOD[form])
    node: Any = record
    key = draw(st.sampled_from(_keys(node)))
    while (inner := _keys(node[key])) and draw(st.integers(0, 4)):
        node, key = node[key], draw(st.sampled_from(inner))
    node[key] = draw(JSON)
    return form, record


def test_the_good_records_are_of_their_formats_and_give_cases() -> None:
    """A8: else the damaged ones would show nothing."""
    cases = {form: import_records(record)[0] for form, record in GOOD.items()}

    assert [form for form, record in GOOD.items() if import_records(record)[1].records != {form: 1}] == []
    assert [form for form, found in cases.items() if len(found) != 1] == ["claude-code", "mcp"]


@given(_damaged(), st.booleans())
def test_no_damage_breaks_a_reader(damaged: tuple[Format, dict[str, Any]], forced: bool) -> None:
    """A8: shapes that are nearly right, asked for by name or not."""
    form, record = damaged

    _import([json.dumps(record).encode()], form if forced else None)


@given(st.lists(st.binary(max_size=60), max_size=4), st.sampled_from([None, *FORMATS]))
def test_no_bytes_break_a_reader(lines: list[bytes], form: Format | None) -> None:
    """A8: each line is empty, named as bad, or a record."""
    counted = _import(lines, form)

    assert counted.bad_count <= sum(bool(line.strip()) for line in lines)
