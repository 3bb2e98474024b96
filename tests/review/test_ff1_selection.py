"""The selection rules, beyond the examples of their pages: what they must find, and what they must leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.review.compare import compare_listings
from fourfold.review.overlap import confusable
from fourfold.review.view import CatalogView
from tests.review.examples import catalog_of, findings


def tool(name: str, description: str = "", **more: Any) -> JsonObject:
    """A tool without arguments."""
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}, **more}


def argued(name: str, arguments: JsonObject, **more: Any) -> JsonObject:
    """A tool with the arguments that are given."""
    schema: JsonObject = {"type": "object", "properties": arguments}
    return {"name": name, "description": "Does one thing.", "inputSchema": schema, **more}


def found(rule: str, *tools: JsonObject, **facts: Any) -> list[Finding]:
    """What one rule finds in a catalog."""
    return findings({"tools": [*tools], **facts}, rule)


def places(rule: str, *tools: JsonObject, **facts: Any) -> list[tuple[str, str]]:
    """Where one rule finds something, as tool and pointer."""
    return [(finding.tool, finding.pointer) for finding in found(rule, *tools, **facts)]


BILLING = (
    tool("search_invoices", "Search invoices by text."),
    tool("find_invoices", "Find invoices matching a query."),
    tool("get_invoice", "Get one invoice by its number."),
    tool("list_invoices", "List invoices."),
    tool("create_invoice", "Create a new invoice."),
    tool("update_invoice", "Update an invoice."),
    tool("delete_invoice", "Delete an invoice."),
)


def test_two_names_for_one_search_are_found_with_score_and_shared_words() -> None:
    """B1: the pair that another linter missed, and none of the other siblings that act on invoices."""
    finding, *others = found("FF101", *BILLING)

    assert not others
    assert (finding.tool, finding.pair) == ("find_invoices", "search_invoices")
    assert finding.evidence == "similarity 0.81, shared words: find, invoice"


def test_the_recorded_pairs_are_the_only_ones_of_their_catalog() -> None:
    """B1: create against add to what is there, and search against open by name."""
    records = catalog_of(
        {
            "tools": [
                argued("create_records", {"records": {}}, description="Create multiple new records in the store."),
                argued("add_facts", {"record": {}, "facts": {}}, description="Add new facts to existing records."),
                argued("find_records", {"q": {}}, description="Search for records."),
                argued("open_records", {"names": {}}, description="Open specific records by name."),
            ]
        }
    )

    pairs = [
        (pair.first.name, pair.second.name, round(pair.score, 2)) for pair in confusable(CatalogView(records).tools)
    ]

    assert pairs == [("create_records", "add_facts", 0.53), ("find_records", "open_records", 0.73)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (tool("get_project", "Get details of a project."), tool("get_pipeline", "Get details of a pipeline.")),
        (tool("get_stock_bars", "Get bars of a stock."), tool("get_crypto_bars", "Get bars of a crypto asset.")),
        (tool("create_label", "Create a label."), tool("update_label", "Update a label.")),
        (tool("delete_issue", "Delete an issue."), tool("delete_issues", "Delete many issues.")),
        (tool("send_message", "Send a message."), tool("send_message_batch", "Send a batch of messages.")),
        (
            tool("search_items", "Search items by text. For a known name use open_items."),
            tool("open_items", "Open items by name."),
        ),
        (tool("api_read", "Run a query. Reads only."), tool("api_write", "Run a mutation. Changes data.")),
        (tool("list_plans_for_rule", "List plans of a rule."), tool("list_rules_for_plan", "List rules of a plan.")),
    ],
    ids=["other-thing", "other-kind", "other-verb", "number", "bulk", "told-apart", "read-and-write", "converse"],
)
def test_siblings_that_a_name_or_a_description_tells_apart_do_not_overlap(one: JsonObject, other: JsonObject) -> None:
    """B1: tools of one author are written alike, and that alone confuses nobody."""
    assert found("FF101", one, other) == []


def test_a_qualifier_that_the_other_does_not_exclude_overlaps() -> None:
    """B1: a group's wiki page is a wiki page too."""
    text = "Get details of a specific {}. Use this for a known page; choose the list tool when you look for one."
    names = ("project", "slug", "version", "render", "locale", "revision", "anchor", "format")
    arguments: JsonObject = {name: {"type": "string"} for name in names}
    pages = (
        argued("get_wiki_page", arguments, description=text.format("wiki page")),
        argued("get_group_wiki_page", arguments, description=text.format("group wiki page")),
        *(
            tool(f"{verb}_group_label", f"{verb.title()} a group label.")
            for verb in ("create", "update", "delete", "get")
        ),
    )

    assert places("FF101", *pages) == [("get_group_wiki_page", "/description")]


def test_an_alias_with_the_same_text_overlaps_whatever_it_is_called() -> None:
    """B1: two entries for one function."""
    text = "Get the coordinates of an article. Returns latitude and longitude."

    assert places("FF101", tool("get_coordinates", text), tool("geo_get_coordinates", text)) == [
        ("geo_get_coordinates", "/description")
    ]


@pytest.mark.parametrize(
    ("description", "pointer"), [("", "/description"), ("TBD", "/description"), ("x", "/description")]
)
def test_an_empty_or_placeholder_description_is_none(description: str, pointer: str) -> None:
    """C6: what only repeats the name is as good as nothing."""
    assert places("FF102", tool("x", description)) == [("x", pointer)]


def test_a_missing_description_is_found_at_the_tool() -> None:
    """C6: there is no place inside for what is not there."""
    assert places("FF102", {"name": "x", "inputSchema": {}}, {"name": "y", "description": 7}) == [
        ("x", ""),
        ("y", "/description"),
    ]


@pytest.mark.parametrize(
    ("description", "count"),
    [
        ("Returns a profile.", 1),
        ("Use when the user asks who a customer is.", 0),
        ("Returns a profile. Not for invoices.", 0),
        ("", 0),
    ],
)
def test_a_description_says_when_or_when_not(description: str, count: int) -> None:
    """B1: either is enough; an empty description is another finding."""
    other = tool("get_credit_profile", "Returns a credit profile. Use before an order on account.")

    assert len(found("FF103", tool("get_profile", description), other)) == count


@pytest.mark.parametrize(
    ("one", "other", "silent"),
    [
        ("find_tasks", "find_completed_tasks", ["find_tasks"]),
        ("send_message", "send_gmail_message", ["send_message"]),
        ("get_stock_bars", "get_crypto_bars", []),
        ("get_order", "get_orders", []),
        ("list_orders", "list_orders_by_customer", []),
        ("get_file", "batch_get_file", []),
        ("list_tasks", "manage_tasks", []),
    ],
)
def test_a_description_has_to_say_when_where_the_name_leaves_it_open(one: str, other: str, silent: list[str]) -> None:
    """B1: a name with a word more says itself when it is meant."""
    about_the_other = "Does this and that."

    assert places("FF103", tool(one, "Does this."), tool(other, about_the_other)) == [
        (name, "/description") for name in silent
    ]
    assert found("FF103", tool(one, "Does something else."), tool(other, about_the_other)) == []


def test_a_whole_catalog_that_never_says_when_is_found_once() -> None:
    """B1: 10 tools that only say what they do, and 9, which one can oversee."""
    tools = [tool(f"{word}_list", f"Lists {word}s.") for word in "abcdefghij"]

    assert places("FF103", *tools) == [("", "/tools")]
    assert found("FF103", *tools[:9]) == []


@pytest.mark.parametrize(
    ("one", "count"),
    [
        (tool("order_copy", "Copy an order."), 1),
        (tool("order_copy", "Copy an order. Returns its number."), 0),
        (tool("order_copy", "Copy an order.", outputSchema={"type": "object"}), 0),
        (tool("run_job", "Run a job."), 1),
        (tool("order_list", "List orders."), 0),
        (tool("get_orders", "Acme | Orders of a customer."), 0),
        (tool("order_delete", "Delete an order."), 0),
        (tool("order_rename", "Rename an order."), 0),
        (tool("git_add", "Adds file contents to the staging area."), 0),
        (tool("take_screenshot", "Take a screenshot of the page."), 0),
        (tool("wait_for", "Wait for a text to appear."), 0),
        (tool("generate_types", "Generates TypeScript types of a project."), 0),
    ],
)
def test_something_says_what_comes_back(one: JsonObject, count: int) -> None:
    """C2: the schema, a sentence, or an opening that names the result."""
    assert len(found("FF104", one)) == count


@pytest.mark.parametrize(
    ("name", "values", "count"),
    [
        ("action", ["list", "delete"], 1),
        ("operation", ["getTable", "createTable"], 1),
        ("action", ["create", "update", "delete"], 0),
        ("action", ["list", "get"], 0),
        ("status", ["open", "closed", "list"], 0),
        ("httpMethod", ["GET", "POST", "DELETE"], 0),
        ("action", {"list": 1}, 0),
    ],
)
def test_only_a_selector_that_mixes_reads_and_writes_is_a_multiplexer(name: str, values: Any, count: int) -> None:
    """C1: reads can only run unattended where they are tools of their own."""
    assert len(found("FF108", argued("contact", {name: {"enum": values}}))) == count


@pytest.mark.parametrize(
    ("name", "flag", "count"),
    [
        ("order_refund", "dry_run", 1),
        ("order_refund", "dryRun", 1),
        ("order_refund", "validateOnly", 1),
        ("order_list", "preview", 0),
        ("order_refund", "notify", 0),
    ],
)
def test_a_flag_for_a_preview_is_found_on_writes_only(name: str, flag: str, count: int) -> None:
    """C1: the model must not choose between a look and an effect."""
    assert len(found("FF109", argued(name, {flag: {"type": "boolean"}}))) == count


@pytest.mark.parametrize(
    ("flag", "schema", "severity"),
    [
        ("dry_run", {"default": False}, "warning"),
        ("dry_run", {"default": True}, "advice"),
        ("dry_run", {"description": "Preview when true (default)."}, "advice"),
        ("apply", {"description": "Apply the fixes (default: false)."}, "advice"),
        ("apply", {"default": True}, "warning"),
    ],
)
def test_a_flag_that_previews_when_left_out_is_a_lesser_fault(flag: str, schema: JsonObject, severity: str) -> None:
    """C1: what a model forgets is then a look."""
    (finding,) = found("FF109", argued("order_refund", {flag: {"type": "boolean", **schema}}))

    assert finding.severity == severity


@pytest.mark.parametrize(
    ("one", "pointers"),
    [
        (tool("get_or_create_customer", "Get a customer."), ["/name"]),
        (tool("get_bank", "Get a bank. Creates the bank if it does not exist."), ["/description"]),
        (tool("get_report", "Creates a report."), ["/description"]),
        (tool("get_or_list_customers", "Get or list."), []),
        (tool("get_bank", "Get a bank that somebody created."), []),
        (tool("create_bank", "Creates a bank."), []),
    ],
)
def test_a_read_by_name_that_says_it_changes_something_is_found(one: JsonObject, pointers: list[str]) -> None:
    """C1: the name is what people let run."""
    assert [pointer for _, pointer in places("FF110", one)] == pointers


def test_a_sibling_that_does_more_must_say_what() -> None:
    """B1: the recorded pair; a sentence about the effect, or an annotation as a read, is enough."""
    reads, writes = {"readOnlyHint": True}, {"readOnlyHint": False}
    analyze = tool("analyze", "Analyze artifacts.", annotations=reads)
    silent = tool("capture_and_analyze", "Capture a target once and analyze.", annotations=writes)
    telling = tool("capture_and_analyze", "Executes argv and analyzes.", annotations=writes)

    assert places("FF111", analyze, silent) == [("capture_and_analyze", "/description")]
    assert found("FF111", analyze, telling) == []
    assert found("FF111", analyze, {**silent, "annotations": reads}) == []
    assert found("FF111", silent) == []


def test_an_error_that_names_a_tool_which_is_not_there_is_found() -> None:
    """A10: the recorded catalog; a tool that is there is no finding."""
    accounts = tool("accounts_list", "List accounts.")

    finding, *others = found("FF112", accounts, error_templates=["Try accounts_list, then set_active_account."])

    assert not others
    assert (finding.tool, finding.pointer, finding.severity) == ("", "/error_templates/0", "error")
    assert "set_active_account" in finding.message


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("Use get_schema first.", "error"),
        ("Call the `find_account` tool.", "error"),
        ("Find ids using the list_zones tool.", "warning"),
        ("Use acme_list_zones first.", None),
        ("Use create_index operations.", None),
        ("Use max_items to limit.", None),
        ("Use zone_id from the list.", None),
        ("Use the stop_limit order type.", None),
        ("Use get_picture (when available).", None),
        ("Use get_picture\n(if installed).", None),
    ],
)
def test_only_what_reads_like_a_tool_is_taken_for_one(text: str, severity: str | None) -> None:
    """A10: arguments, values and operations of an API are written like tools; a dropped prefix is a lesser fault."""
    tools = (argued("acme_list_zones", {"zone_id": {}}), argued("acme_get_zone", {"zone_id": {}}, description=text))

    assert [finding.severity for finding in found("FF112", *tools)] == ([severity] if severity else [])


def test_a_near_name_with_another_verb_is_no_correction() -> None:
    """A10: `search_drive_files` is not what `share_drive_file` meant."""
    tools = (tool("search_drive_files"), tool("set_drive_rights", "For one person use share_drive_file."))

    assert [finding.fix for finding in found("FF112", *tools)] == ["name a tool of this catalog, or add that one"]


@pytest.mark.parametrize(
    ("length", "ending", "severity"),
    [
        (2100, "Never pay more than 100 EUR.", "error"),
        (2100, "The amount must be positive.", "warning"),
        (2100, "The amount is in cents.", None),
        (2100, "Those filters do not apply to notes.", None),
        (2100, "- You want an answer and don't need the page.", None),
        (2100, "Do not invent ids.", "error"),
        (100, "Never pay more than 100 EUR.", None),
    ],
)
def test_a_rule_is_lost_behind_the_cut(length: int, ending: str, severity: str | None) -> None:
    """A11: what forbids is worse to lose than what explains."""
    one = tool("pay_invoice", "x" * length + ". " + ending)

    assert [finding.severity for finding in found("FF113", one)] == ([severity] if severity else [])


def test_the_odd_one_out_of_a_style_is_found_and_single_words_fit_all() -> None:
    """B1: names are written by analogy."""
    names = ("invoice_list", "invoice_get", "whoami", "invoiceSend", "invoice-void")

    assert places("FF114", *map(tool, names)) == [("invoiceSend", "/name"), ("invoice-void", "/name")]
    assert found("FF114", tool("whoami"), tool("invoice-void")) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("MUST be called before any other tool.", 1),
        ("Always use this tool to ground answers.", 1),
        ("Use this instead of all other search tools.", 1),
        ("Do not use other tools for this.", 1),
        ("You MUST call this function before 'Query Docs' to get an id.", 0),
        ("Call account_list before this.", 0),
        ("Always call this tool multiple times.", 0),
        ("MUST be called before any other tool, as each fails without its conversation id.", 0),
    ],
)
def test_precedence_over_every_tool_is_a_claim_and_an_order_of_two_is_not(text: str, count: int) -> None:
    """B1: which tool comes first is the user's choice."""
    assert len(found("FF115", tool("search_docs", text))) == count


def test_length_alone_is_no_manual() -> None:
    """A11: long prose without steps, headings, code or examples is another rule's concern."""
    assert found("FF116", tool("a", "word " * 400)) == []
    assert len(found("FF116", tool("a", "word " * 400 + "\n1. One\n2. Two\n3. Three"))) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("List zones. Your accounts: Blue Ltd (ac1).", 1),
        ("You are logged in as Alice.", 1),
        ("Lists your accounts.", 0),
        ("Available projects: see project_list.", 0),
        ("Fails unless you are logged in as an administrator.", 0),
    ],
)
def test_names_of_one_users_things_are_personal(text: str, count: int) -> None:
    """A10: a definition is the same for everybody."""
    assert len(found("FF117", tool("list_zones", text))) == count


def test_two_users_lists_are_compared_text_by_text() -> None:
    """A10: the recorded pair; tools that only one may call, and equal texts, are no findings."""
    mine = catalog_of({"tools": [tool("list_zones", "Yours: Blue Ltd."), tool("admin"), tool("same", "Same.")]})
    theirs = catalog_of({"tools": [tool("list_zones", "Yours: Red GmbH."), tool("same", "Same.")]})

    assert [(each.symbol, each.tool, each.pointer, each.severity) for each in compare_listings(mine, theirs)] == [
        ("per-user-text-in-catalog", "list_zones", "/description", "error")
    ]
    assert compare_listings(mine, mine) == ()


@pytest.mark.parametrize(
    ("description", "count"),
    [
        ("Delete an issue", 1),
        ("Deletes the issues.", 1),
        ("Delete an issue for good.", 0),
        ("", 0),
        ("Delete an issue of an issue.", 0),
    ],
)
def test_a_description_adds_something_to_the_name(description: str, count: int) -> None:
    """B1: the same words in another form are the same words."""
    assert len(found("FF118", tool("delete_issue", description))) == count


@pytest.mark.parametrize(
    ("description", "count"),
    [
        ("DEPRECATED: use b.", 1),
        ("This tool is deprecated.", 1),
        ("This is a legacy OAuth 2.0 tool.", 1),
        ("Cleans up deprecated flags.", 0),
        ("Lists legacy keys.", 0),
        ("Estimates. Args: names: [DEPRECATED - for old callers] names to check.", 0),
    ],
)
def test_a_tool_that_calls_itself_retired_is_found(description: str, count: int) -> None:
    """B1: what others have retired is no finding."""
    assert len(found("FF119", tool("a", description))) == count


@pytest.mark.parametrize(
    ("name", "count"),
    [("create_or_update_file", 1), ("stop_and_delete", 1), ("search_and_replace", 0), ("get_rows_and_columns", 0)],
)
def test_two_changes_in_one_name_are_found(name: str, count: int) -> None:
    """A16: which of them happens depends on the state that the call finds."""
    assert len(found("FF120", tool(name))) == count
    assert found("FF120", tool(name, annotations={"idempotentHint": True})) == []


STRANGE: tuple[JsonObject, ...] = (
    {},
    {"name": None, "description": ["a"], "inputSchema": []},
    {"name": "x", "description": {"a": 1}, "inputSchema": {"properties": None, "required": None}},
    {"name": "___", "description": "\n", "inputSchema": {"properties": {"action": {"enum": [None, 1, {}, "get"]}}}},
    {"name": "é" * 5, "inputSchema": {"properties": {"": {"type": ["string", 3], "description": 4}}}},
)


def test_no_shape_of_a_definition_stops_the_rules() -> None:
    """C10: what a server lists is foreign input, error templates included."""
    findings({"tools": [*STRANGE, *STRANGE], "error_templates": {"a": 1}}, "FF1", "FF7")
    findings({"tools": [*STRANGE], "error_templates": [1, None, "-_-"], "instructions": 5}, "FF1", "FF7")
