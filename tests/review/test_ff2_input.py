"""The input rules beyond the examples of their pages: what must fire, what must not, and what a contract silences."""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from fourfold import Catalog, Input, Minor, Offer, Output, Preview
from fourfold.contracts.markers import Waived
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.review.backtracking import can_explode
from fourfold.review.engine import review
from fourfold.review.registry import all_rules
from fourfold.review.settings import ReviewSettings
from tests.review.examples import TODAY, findings

INPUT_RULES = tuple(rule.id for rule in all_rules() if rule.id.startswith("FF2"))


def tool(name: str, description: str = "", /, **arguments: object) -> JsonObject:
    """A tool with those arguments, all of them required, and nothing else of note."""
    schema = {"type": "object", "properties": arguments, "required": [*arguments], "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema}


def text(description: str = "", **keywords: object) -> JsonObject:
    """A bounded text argument."""
    return {"type": "string", "maxLength": 200, "description": description, **keywords}


FIRES = [
    ("identity-argument", tool("note_add", tenantId=text())),
    ("identity-argument", tool("note_add", user_id=text())),
    ("identity-argument", tool("ticket_add", raise_on_behalf_of=text())),
    ("identity-argument", tool("report_get", org_id=text())),
    ("authority-argument", tool("report_get", role=text())),
    ("authority-argument", tool("report_get", bypass={"type": "boolean"})),
    ("secret-argument", tool("report_get", access_token=text())),
    ("secret-argument", tool("report_get", login={"type": "object", "properties": {"password": text()}})),
    ("secret-argument", tool("trigger_pipeline", token=text())),
    ("secret-argument", tool("document_unprotect", password=text())),
    ("consent-argument", tool("site_delete", approved={"type": "boolean"})),
    ("consent-argument", tool("site_delete", force=text("Skip the confirmation"))),
    ("authoritative-price", tool("order_create", sale_price=text())),
    ("authoritative-price", tool("order_item_add", unit_price=text())),
    ("free-query", tool("run", query=text("A SQL query to run"))),
    ("free-query", tool("graph", cypher=text())),
    ("free-command", tool("run_shell", command={"type": "array", "items": text(), "maxItems": 9})),
    ("free-command", tool("execute_python", code=text())),
    ("free-url", tool("import_sheet", file_url=text("Remote URL to fetch the sheet from"))),
    ("path-without-root", tool("convert", source_path=text("Absolute path to the file"))),
    ("unbounded-string", tool("a_get", b={"type": ["string", "null"]})),
    ("unbounded-string", tool("a_get", b={"type": "string", "pattern": "^[a-z]+$"})),
    ("unbounded-array", tool("a_get", b={"anyOf": [{"type": "array", "items": text()}, {"type": "null"}]})),
    ("unbounded-number", tool("a_get", b={"type": "integer", "minimum": 1})),
    ("unbounded-number", tool("a_get", page={"type": "integer"})),
    ("untyped-argument", tool("a_set", b={})),
    ("free-form-object", tool("a_set", b={"type": "object", "additionalProperties": True})),
    ("float-money", tool("refund_create", amount={"type": "number"})),
    ("bare-currency", tool("rate_get", currency=text())),
    ("free-date", tool("invoice_set", due_date=text())),
    ("time-without-zone", tool("event_add", start_time=text("ISO 8601 datetime"))),
    ("time-without-zone", tool("event_add", timestamp={"type": "integer"})),
    ("ambiguous-period", tool("report_get", period=text("The period"))),
    ("list-without-page", tool("namespaces_list")),
    ("limit-without-maximum", tool("a_list", perPage={"type": "integer"})),
    ("guessable-id", tool("a_get", file_ids={"type": "array", "items": {"type": "integer"}})),
    ("cryptic-argument", tool("a_get", k={"type": "integer"})),
    ("argument-without-description", tool("a_set", options={"type": "object", "properties": {"x": {}}})),
    ("default-contradicts-schema", tool("a_get", n={"type": "integer", "maximum": 10, "default": 20})),
    ("default-contradicts-schema", tool("a_get", n={"type": "integer", "default": "10"})),
    ("enum-contradicts-type", tool("a_get", n={"type": "string", "const": 4})),
    ("impossible-bounds", tool("a_get", n={"type": "string", "minLength": 9, "maxLength": 3})),
    ("required-unknown", tool("a_get", n={"type": "object", "properties": {"a": text()}, "required": ["b"]})),
    ("required-unknown", tool("a_get", n={"type": "string", "required": False})),
    ("negated-boolean", tool("a_get", disable_cache={"type": ["boolean", "null"]})),
    ("boolean-as-text", tool("a_get", deep=text('"true" or "false"'))),
    ("number-or-text", tool("a_get", id={"anyOf": [{"type": "integer"}, {"type": "string"}]})),
    ("alike-arguments", tool("a_get", line_1=text(), linel=text())),
    ("json-as-text", tool("a_set", fields=text("The fields as a JSON string"))),
    ("values-in-prose", tool("a_list", state=text("'open', 'closed' or 'all'"))),
    ("values-in-prose", tool("a_list", state=text("open|closed|all"))),
]

SILENT = [
    ("identity-argument", tool("get_user", user_id=text())),
    ("identity-argument", tool("approval_set", user_ids={"type": "array", "items": text()})),
    ("identity-argument", tool("ad_create", instagram_actor_id=text())),
    ("identity-argument", {"tools": [tool("list_organizations"), tool("project_add", organization_id=text())]}),
    ("identity-argument", tool("group_list", tenant=text("The Microsoft Entra ID tenant ID or name."))),
    ("authority-argument", tool("prompt_add", turns={"type": "array", "items": tool("", role=text())["inputSchema"]})),
    ("authority-argument", tool("share_project", access_level=text())),
    ("authority-argument", tool("list_jobs", scope={"type": "string", "enum": ["running", "failed"]})),
    ("secret-argument", tool("form_get", form_token=text(), page_token=text())),
    ("secret-argument", tool("expand_link", token=text())),
    ("secret-argument", tool("attachment_get", secret=text("The 32-character secret of the upload"))),
    ("secret-argument", tool("sheet_protect", "Protection is not security.", password=text())),
    ("secret-argument", tool("flow_add", strip_credentials={"type": "boolean"}, has_password={"type": "boolean"})),
    ("consent-argument", tool("list_bookings", confirmed={"type": "boolean"})),
    ("consent-argument", tool("yaml_apply", force=text("Overwrite what is there"))),
    ("authoritative-price", tool("order_place", limit_price=text(), max_price={"type": "number"})),
    ("authoritative-price", tool("update-item", unitPrice={"type": "number"})),
    ("free-query", tool("issue_search", query=text("Words to look for"))),
    ("free-query", tool("a_get", sql={"type": "string", "enum": ["SELECT 1"]})),
    ("free-command", tool("storage", command=text("The command of this tool"), currency_code=text())),
    ("free-url", tool("bookmark_add", url=text("Where it leads"))),
    ("free-url", tool("fetch_page", url=text(pattern="^https://docs[.]example[.]com/"))),
    ("path-without-root", tool("get_file_contents", project_id=text(), path=text("Path to the file"))),
    ("path-without-root", tool("note_get", path=text("Relative to the vault"))),
    ("path-without-root", tool("flag_patch", op=text(), path={"type": "string"}, value=text())),
    ("path-without-root", tool("note_add", folder={"type": "string"})),
    ("path-without-root", {"tools": [tool("roots", "Lists allowed directories."), tool("file_get", path=text())]}),
    ("unbounded-string", tool("a_get", b={"type": "string", "format": "uuid"}, c={"type": "string", "enum": ["x"]})),
    ("unbounded-string", tool("a_get", b={"type": "string", "pattern": "^[A-Z]{3}$"})),
    ("unbounded-number", tool("a_get", limit={"type": "integer"}, level={"type": "integer", "enum": [1, 2]})),
    ("unbounded-number", tool("a_get", folder_id={"type": "integer"}, price_gte={"type": "number"})),
    ("unbounded-number", tool("a_get", offset={"type": "integer", "minimum": 0}, x={"type": "number"})),
    ("unbounded-number", tool("a_get", bs={"items": {"items": {"type": "number"}}})),
    ("open-input", tool("a_get", b={"type": "object", "properties": {"c": text()}, "additionalProperties": True})),
    ("untyped-argument", tool("a_get", b={"$ref": "#/$defs/B"}, c={"enum": ["x"]}, d={"anyOf": [text()]})),
    ("free-form-object", tool("a_set", b={"type": "object", "additionalProperties": False})),
    ("free-form-object", tool("page_extract", output_schema={"type": "object"})),
    ("defaulted-currency", tool("quote_get", currency=text("Currency of all prices.", default="USD"))),
    ("float-money", tool("cost_get", total_tokens={"type": "number"}, tax_rate={"type": "number"})),
    ("float-money", tool("option_list", strike_price_gte={"type": "number"}, max_price={"type": "number"})),
    ("bare-currency", tool("rate_get", currency=text(pattern="^[A-Z]{3}$"))),
    ("defaulted-currency", tool("rate_get", currency={"type": "string", "enum": ["EUR"], "default": "EUR"})),
    ("free-date", tool("column_insert", insert_at=text("Column to insert before"), start_at={"type": "integer"})),
    ("free-date", tool("reaction_add", timestamp=text("The timestamp of the message to react to"))),
    ("time-without-zone", tool("event_add", start_time=text("ISO 8601 datetime"), time_zone=text())),
    ("time-without-zone", tool("event_add", start_time=text("2026-03-04T09:00:00Z"), made_at={"type": "integer"})),
    ("ambiguous-period", tool("report_get", start_date=text("YYYY-MM-DD"), end_date=text("YYYY-MM-DD, inclusive"))),
    ("ambiguous-period", tool("copy_range", range=text("A1:C3"), start=text("A cell"), end=text("A cell"))),
    ("list-without-page", tool("list_orders", max_results={"type": "integer"})),
    ("list-without-page", tool("create_list", name=text())),
    ("limit-without-maximum", tool("a_list", limit={"type": "integer", "exclusiveMaximum": 101})),
    ("guessable-id", tool("a_get", order_id=text(), issue_number={"type": "integer"})),
    ("cryptic-argument", tool("a_get", x={"type": "integer"}, n=text("How many"))),
    ("argument-without-description", tool("a_get", "options: what to do with it", options=text())),
    ("untagged-union", tool("a_get", b={"anyOf": [text(), tool("")["inputSchema"]]})),
    ("default-contradicts-schema", tool("a_get", b=text(default=None), c={"type": "number", "default": 1})),
    ("enum-contradicts-type", tool("a_get", b={"type": ["string", "null"], "enum": ["x", None]})),
    ("enum-contradicts-type", tool("a_get", b={"type": "integer", "enum": [1.0, 2]})),
    ("required-unknown", tool("a_get", b={"anyOf": [{"required": ["x"]}, {"required": ["y"]}]})),
    ("negated-boolean", tool("a_get", notify={"type": "boolean"}, no_of_items={"type": "integer"})),
    ("boolean-as-text", tool("fill", value=text("Text, or true or false for a box"))),
    ("number-or-text", tool("value_set", value={"type": ["string", "number"]})),
    ("json-as-text", tool("file_get", path=text("Path of a .json file"))),
    ("values-in-prose", tool("a_get", city=text("such as 'Rome' or 'Oslo'"))),
]  # fmt: skip


@pytest.mark.parametrize(("symbol", "example"), FIRES)
def test_what_an_input_rule_finds(symbol: str, example: JsonObject) -> None:
    """D2, C1: each kind of open argument is found, in the spellings that servers use."""
    assert [finding.symbol for finding in findings(example, symbol)] == [symbol]


@pytest.mark.parametrize(("symbol", "example"), SILENT)
def test_what_an_input_rule_leaves_alone(symbol: str, example: JsonObject) -> None:
    """D2: what looks like a fault by its name and is none stays silent."""
    assert findings(example, symbol) == []


NUMBER: JsonObject = {"type": "number"}
IDS: JsonObject = {"type": "array", "items": text()}


@pytest.mark.parametrize(
    ("symbol", "example", "severity"),
    [
        ("secret-argument", tool("page_list", access_token=text()), "error"),
        ("secret-argument", tool("form_update", form_password=text()), "advice"),
        ("free-command", tool("run_code", code=text("Python")), "error"),
        ("free-query", tool("run", query=text("A SQL query")), "error"),
        ("free-query", tool("run", query=text("A GraphQL query")), "warning"),
        ("free-command", tool("page_evaluate", "Evaluate JavaScript on the page.", function=text()), "warning"),
        ("unbounded-array", tool("mail_send", recipients=IDS), "warning"),
        ("unbounded-array", {"name": "mail_get", "inputSchema": {"properties": {"thread_ids": IDS}}}, "advice"),
        ("float-money", tool("payment_create", amount=NUMBER), "error"),
        ("float-money", tool("quote_create", unit_price=NUMBER), "warning"),
        ("float-money", tool("cost_get", amount=NUMBER), "advice"),
        ("bare-currency", tool("rate_get", currency=text()), "warning"),
        ("bare-currency", tool("rate_get", currency=text("ISO 4217, such as USD")), "advice"),
        ("free-date", tool("report_get", date=text()), "warning"),
        ("free-date", tool("report_get", date=text("ISO timestamp")), "advice"),
        ("free-date", tool("report_get", date=text(examples=["2026-03-04"])), "advice"),
    ],
)
def test_an_input_rule_says_how_bad_it_is_here(symbol: str, example: JsonObject, severity: str) -> None:
    """D2, C6: what cannot break or leak as much is no error."""
    assert [(finding.symbol, finding.severity) for finding in findings(example, symbol)] == [(symbol, severity)]


def test_a_currency_may_be_defaulted_in_prose() -> None:
    """A16: an account in EUR is totalled in USD, whether the default stands in the schema or in a sentence."""
    schema = {"type": "object", "properties": {"currency": text("ISO 4217. Default USD.")}}

    found = findings({"name": "bars_get", "inputSchema": schema}, "defaulted-currency")

    assert [finding.pointer for finding in found] == ["/inputSchema/properties/currency"]


def test_a_list_that_chooses_from_a_few_names_needs_no_bound() -> None:
    """D2: a long list of fields is no work, and one that has to be there is."""
    optional = {"name": "a_get", "inputSchema": {"type": "object", "properties": {"output_fields": IDS}}}

    assert findings(optional, "unbounded-array") == []
    assert [it.severity for it in findings(tool("a_get", output_fields=IDS), "unbounded-array")] == ["warning"]


def test_a_period_names_both_of_its_ends() -> None:
    """A16: a boundary that drops a day is found where the end of the period is."""
    example = tool("sales_report", fromDate=text("YYYY-MM-DD"), toDate=text("YYYY-MM-DD"))

    (finding,) = findings(example, "ambiguous-period")

    assert finding.pointer == "/inputSchema/properties/toDate"
    assert finding.message == "fromDate to toDate is a period, and nothing says whether toDate is part of it"


def test_a_definition_that_nothing_refers_to_is_not_an_input() -> None:
    """D2: generated schemas carry definitions that a tool never uses."""
    example = {
        "name": "a_get",
        "inputSchema": {
            "type": "object",
            "properties": {"b": {"$ref": "#/$defs/Used"}},
            "$defs": {"Used": {"type": "array"}, "Unused": {"type": "array"}},
        },
    }

    found = findings(example, "unbounded-array")

    assert [finding.pointer for finding in found] == ["/inputSchema/$defs/Used"]


@pytest.mark.parametrize(
    ("pattern", "explodes"),
    [
        ("(a+)+", True),
        ("^([a-z]+-?)*$", True),
        ("(?:x|[0-9]*)+", True),
        ("((a*))*", True),
        ("^[a-z]+(-[a-z]+)*$", False),
        ("(a+){2,4}", False),
        (r"^\d{4}(?:\.\d+)?$", False),
        ("(ab+)+", False),
        ("[(a+)+]", False),
        ("((((", False),
    ],
)
def test_a_repetition_of_a_repetition_is_seen_in_a_pattern(pattern: str, explodes: bool) -> None:
    """D2: nothing fixed between two repetitions is what a backtracking engine dies of."""
    assert can_explode(pattern) is explodes


WORDS = (
    "type properties items required enum anyOf allOf default pattern format $ref $defs minimum maximum description"
    " const user_id limit end_date start_date query path"
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "object", "array", "#/$defs/limit", "("]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS.split(" ")), inner, max_size=5),
    max_leaves=25,
)


@given(schema=JSON)
def test_no_shape_of_a_schema_breaks_an_input_rule(schema: object) -> None:
    """C10: nothing is certain about what somebody else's server lists."""
    findings({"name": "list_things", "inputSchema": {"type": "object", "properties": schema}}, *INPUT_RULES)
    findings({"name": "update_thing", "inputSchema": schema}, *INPUT_RULES)


class OrderLine(Input):
    """A line at an offered price."""

    sku: Annotated[str, Field(max_length=20, pattern=r"^[A-Z]{3}$", description="The article.")]
    unit_price_minor: Annotated[Offer[Minor], Field(le=100_000, description="Offered price of one piece.")]


class OrderRequest(Input):
    """An order, with one rule set aside."""

    lines: Annotated[list[OrderLine], Field(max_length=9, description="What is ordered.")]
    currency: Annotated[
        str, Field(max_length=3, description="Code."), Waived("bare_currency", reason="every currency is traded")
    ]


class OrderPreview(Output):
    """What it would come to."""

    lines: Annotated[int, Field(ge=0, le=9)]


catalog = Catalog("orders", version="1.0", instructions="Orders.")


@catalog.tool(
    name="order_preview",
    version="1.0",
    does="Preview an order at offered prices.",
    use_when="the user wants to know what an order would come to",
    not_for="placing it",
    effect=Preview(),
)
def order_preview(request: OrderRequest) -> OrderPreview:
    """Counts the lines."""
    return OrderPreview(lines=len(request.lines))


def listed_by(*, known: bool) -> ListedCatalog:
    """The catalog as it goes over the wire, with its contracts or without."""
    tools = [
        ListedTool(
            definition={
                "name": built.contract.name,
                "description": built.contract.description,
                "inputSchema": built.contract.input_schema,
            },
            contract=built.contract if known else None,
        )
        for built in catalog.build().tools.values()
    ]
    return ListedCatalog(target="orders", tools=tuple(tools))


def symbols_of(listed: ListedCatalog) -> list[str]:
    """What the input rules find."""
    found = review(listed, today=TODAY, settings=ReviewSettings(select=INPUT_RULES)).findings
    return [finding.symbol for finding in found]


def test_an_offer_and_a_waived_place_are_reported_over_the_wire_and_known_with_the_contract() -> None:
    """D2, A13: what the author declared is known from the contract, and reported like anyone's without it."""
    (contract,) = [built.contract for built in catalog.build().tools.values()]

    assert contract.offers == ("/lines/*/unit_price_minor",)
    assert symbols_of(listed_by(known=False)) == ["bare-currency", "authoritative-price"]
    assert symbols_of(listed_by(known=True)) == []
