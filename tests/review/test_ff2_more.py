"""Defaults, counts, lists as text, money and targets of arguments: what must fire, and what must not."""

from __future__ import annotations

import pytest

from fourfold.model.contract import JsonObject
from tests.review.examples import findings


def tool(name: str, description: str = "", /, **arguments: object) -> JsonObject:
    """A tool with those arguments, all of them optional."""
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": arguments}}


def strict(name: str, description: str = "", /, **arguments: object) -> JsonObject:
    """A tool with those arguments, all of them required."""
    made = tool(name, description, **arguments)
    return {**made, "inputSchema": {**made["inputSchema"], "required": [*arguments]}}


def giving(**fields: object) -> JsonObject:
    """A tool without arguments and with those fields in its output."""
    return {**tool("task_get"), "outputSchema": {"type": "object", "properties": fields}}


def text(description: str = "", **keywords: object) -> JsonObject:
    """A bounded text argument."""
    return {"type": "string", "maxLength": 200, "description": description, **keywords}


def number(description: str = "", **keywords: object) -> JsonObject:
    """An integer argument."""
    return {"type": "integer", "description": description, **keywords}


def union(*arms: tuple[JsonObject, list[str]]) -> JsonObject:
    """A choice of objects, each with its properties and what it requires of them."""
    return {"anyOf": [{"type": "object", "properties": has, "required": requires} for has, requires in arms]}


FRACTION: JsonObject = {"type": "number"}
BOOLEAN: JsonObject = {"type": "boolean"}
TEXT: JsonObject = {"type": "string"}
LIST: JsonObject = {"type": ["array", "null"]}

FIRES = [
    ("required-with-default", strict("tables_list", verbose={**BOOLEAN, "default": False})),
    ("required-with-default", tool("scrape", options=strict("", mode=text(default="fast"))["inputSchema"])),
    ("fractional-count", tool("search", maxResults=FRACTION)),
    ("fractional-count", tool("events_list", page=FRACTION)),
    ("fractional-count", tool("events_list", skip={"anyOf": [FRACTION, {"type": "null"}]})),
    ("list-as-text", tool("quotes_get", symbols=text("Comma-separated tickers."))),
    ("list-as-text", tool("quotes_get", symbols=text("Tickers, separated by commas"))),
    ("list-as-text", tool("quotes_get", "symbols: semicolon-delimited tickers", symbols=text())),
    ("default-in-prose", tool("a_list", limit=number("How many (max: 100, default: 20)"))),
    ("default-in-prose", tool("a_list", limit={**number("Default 20"), "default": None})),
    ("default-in-prose", tool("a_list", deep={**BOOLEAN, "description": "Defaults to false."})),
    ("default-in-prose", tool("a_list", order=text("Sort direction (defaults to asc)", enum=["asc", "desc"]))),
    ("default-in-prose", tool("a_list", lang=text("Language. Defaults to 'en'."))),
    ("default-in-prose", tool("a_list", speed={**FRACTION, "description": "Defaults to 1.42 m/s (5.1 km/h)."})),
    ("default-contradicts-prose", tool("a_list", limit=number("How many. Default: 20.", default=10))),
    ("default-contradicts-prose", tool("a_list", deep={**BOOLEAN, "description": "default true", "default": False})),
    ("default-contradicts-prose", tool("a_list", order=text("default: `asc`", enum=["asc", "desc"], default="desc"))),
    ("input-without-currency", tool("payment_refund", payment=text(), amount=FRACTION)),
    ("input-without-currency", tool("invoice_add", lines={"items": tool("", unitAmount=FRACTION)["inputSchema"]})),
    ("target-not-named", tool("update_invoice", "Change an invoice.", changes={"type": "object"})),
    ("prose-argument", strict("run_report", "Run a report.", instruction=text())),
    ("prose-argument", strict("reports_get", "Get reports.", customInstructions=TEXT)),
    ("prose-argument", strict("flow_update", "Change a flow.", flow_id=text(), prompt=text("In plain English."))),
    ("prose-argument", strict("order_create", "- request: what you want, in natural language", request=TEXT)),
    ("target-not-named", tool("delete_record", "Delete a record.", force=BOOLEAN)),
    ("argument-without-description", strict("git_status", "Shows the working tree status", repo_path=TEXT)),
    ("argument-without-description", strict("get_report", "Get a report.", name=TEXT)),
    ("untyped-output-list", giving(tasks={"type": "array"}, notes={"type": "array", "items": {}})),
    ("untyped-output-list", giving(pages={"type": "array", "items": strict("", blocks=LIST)["inputSchema"]})),
    ("time-without-zone", tool("orders_get", after=text("Only those after this timestamp."))),
    ("time-without-zone", tool("releases_get", released_at=text("ISO 8601", examples=["2026-03-04T09:00:00"]))),
    ("list-without-page", tool("events_list", namespace=text())),
    ("limit-without-maximum", tool("run_report", limit=number())),
    ("limit-without-maximum", tool("update_index", max_results=number())),
    ("guessable-id", strict("order_get", order_id=number())),
    ("guessable-id", tool("delete_update", id=FRACTION)),
    ("long-enum", tool("a_get", lang={"enum": [f"l{n}" for n in range(26)]})),
    ("long-enum", tool("a_get", column_type={"enum": [f"t{n}" for n in range(76)]})),
    ("untagged-union", tool("chart_add", order=union(({"a": TEXT}, []), ({"b": TEXT}, [])))),
    ("untagged-union", tool("chart_add", order=union(({"kind": {"const": "a"}}, []), ({"kind": {"const": "b"}}, [])))),
    ("many-optional-arguments", tool("issue_search", **{f"f{n}": TEXT for n in range(16)})),
    ("number-or-text", tool("a_get", limit={"type": ["integer", "string"]})),
    ("values-in-prose", tool("a_get", format=text('Output format: "json" or "csv"'))),
    ("json-as-text", tool("a_set", files=text("JSON string array or comma-separated list"))),
]  # fmt: skip

SILENT = [
    ("required-with-default", strict("a_get", kind={"const": "page", "default": "page"}, b=text(default=None))),
    ("required-with-default", tool("a_get", mode=text(default="fast"))),
    ("fractional-count", tool("a_get", limit={"type": ["integer", "number"]}, page={"type": "number", "enum": [1, 2]})),
    ("fractional-count", tool("a_get", page_width=FRACTION, spend_limit=FRACTION, rate_limit=FRACTION)),
    ("fractional-count", tool("a_get", offset={"type": "number", "multipleOf": 1})),
    ("list-as-text", tool("table_add", content=text("Comma-separated values, with a header"), at=text("lat,lng"))),
    ("list-as-text", tool("a_get", ids={"anyOf": [text("Comma-separated"), {"type": "array", "items": text()}]})),
    ("list-as-text", tool("a_get", files=text("JSON array or comma-separated list"))),
    ("default-in-prose", tool("a_get", limit=number("Default: 20", default=20))),
    ("default-in-prose", tool("a_get", end=text("Defaults to the current time"), day=text("Default: 'today'"))),
    ("default-in-prose", tool("a_get", n=number("Default 30000; 180000 for uploads"), m=number("Default: 2 hours"))),
    ("default-in-prose", tool("a_get", n=number("default 5 for files, default 9 for folders"))),
    ("default-in-prose", tool("a_get", size=text("'default', 'small' or 'large'"), name=text("Default: the file's"))),
    ("default-in-prose", tool("a_get", title=text("Defaults to 'Re: <subject>'"), currency=text("Default: 'USD'"))),
    ("default-in-prose", tool("a_get", limit=number("Default: 500", maximum=100))),
    ("default-contradicts-prose", tool("a_get", order=text("Default: 'ASC'", default="asc"), n=number("default 5"))),
    ("default-contradicts-prose", tool("a_get", n=number("default 1,000", default=1000), m=number(default=3))),
    ("input-without-currency", tool("payment_refund", "Amounts are in cents.", amount=number())),
    ("input-without-currency", tool("payment_refund", amount=number("In the currency of the payment."))),
    ("input-without-currency", tool("order_add", currency=text(), lines=strict("", price=number())["inputSchema"])),
    ("input-without-currency", tool("order_add", limit_price=FRACTION, payment_method=text(), discount=FRACTION)),
    ("input-without-currency", tool("ad_search", max_price=FRACTION, amount_usd=FRACTION)),
    ("target-not-named", tool("update_invoice", invoice=text(), changes={"type": "object"})),
    ("prose-argument", tool("page_extract", "Extract fields of a page.", instruction=text())),
    ("prose-argument", strict("image_generate", "Draw a picture.", instruction=text())),
    ("prose-argument", strict("run_report", "Run a report.", instruction=text(enum=["revenue", "refunds"]))),
    ("prose-argument", strict("docs_search", "Search.", prompt=text("A question in natural language."))),
    ("prose-argument", strict("task_create", "Create a task.", task=text("Title of the task."))),
    ("target-not-named", tool("update_settings", "Change settings.", values={"type": "object"})),
    ("target-not-named", tool("delete_cart", "Empty the current cart.", force=BOOLEAN)),
    ("target-not-named", tool("update_task", "Change a task.", data=tool("", id=text())["inputSchema"])),
    ("target-not-named", tool("invoice_create", "Add an invoice.", data={"type": "object"})),
    ("argument-without-description", strict("project_pause", "Pauses a project.", project_id=TEXT, force=BOOLEAN)),
    ("argument-without-description", strict("note_delete", "Delete a note by its title.", identifier=TEXT)),
    ("argument-without-description", strict("docs_search", "Search.", query=TEXT, code=text(pattern="^A+$"))),
    ("argument-without-description", strict("tag_create", "Create a tag.", name=TEXT)),
    ("untyped-output-list", giving(at={"type": "array", "prefixItems": [FRACTION, FRACTION]})),
    ("untyped-output-list", giving(tags={"type": "array", "items": text()})),
    ("time-without-zone", tool("reaction_add", timestamp=text("The timestamp of the message to react to"))),
    ("time-without-zone", tool("a_get", since=text("ISO 8601 format YYYY-MM-DDTHH:MM:SSZ"))),
    ("time-without-zone", tool("a_get", depart_at=text("ISO 8601, YYYY-MM-DDThh:mm±hh:mm"))),
    ("time-without-zone", tool("a_get", end=text("The last timestamp", examples=["2026-03-04T09:00:00Z"]))),
    ("ambiguous-period", tool("notes_get", "The timeframe is '7d' or '2 days ago'.", timeframe=TEXT)),
    ("ambiguous-period", tool("log_get", fromDate=text("ISO8601DateTime"), toDate=text("End date (ISO8601DateTime)"))),
    ("list-without-page", tool("list-tax-rates")),
    ("list-without-page", strict("search_issues_by_identifier", identifiers={"type": "array", "items": TEXT})),
    ("list-without-page", tool("search_service", intent=TEXT, command=TEXT)),
    ("list-without-page", tool("search_feedback", rating=TEXT)),
    ("list-without-page", strict("search", query=TEXT)),
    ("limit-without-maximum", tool("list_remove", count=number("Number of elements to remove"))),
    ("limit-without-maximum", tool("add_table", rows=number())),
    ("limit-without-maximum", tool("storage_get", fileSizeLimit=FRACTION)),
    ("guessable-id", tool("todos_list", project_id=number("Filter by project ID"))),
    ("guessable-id", strict("page_click", pageId=number(), associationTypeId=number())),
    ("guessable-id", strict("profile_get", projectSlugOrId={"type": ["string", "number"]})),
    ("guessable-id", strict("resource_get", resource_id=number(default=1))),
    ("long-enum", tool("a_get", column_type={"enum": [f"t{n}" for n in range(42)]})),
    ("cryptic-argument", tool("papers_search", query=TEXT, k=number())),
    ("argument-without-description", strict("llen", "Get the length of a Redis list.", name=TEXT)),
    ("argument-without-description", strict("drafts_list", "List drafts.", user_email=TEXT)),
    ("argument-without-description", tool("facts_get", "Facts of a topic.", title=TEXT, topic=TEXT, count=number())),
    ("nothing-required", tool("set_zone", "Create or update a zone. Omit zone_id to create one.", zone_id=TEXT)),
    ("untagged-union", tool("page_add", parent=union(({"page_id": TEXT}, ["page_id"]), ({"space": TEXT}, ["space"])))),
    ("untagged-union", tool("page_add", parent=union(({"type": {"const": "a"}}, ["type"]), ({"b": TEXT}, ["b"])))),
    ("many-optional-arguments", tool("item_update", **{f"f{n}": TEXT for n in range(16)})),
    ("number-or-text", tool("fill", stop={"type": ["string", "number"], "description": "Dates as '2026-12-31'"})),
    ("json-as-text", tool("issue_assign", assignee=text("An email, or a JSON object string of the user"))),
    ("json-as-text", tool("json_set", value=text("The JSON value to store (as JSON string)"))),
    ("values-in-prose", tool("radio", action=text("Actions vary. Common: 'ping', 'add'"))),
    ("values-in-prose", tool("run", dialog=text('"accept", "dismiss", or string for the answer'))),
    ("values-in-prose", tool("a_get", order_by=text('JSON object {"order": "Asc"|"Desc"}'))),
    ("default-in-prose", tool("copy_range", sheet=text(), to_sheet=text("Default: `sheet`."))),
    ("default-in-prose", tool("update_account", trading={**BOOLEAN, "description": "Default is false."})),
    ("default-in-prose", tool("a_get", port=number("Default: 3306. Env: MYSQL_PORT."))),
    ("default-in-prose", tool("route", speed=number("Defaults to 5. Only available for walking."))),
]  # fmt: skip


@pytest.mark.parametrize(("symbol", "example"), FIRES)
def test_what_such_a_rule_finds(symbol: str, example: JsonObject) -> None:
    """D2, C1: each kind is found, in the spellings that servers use."""
    assert [finding.symbol for finding in findings(example, symbol)] == [symbol]


@pytest.mark.parametrize(("symbol", "example"), SILENT)
def test_what_such_a_rule_leaves_alone(symbol: str, example: JsonObject) -> None:
    """D2: what looks like a fault by its words and is none stays silent."""
    assert findings(example, symbol) == []


@pytest.mark.parametrize(("status", "count"), [("approved", 1), ("success", 0)])
def test_a_state_counts_only_where_the_step_leads_to_it(status: str, count: int) -> None:
    """D2: approving a deployment does not make it a success."""
    state: JsonObject = {"type": "string", "enum": ["running", status]}
    example = {"tools": [tool("update_deployment", status=state), tool("approve_deployment")]}
    assert len(findings(example, "state-beside-transition")) == count


def test_a_contradiction_names_both_values() -> None:
    """C6: whoever mends it sees which two there are."""
    example = tool("label_list", limit=number("How many (default 20).", default=50))

    (finding,) = findings(example, "default-contradicts-prose")

    assert finding.pointer == "/inputSchema/properties/limit/default"
    assert finding.message == "the default of limit is 50 in the schema and 20 in its description"


def test_free_text_that_nothing_describes_is_one_finding_for_a_tool() -> None:
    """D2: a tool of two such arguments is told once, with the names of both."""
    example = strict("checkout", "Switches branches.", repo_path=TEXT, start_point=TEXT)

    (finding,) = findings(example, "argument-without-description")

    assert finding.pointer == "/inputSchema/properties/repo_path"
    assert finding.message == "repo_path and start_point: required free text, and nothing describes it"


def test_a_free_query_is_not_said_to_have_every_right() -> None:
    """C6: a definition does not show whether the query runs in a sandbox, so the message doesn't claim to know."""
    (finding,) = findings(tool("ledger_query", sql=text()), "free-query")

    assert finding.message == "sql is a free query, and what it reaches depends on rights that no schema shows"
