"""The rules about results: what a schema promises, and what an answer holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.review.examples import findings, symbols

TEXT = {"type": "string", "maxLength": 40}
COUNT = {"type": "integer", "maximum": 100}
ITEMS = {"type": "array", "maxItems": 50, "items": {"type": "object", "properties": {"number": {"type": "integer"}}}}

LONG = {"type": "array", "items": {"type": "object", "properties": {"number": {"type": "integer"}}}}
COLORS = {name: {"type": "string"} for name in ("first", "last", "high", "low", "line", "marker", "axis", "negative")}


def a_tool(
    name: str = "order_list",
    *,
    takes: dict[str, Any] | None = None,
    gives: dict[str, Any] | None = None,
    text: str = "",
) -> dict[str, Any]:
    """A tool with these arguments and these output fields."""
    tool: dict[str, Any] = {
        "name": name,
        "description": text or "Orders.",
        "inputSchema": {"type": "object", "properties": takes or {}},
    }
    return tool if gives is None else {**tool, "outputSchema": {"type": "object", "properties": gives}}


def an_answer(result: dict[str, Any], *, schema: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An answer of a tool that declares `schema` as its output."""
    tool = a_tool("flow_get", takes={"id": TEXT})
    return {"tool": tool if schema is None else {**tool, "outputSchema": schema}, "result": result, **more}


def says(text: str, **more: Any) -> dict[str, Any]:
    """A result with one text block."""
    return {"content": [{"type": "text", "text": text}], **more}


VALUE = {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}


@pytest.mark.parametrize(
    ("rule", "tool", "pointer"),
    [
        ("FF302", a_tool(takes={"page": COUNT, "perPage": COUNT}, gives={"items": ITEMS}), "/outputSchema"),
        ("FF302", a_tool(takes={"offset": COUNT}, gives={"data": ITEMS}), "/outputSchema"),
        (
            "FF303",
            a_tool(takes={"limit": COUNT}, gives={"items": ITEMS, "truncated": {"type": "boolean"}}),
            "/outputSchema/properties/truncated",
        ),
        ("FF303", a_tool(gives={"items": ITEMS, "nextCursor": TEXT}), "/outputSchema/properties/nextCursor"),
        (
            "FF303",
            a_tool(takes={"limit": {**COUNT, "default": 20}}, gives={"items": ITEMS, "truncated": {"type": "boolean"}}),
            "/outputSchema/properties/truncated",
        ),
        ("FF301", a_tool("order_create", text="Create an order."), ""),
        ("FF305", a_tool("graph_read", gives={"nodes": LONG}), "/outputSchema/properties/nodes"),
        ("FF306", a_tool("read_files", gives={"content": {"type": "string"}}), "/outputSchema/properties/content"),
        ("FF304", a_tool(takes={"limit": COUNT}, gives={"items": ITEMS}), "/inputSchema/properties/limit"),
        ("FF304", a_tool(takes={"max_results": COUNT}), "/inputSchema/properties/max_results"),
        ("FF307", a_tool(gives={"unit_price": {"type": "number"}}), "/outputSchema/properties/unit_price"),
        ("FF308", a_tool(gives={"amount_minor": {"type": "integer"}}), "/outputSchema/properties/amount_minor"),
        ("FF309", a_tool(gives={"created_at": {"type": "string"}}), "/outputSchema/properties/created_at"),
        ("FF309", a_tool(gives={"timestamp": {"type": "integer"}}), "/outputSchema/properties/timestamp"),
        ("FF311", a_tool(gives={"apiKey": TEXT}), "/outputSchema/properties/apiKey"),
        ("FF312", a_tool(gives={"stackTrace": TEXT}), "/outputSchema/properties/stackTrace"),
        ("FF315", a_tool(takes={"cursor": {"type": "integer"}}), "/inputSchema/properties/cursor"),
        (
            "FF315",
            a_tool(takes={"page_token": {"type": "string", "description": "Numeric offset."}}),
            "/inputSchema/properties/page_token",
        ),
    ],
)
def test_what_a_definition_lets_go_wrong_is_found(rule: str, tool: dict[str, Any], pointer: str) -> None:
    """A16, D2; MP-067, MP-068: pages, limits, money, times and secrets of an output schema."""
    (finding,) = findings(tool, rule)

    assert (finding.id, finding.pointer) == (rule, pointer)


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("FF302", a_tool(takes={"cursor": TEXT}, gives={"items": ITEMS, "has_more": {"type": "boolean"}})),
        ("FF302", a_tool(takes={"page": COUNT}, gives={"items": ITEMS, "total_count": {"type": "integer"}})),
        ("FF302", a_tool("order_create", takes={"page": COUNT}, gives={"items": ITEMS})),
        ("FF302", a_tool(takes={"page": COUNT}, gives={"text": TEXT})),
        ("FF303", a_tool(takes={"cursor": TEXT}, gives={"items": ITEMS, "truncated": {"type": "boolean"}})),
        (
            "FF303",
            a_tool(takes={"limit": {"default": 20}}, gives={"items": ITEMS, "truncated": {"type": "boolean"}}),
        ),
        (
            "FF303",
            a_tool(
                takes={"max_chars": {**COUNT, "default": 20}}, gives={"text": TEXT, "truncated": {"type": "boolean"}}
            ),
        ),
        ("FF301", a_tool("order_delete", text="Delete an order.")),
        ("FF301", a_tool("browser_click", text="Click on an element.")),
        ("FF301", a_tool("web_search", text="Search the web. Returns clean text content of the pages.")),
        ("FF301", a_tool("storage", takes={"command": TEXT, "parameters": {"type": "object"}})),
        ("FF304", a_tool("order_search", takes={"query": TEXT, "limit": COUNT})),
        ("FF304", a_tool(takes={"limit": {"default": None}})),
        ("FF304", a_tool("git_log", takes={"max_count": COUNT, "end_timestamp": TEXT})),
        ("FF305", a_tool("cell_read", takes={"max_cells": COUNT}, gives={"values": LONG})),
        ("FF305", a_tool("graph_read", gives={"nodes": LONG, "more": {"type": "integer"}})),
        ("FF305", a_tool("run_query", takes={"query": TEXT}, gives={"result": LONG})),
        ("FF305", a_tool("recommend", gives={"pages": LONG})),
        ("FF305", a_tool("get_activity", gives={"day_items": LONG})),
        (
            "FF305",
            a_tool(
                "read_media",
                gives={"content": {"type": "array", "items": {"type": "object", "properties": {"mimeType": TEXT}}}},
            ),
        ),
        ("FF306", a_tool("get_file_info", gives={"content": {"type": "string"}})),
        ("FF306", a_tool("fetch", gives={"id": TEXT, "title": TEXT, "url": TEXT, "text": {"type": "string"}})),
        ("FF304", a_tool(takes={"limit": COUNT, "offset": COUNT})),
        ("FF304", a_tool(takes={"limit": COUNT}, text="Orders; says how many there are in total.")),
        ("FF304", a_tool("order_get_recent", takes={"limit": COUNT})),
        ("FF304", a_tool(takes={"spend_cap": COUNT})),
        ("FF307", a_tool(gives={"totalTasks": {"type": "number"}, "tax_rate": {"type": "number"}})),
        ("FF308", a_tool(gives={"amount_minor": COUNT, "currency": TEXT})),
        ("FF308", a_tool(gives={"amount_usd": COUNT})),
        ("FF308", a_tool(gives={"total_results": COUNT, "totalNodes": COUNT})),
        ("FF309", a_tool(gives={"created_at": {"type": "string", "format": "date-time"}})),
        ("FF309", a_tool(gives={"updated_at": {"type": "integer", "description": "Unix time in seconds."}})),
        ("FF309", a_tool(gives={"located_at": TEXT, "runtime": TEXT})),
        ("FF309", a_tool(gives={"datetime": TEXT, "timezone": TEXT})),
        ("FF310", a_tool(gives={"sheet": {"type": "object", "properties": {"colors": {"properties": COLORS}}}})),
        ("FF314", a_tool(gives={"sizes": {"type": "object", "additionalProperties": {"type": "integer"}}})),
        ("FF311", a_tool(gives={"has_password": {"type": "boolean"}, "next_page_token": TEXT, "token_count": COUNT})),
        ("FF315", a_tool(takes={"cursor": {"type": "string", "description": "next_cursor of the page before"}})),
    ],
)
def test_what_a_definition_does_well_is_left_alone(rule: str, tool: dict[str, Any]) -> None:
    """D2: a false alarm costs more than a miss."""
    assert findings(tool, rule) == []


@pytest.mark.parametrize("odd", [None, [], "object", {"type": "array", "items": 3}, {"properties": []}, {"type": 7}])
def test_an_odd_schema_is_looked_at_without_a_crash(odd: object) -> None:
    """C10: nothing is certain about what a foreign server lists."""
    tool = {"name": "order_list", "inputSchema": odd, "outputSchema": odd}

    assert "annotations-missing" in symbols(tool)
    findings({"tool": tool, "arguments": {"a": 1}, "result": {"content": odd, "structuredContent": odd}})


@pytest.mark.parametrize(
    ("rule", "example", "pointer"),
    [
        ("FF351", an_answer(says("{'wrong': 'shape'}", isError=False), schema=VALUE), ""),
        ("FF352", an_answer(says("x", structuredContent={}), schema=VALUE), "/structuredContent"),
        ("FF352", an_answer(says("x", structuredContent={"value": 1}), schema=VALUE), "/structuredContent/value"),
        (
            "FF353",
            an_answer(says("denied", structuredContent={"error": {"code": "denied"}}, isError=True), schema=VALUE),
            "/structuredContent",
        ),
        ("FF354", an_answer({"content": [], "structuredContent": {"code": "X"}, "isError": True}), "/content"),
        ("FF354", an_answer(says("  ", isError=True)), "/content"),
        ("FF355", an_answer(says("missing required parameter: owner", isError=False)), "/content/0/text"),
        ("FF355", an_answer(says("Error executing ClusterHealth: AuthenticationException(401)")), "/content/0/text"),
        ("FF355", an_answer(says("Failed to fetch the page")), "/content/0/text"),
        ("FF356", an_answer(says('{"success":false,"error_code":"SQL_ERROR"}')), "/content/0/text"),
        (
            "FF356",
            an_answer(says("invalid id", structuredContent={"ok": False, "error": {"code": "invalid_id"}})),
            "/structuredContent",
        ),
        (
            "FF357",
            an_answer(says('{"status":"error","traceback":"Traceback (most recent call last):\\n  File"}')),
            "/content/0/text",
        ),
        (
            "FF357",
            an_answer({"body": {"stackTrace": [{"className": "org.example.Auth"}]}}),
            "/body/stackTrace/0/className",
        ),
        ("FF358", an_answer(says("cannot read /srv/app/config.yml", isError=True)), "/content/0/text"),
        ("FF358", an_answer(says("no such table: invoices", isError=True)), "/content/0/text"),
        ("FF358", an_answer(says("db1.prod.internal does not answer", isError=True)), "/content/0/text"),
        ("FF359", an_answer(says("postgresql://svc:hunter2@db:5432/prod")), "/content/0/text"),
        ("FF359", an_answer(says("x", structuredContent={"h": "Bearer abcdefghijklmnopqrst"})), "/structuredContent/h"),
        ("FF360", an_answer(says("QUJD" * 1024)), "/content/0/text"),
        (
            "FF361",
            an_answer({"content": [{"type": "text", "text": {"$concat": ["a: ", {"$repeat": ["word ", 48]}, "…"]}}]}),
            "/content/0/text",
        ),
        ("FF361", an_answer(says("The first part. [content truncated]")), "/content/0/text"),
        ("FF362", an_answer(says("x", structuredContent={"n": 7959093232313131379})), "/structuredContent/n"),
        ("FF362", an_answer(says('{"n": 9007199254740992}')), "/content/0/text"),
        ("FF363", an_answer(says("ok \ud83d end")), "/content/0/text"),
        ("FF363", an_answer(says("\ude00\ud83d")), "/content/0/text"),
        ("FF365", an_answer(says("x", structuredContent={"share": {"$float": "nan"}})), "/structuredContent/share"),
        (
            "FF366",
            {
                "tool": a_tool("tasks_complete"),
                "result": says("Completed.", structuredContent={"done": ["t1"], "failures": [{"id": "t2"}]}),
            },
            "/structuredContent/failures",
        ),
        ("FF367", an_answer(says("Internal server error.", isError=True)), "/content/0/text"),
        (
            "FF368",
            an_answer(says("a", structuredContent={"items": ["a"], "nextCursor": ""})),
            "/structuredContent/nextCursor",
        ),
        (
            "FF364",
            an_answer({"content": [{"type": "text", "text": {"$repeat": ["annotation: check this again. ", 4000]}}]}),
            "/content",
        ),
    ],
)
def test_a_bad_answer_is_found(rule: str, example: dict[str, Any], pointer: str) -> None:
    """A16, B3, B6, D2; MP-041, MP-043, MP-044, MP-047, MP-049, MP-050, MP-059, MP-064, MP-065, MP-073, MP-121."""
    (finding, *_) = findings(example, rule)

    assert (finding.id, finding.pointer) == (rule, pointer)


@pytest.mark.parametrize(
    ("rule", "example"),
    [
        ("FF351", an_answer(says("on", structuredContent={"value": "on"}), schema=VALUE)),
        ("FF351", an_answer(says("Workflow is not enabled. Ask an owner to enable it.", isError=True), schema=VALUE)),
        ("FF352", an_answer(says("on", structuredContent={"value": "on"}), schema=VALUE)),
        ("FF352", an_answer(says("on", structuredContent={"value": 1}), schema={"type": "nonsense"})),
        ("FF353", an_answer(says("Workflow is not enabled.", isError=True), schema=VALUE)),
        ("FF355", an_answer(says("3 errors were found in the last hour; see list."))),
        ("FF355", an_answer(says("500 orders", isError=False))),
        ("FF355", an_answer(says("Error rate: 3 %"))),
        ("FF355", an_answer(says("Failed to fetch the page", isError=True))),
        ("FF356", an_answer(says("done", structuredContent={"ok": True, "error": None}))),
        ("FF356", an_answer(says("x", structuredContent={"job_id": "j1", "status": "failed", "error": "no space"}))),
        ("FF357", an_answer({"body": {"error": "invalid_token"}})),
        ("FF358", an_answer(says("There is no file /srv/a.txt", isError=True), arguments={"id": "/srv/a.txt"})),
        ("FF358", an_answer(says("not_found: there is no such invoice. List them first.", isError=True))),
        ("FF359", an_answer(says("see https://example.org:8080/a@b; password: ****"))),
        ("FF361", an_answer(says("Wait for it…"))),
        ("FF362", an_answer(says("x", structuredContent={"n": 9007199254740991, "b": True}))),
        ("FF365", an_answer(says('{"share": 0.5}'))),
        (
            "FF366",
            {"tool": a_tool("tasks_complete"), "result": says("1 failed.", structuredContent={"failed": ["t2"]})},
        ),
        ("FF366", {"tool": a_tool("tasks_complete"), "result": says("Done.", structuredContent={"failed": []})}),
        ("FF367", an_answer(says("Internal error: the disk is full; free some space.", isError=True))),
        ("FF368", an_answer(says("a", structuredContent={"items": ["a"], "cursor": ""}))),
        ("FF363", an_answer(says("pair \U0001f600 ok"))),
    ],
)
def test_a_good_answer_is_left_alone(rule: str, example: dict[str, Any]) -> None:
    """D2; MP-040: an error needs no structured result, and data may speak of errors."""
    assert findings(example, rule) == []


STRICT = {
    "name": "note_find",
    "inputSchema": {
        "type": "object",
        "properties": {"query": TEXT, "limit": COUNT, "cursor": TEXT},
        "required": ["query"],
        "additionalProperties": False,
    },
}


def a_call(arguments: dict[str, Any], result: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What `note_find` answered to `arguments`."""
    return {"tool": STRICT, "arguments": arguments, "result": result, **more}


@pytest.mark.parametrize(
    ("example", "found"),
    [
        (a_call({"query": "a", "depth": 1}, says("1 note")), {"unknown-argument-ignored"}),
        (a_call({"query": "a", "limit": "5"}, says("1 note")), {"invalid-argument-accepted"}),
        (a_call({}, says("1 note")), {"invalid-argument-accepted"}),
        (a_call({}, says("Bad input", isError=True)), {"error-without-path"}),
        (a_call({"query": "a", "limit": "5"}, says("limit has to be a number", isError=True)), set[str]()),
        (a_call({}, {}, refusal="query is required"), {"arguments-refused-by-protocol"}),
        (a_call({"query": "a", "cursor": "made-up-by-fourfold"}, says("1 note")), {"made-up-cursor-accepted"}),
        (a_call({"query": "a"}, says("1 note")), set[str]()),
        (a_call({"query": "a"}, says("1", structuredContent={"has_more": True})), {"more-without-cursor"}),
        (a_call({"query": "a"}, says("1", structuredContent={"has_more": True, "cursor": "c"})), set[str]()),
        (a_call({"query": "a", "cursor": "c"}, says("a, b"), before=says("a, b")), {"page-repeats"}),
        (a_call({"query": "a", "cursor": "c"}, says("c, d"), before=says("a, b")), set[str]()),
    ],
)
def test_what_a_server_does_with_arguments_is_judged_by_what_was_sent(example: dict[str, Any], found: set[str]) -> None:
    """C1, C6, D2: a call is bad or good only together with its arguments."""
    assert symbols(example) == found


def test_the_same_tools_in_another_order_are_another_list() -> None:
    """D2: what stands first in each request to a model has to stay the same."""
    one, two = a_tool("a_get"), a_tool("b_get")

    assert [finding.pointer for finding in findings({"tools": [one, two], "listed_again": [two, one]}, "FF371")] == [
        "/tools"
    ]
    assert findings({"tools": [one, two], "listed_again": [one, two]}, "FF371") == []
