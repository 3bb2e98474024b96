"""A fault that many tools have from one cause: one finding, that still counts for each of them."""

from __future__ import annotations

from typing import Any

from fourfold.model.contract import JsonObject
from fourfold.model.finding import Reviewed
from fourfold.report.facts import as_facts
from fourfold.review.engine import review
from fourfold.review.settings import ReviewSettings, RuleWaiver
from tests.review.examples import TODAY, catalog_of

OLD = "http://json-schema.org/draft-07/schema#"
OLDER = "http://json-schema.org/draft-04/schema#"


def tool(name: str, dialect: str, **more: object) -> JsonObject:
    """A tool whose input schema names a dialect."""
    return {"name": name, "inputSchema": {"$schema": dialect, "type": "object", "properties": {}}, **more}


def reviewed(*tools: JsonObject, waivers: tuple[RuleWaiver, ...] = ()) -> Reviewed:
    """The review of those tools by the rule about dialects."""
    settings = ReviewSettings(select=("FF610",), waivers=waivers)
    return review(catalog_of({"tools": [*tools]}), today=TODAY, settings=settings)


def told(found: Reviewed) -> list[tuple[str, str, str]]:
    """Where each finding is, and what its message ends with."""
    return [(it.tool, it.pointer, it.message.rpartition("; ")[2]) for it in found.findings]


def test_an_old_dialect_is_told_once_with_how_many_tools_have_it() -> None:
    """D2, C6: 31 findings of one line of a converter hide what is worth reading."""
    found = reviewed(*(tool(name, OLD) for name in "abc"))

    assert told(found) == [("a", "/inputSchema/$schema", "the same in 2 other tools")]


def test_each_dialect_and_each_side_is_told_apart() -> None:
    """D2: another dialect, and the output, where it is worse, have findings of their own."""
    output = {"outputSchema": {"$schema": OLD, "type": "object"}}
    found = reviewed(tool("a", OLD), tool("b", OLDER), tool("c", OLD, **output), tool("d", OLD))

    assert [(it.tool, it.pointer, it.severity) for it in found.findings] == [
        ("a", "/inputSchema/$schema", "warning"),
        ("b", "/inputSchema/$schema", "warning"),
        ("c", "/outputSchema/$schema", "error"),
    ]
    assert [it.also for it in found.findings] == [("c", "d"), (), ()]


def test_each_of_the_tools_fails_its_question_and_stands_in_the_order() -> None:
    """D3: what is told once is still so for every tool."""
    found = reviewed(tool("a", OLD), tool("b", OLD))
    facts: Any = as_facts(found)

    assert [facts["questions"][name]["fits"] for name in "ab"] == ["fail", "fail"]
    assert [step.tool for step in found.order] == ["a", "b"]
    assert "also" not in facts["findings"][0]


def test_a_waiver_of_one_tool_leaves_the_others() -> None:
    """D2: the finding moves to the first tool that is left."""
    found = reviewed(
        *(tool(name, OLD) for name in "abc"),
        waivers=(RuleWaiver(rule="FF610", tool="a", reason="its clients read past it"),),
    )

    assert told(found) == [("b", "/inputSchema/$schema", "the same in another tool")]
    assert [it.finding.tool for it in found.waived] == ["a"]
