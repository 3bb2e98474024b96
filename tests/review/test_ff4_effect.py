"""The rules about effects: hints, keys, versions, plans, jobs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.review.examples import findings

TEXT = {"type": "string", "maxLength": 40}
AMOUNT = {"type": "integer", "minimum": 1}
READS = {"readOnlyHint": True, "destructiveHint": False}
ADDS = {"readOnlyHint": False, "destructiveHint": False}
DESTROYS = {"readOnlyHint": False, "destructiveHint": True}


def a_tool(name: str, takes: dict[str, Any] | None = None, hints: dict[str, Any] | None = None, **more: Any) -> Any:
    """A tool with these arguments and hints."""
    schema = {"type": "object", "properties": takes or {}}
    return {"name": name, "inputSchema": schema, **({} if hints is None else {"annotations": hints}), **more}


def a_hidden_batch(name: str) -> Any:
    """A tool that takes entries of which the schema says nothing."""
    entries: dict[str, Any] = {"type": "array", "items": {}}
    schema = {"type": "object", "properties": {"entries": entries}, "required": ["entries"]}
    return {"name": name, "inputSchema": schema, "annotations": ADDS}


@pytest.mark.parametrize(
    ("rule", "tool", "pointer"),
    [
        ("FF401", a_tool("list_apps"), "/annotations"),
        ("FF401", a_tool("delete_app", hints={"title": "Delete"}), "/annotations"),
        ("FF402", a_tool("remove_user", {"id": TEXT}, {"readOnlyHint": True}), "/annotations/readOnlyHint"),
        ("FF402", a_tool("invoice_send", {"id": TEXT}, READS), "/annotations/readOnlyHint"),
        ("FF403", a_tool("delete_user", {"id": TEXT}, ADDS), "/annotations/destructiveHint"),
        ("FF404", a_tool("query_orders", hints={"readOnlyHint": True}), "/annotations"),
        ("FF405", a_tool("get_user", hints={"openWorldHint": True}), "/annotations"),
        ("FF405", a_tool("create_note", hints={"readOnlyHint": False}), "/annotations"),
        ("FF406", a_tool("order_create", {"item": TEXT}, {"idempotentHint": True}), "/annotations/idempotentHint"),
        ("FF407", a_tool("create_site", {"order": AMOUNT, "domain": TEXT}, ADDS), ""),
        ("FF407", a_tool("send_message", {"to": TEXT}, ADDS), ""),
        ("FF408", a_tool("refund_payment", {"payment": TEXT, "amount_minor": AMOUNT}, DESTROYS), ""),
        ("FF408", a_tool("transfer_create", {"to": TEXT, "amount": AMOUNT}, ADDS), ""),
        ("FF409", a_tool("invoice_update", {"invoice_id": TEXT, "due_on": TEXT}), ""),
        ("FF410", a_tool("database_delete", {"id": TEXT}, DESTROYS), ""),
        ("FF411", a_tool("reminder_send", {"customer": TEXT}), ""),
        ("FF412", a_tool("delete_all_orders", hints=DESTROYS), "/name"),
        ("FF412", a_tool("file_delete", {"ids": {"type": "array"}}), "/inputSchema/properties/ids"),
        ("FF412", a_tool("file_delete", {"all": {"type": "boolean"}}), "/inputSchema/properties/all"),
        ("FF414", a_tool("deep_research", _meta={"example/max_seconds": 600}), "/_meta/example~1max_seconds"),
        ("FF414", a_tool("stack_deploy", description="Deploys a stack; takes 15-20 minutes."), "/description"),
        ("FF416", a_tool("ticket_transition", {"status": {"type": "string"}}), "/inputSchema/properties/status"),
        ("FF417", a_tool("report_get", {"save": {"type": "boolean"}}, READS), "/inputSchema/properties/save"),
        ("FF418", a_tool("list_apps", hints=ADDS), "/annotations/readOnlyHint"),
        ("FF420", a_tool("web_search", {"q": TEXT}, {"openWorldHint": False}), "/annotations/openWorldHint"),
        ("FF420", a_tool("page_fetch", {"url": TEXT}, {"openWorldHint": False}), "/annotations/openWorldHint"),
        ("FF421", a_tool("find", hints={**READS, "destructiveHint": True}), "/annotations/destructiveHint"),
    ],
)
def test_what_an_effect_is_missing_is_found(rule: str, tool: Any, pointer: str) -> None:
    """B5, C2, D2, D3; MP-085, MP-113, MP-115, MP-116, MP-134: at its place, and once."""
    (finding,) = findings(tool, rule)

    assert (finding.id, finding.pointer) == (rule, pointer)


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("FF402", a_tool("reset_cache", hints=ADDS)),
        ("FF402", a_tool("jira_get_issue", hints=READS)),
        ("FF402", a_tool("pods_log", hints=READS)),
        ("FF402", a_tool("open_nodes", hints=READS)),
        ("FF402", a_tool("run_report", hints=READS)),
        ("FF402", a_tool("invoice_plan_send", hints=READS)),
        ("FF402", a_tool("invoice_send_plan", hints=READS)),
        ("FF403", a_tool("reset_cache", hints=ADDS)),
        ("FF403", a_tool("browser_drop", hints=ADDS)),
        ("FF403", a_tool("remove_label_from_issue", hints=ADDS)),
        ("FF404", a_tool("query_orders", hints=READS)),
        ("FF405", a_tool("resolve_thread", hints={"openWorldHint": True})),
        ("FF405", a_tool("search_and_replace", hints={"destructiveHint": True})),
        ("FF405", a_tool("create_or_update_file", hints={"openWorldHint": True})),
        ("FF406", a_tool("order_create", {"idempotency_key": TEXT}, {"idempotentHint": True})),
        ("FF407", a_tool("create_site", {"idempotencyKey": TEXT}, ADDS)),
        ("FF407", a_tool("create_directory", {"path": TEXT}, ADDS)),
        ("FF407", a_tool("create_branch", {"name": TEXT}, ADDS)),
        ("FF407", a_tool("add_issues_to_sprint", {"sprint": TEXT}, ADDS)),
        ("FF407", a_tool("order_create", {"client_order_id": TEXT}, ADDS)),
        ("FF407", a_tool("invoice_execute_send", {"plan_id": TEXT, "digest": TEXT}, ADDS)),
        ("FF407", a_tool("note_upsert", {"text": TEXT}, ADDS)),
        ("FF407", a_tool("create_or_update_file", {"text": TEXT}, ADDS)),
        ("FF407", a_tool("sp-purchase-analyzer", {"plan": TEXT}, ADDS)),
        ("FF407", a_tool("create_property", {"name": TEXT}, ADDS)),
        ("FF407", a_hidden_batch("send_messages")),
        ("FF409", a_hidden_batch("update_messages")),
        ("FF408", a_tool("payment_execute_refund", {"plan_id": TEXT, "digest": TEXT})),
        ("FF408", a_tool("payment_list", {"amount": AMOUNT})),
        ("FF408", a_tool("sp-purchase-analyzer", {"amount": AMOUNT})),
        ("FF409", a_tool("invoice_update", {"invoice_id": TEXT, "expected_version": TEXT})),
        ("FF409", a_tool("edit_file", {"path": TEXT, "old_string": TEXT, "new_string": TEXT})),
        ("FF409", a_tool("edit_memory", {"needle": TEXT, "repl": TEXT})),
        ("FF409", a_tool("modify_labels", {"add_labels": TEXT, "remove_labels": TEXT})),
        ("FF409", a_tool("change_message_visibility", {"receipt": TEXT})),
        ("FF410", a_tool("reaction_delete", {"id": TEXT})),
        ("FF410", a_tool("pods_delete", {"name": TEXT})),
        ("FF410", a_tool("safe_delete_symbol", {"path": TEXT})),
        ("FF410", a_tool("database_delete", {"id": TEXT, "dry_run": {"type": "boolean"}})),
        ("FF411", a_tool("set_publish_settings")),
        ("FF411", a_tool("reminder_send", {"draft_id": TEXT})),
        ("FF411", a_tool("send_message", {"QueueUrl": TEXT, "MessageBody": TEXT})),
        ("FF411", a_tool("publish", {"channel": TEXT}, description="Publish to a Redis channel.")),
        ("FF412", a_tool("file_delete", {"ids": {"type": "array", "maxItems": 20}})),
        ("FF414", a_tool("deep_research", _meta={"example/max_seconds": 30})),
        ("FF414", a_tool("deep_research", execution={"taskSupport": "optional"}, _meta={"max_seconds": 600})),
        ("FF414", a_tool("agent_run", description="Takes 1-5 minutes. Returns a job to poll.")),
        ("FF414", a_tool("stack_manage", description="Takes 15-20 minutes. describe returns the status.")),
        ("FF416", a_tool("ticket_transition", {"status": {"type": "string", "enum": ["open", "done"]}})),
        ("FF417", a_tool("report_get", {"include_deleted": {"type": "boolean"}}, READS)),
        ("FF418", a_tool("find_and_replace", hints=ADDS)),
        ("FF418", a_tool("execute_query", {"sql": TEXT}, DESTROYS)),
        ("FF420", a_tool("web_search", {"q": TEXT}, {"openWorldHint": True})),
        ("FF420", a_tool("note_search", {"q": TEXT}, {"openWorldHint": False})),
        ("FF421", a_tool("find", hints=READS)),
    ],
)
def test_what_an_effect_has_is_left_alone(rule: str, tool: Any) -> None:
    """D2; MP-115: a false alarm costs more than a miss."""
    assert findings(tool, rule) == []


@pytest.mark.parametrize(
    ("rule", "alone", "beside"),
    [
        ("FF410", a_tool("invoice_delete", {"invoice": TEXT}), a_tool("invoice_plan_delete", {"invoice": TEXT})),
        ("FF411", a_tool("reminder_send", {"customer": TEXT}), a_tool("reminder_preview", {"customer": TEXT})),
        (
            "FF415",
            a_tool("export_start", outputSchema={"type": "object", "properties": {"job_id": TEXT}}),
            a_tool("export_status", {"job_id": TEXT}),
        ),
        ("FF416", a_tool("ticket_transition", {"status": {"type": "string"}}), a_tool("ticket_list_statuses")),
    ],
)
def test_another_tool_beside_it_makes_the_difference(rule: str, alone: Any, beside: Any) -> None:
    """D2, D3: these are rules about a catalog."""
    (finding,) = findings({"tools": [alone]}, rule)

    assert finding.tool == alone["name"]
    assert findings({"tools": [alone, beside]}, rule) == []


def test_a_read_with_the_name_of_a_write_is_advice() -> None:
    """B5; MP-115: what the description tells as a read is named wrong, not annotated wrong."""
    told = a_tool("cli_install", hints=READS, description="Provide installation instructions.")
    untold = a_tool("cli_install", hints=READS, description="Installs the command line.")

    assert [finding.severity for finding in findings(told, "FF402")] == ["advice"]
    assert [finding.severity for finding in findings(untold, "FF402")] == ["error"]


def test_hints_that_are_stamped_on_every_tool_are_found() -> None:
    """B5, D2; MP-115: reads and deletes with the same hints say nothing."""
    names = ("list_apps", "get_app", "create_app", "delete_app")
    stamped = [a_tool(name, hints=ADDS) for name in names]

    assert [finding.pointer for finding in findings({"tools": stamped}, "FF419")] == ["/tools"]
    assert findings({"tools": [*stamped, a_tool("find_app", hints=READS)]}, "FF419") == []
    assert findings({"tools": [a_tool(name, hints=ADDS) for name in names[2:]]}, "FF419") == []


def test_a_public_list_that_depends_on_the_caller_is_found_at_its_scope() -> None:
    """D2; MP-097: two callers saw different lists, so that no cache may share them."""
    lists = {"u1": ["read_a"], "u2": ["read_a", "admin_b"]}
    example = {"tools": [a_tool("read_a", hints=READS)], "by_principal": lists, "cacheScope": "public"}

    (finding,) = findings(example, "FF413")

    assert (finding.tool, finding.pointer, finding.severity) == ("", "/cacheScope", "error")
    assert findings({**example, "cacheScope": "private"}, "FF413") == []
    assert findings({**example, "by_principal": {"u1": ["read_a"], "u2": ["read_a"]}}, "FF413") == []
