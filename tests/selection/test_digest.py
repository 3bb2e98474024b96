"""Digests of what a result depends on."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from fourfold.model.case import Case, Expectation
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.digest import messages_digest, suite_digest, tool_digest, tools_digest

TOOL = OfferedTool(name="refund", description="Pays back.", input_schema={"type": "object", "required": ["id"]})


def test_a_tool_is_digested_as_canonical_json() -> None:
    """B14: RFC 8785, so that any program can recompute it."""
    told = '{"description":"Pays back.","inputSchema":{"required":["id"],"type":"object"},"name":"refund"}'

    assert tool_digest(TOOL) == f"sha256:{hashlib.sha256(told.encode()).hexdigest()}"


@pytest.mark.parametrize("change", [{"name": "x"}, {"description": "Pays  back."}, {"input_schema": {}}])
def test_every_part_that_a_model_is_told_changes_it(change: dict[str, object]) -> None:
    """B14: nothing else does, and neither does the order of the tools."""
    other = replace(TOOL, **change)

    assert tool_digest(other) != tool_digest(TOOL)
    assert tools_digest([other, TOOL]) == tools_digest([TOOL, other]) != tools_digest([TOOL])


@pytest.mark.parametrize("value", [2**63 - 1, 10**400, 0.1, "\ud800", [None, True, {"\ud800": 1}]])
def test_whatever_a_foreign_schema_holds_has_a_digest(value: object) -> None:
    """Numbers beyond a double's integers stand in many of them."""
    digest = tool_digest(replace(TOOL, input_schema={"maximum": value}))

    assert digest == tool_digest(replace(TOOL, input_schema={"maximum": value})) != tool_digest(TOOL)


def test_a_suite_is_the_same_in_any_order_and_another_with_any_change() -> None:
    """B14: results of two suites are not compared."""
    said: JsonObject = {"role": "user", "content": "hi"}
    cases = [
        Case(id=name, case_class="ask", messages=(said,), expect=Expectation(decisions=("ask",))) for name in ("a", "b")
    ]

    assert suite_digest(cases) == suite_digest(cases[::-1])
    assert suite_digest(cases) != suite_digest([cases[0], replace(cases[1], must_pass=True)])
    assert messages_digest([said]) != messages_digest([said, said])
