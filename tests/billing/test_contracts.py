"""The catalog as a whole: its contracts, who sees which tool, and what its code keeps out."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import billing
from billing import catalog
from fourfold.model.effect import Create, Destroy, PlanStep, Preview, Read, Update
from fourfold.testing import Kit, caller

_READS = frozenset(
    {"accounts:read", "quotes:read", "customers:read", "invoices:read", "ledger:read", "payments:read", "threads:read"}
)
_MODULES = sorted(Path(billing.__file__).parent.glob("*.py"))


def test_the_catalog_builds_without_a_warning_or_a_waiver() -> None:
    """A1, B1, B2, C1: the reference keeps every rule."""
    built = catalog.build()

    assert built.warnings == ()
    assert [waiver for tool in built.tools.values() for waiver in tool.contract.waivers] == []


def test_every_tool_has_the_effect_that_its_name_says() -> None:
    """B4, B5: 22 tools; three of them plan and nine write, one of those in another system."""
    effects = {name: tool.contract.effect for name, tool in catalog.build().tools.items()}

    assert {name: type(effect) for name, effect in effects.items()} == {
        "account_find": Read,
        "credit_note_create": Create,
        "customer_create": Create,
        "customer_find": Read,
        "invoice_create": Create,
        "invoice_execute_delete_draft": Destroy,
        "invoice_execute_send": Update,
        "invoice_finalize": Update,
        "invoice_get": Read,
        "invoice_list": Read,
        "invoice_plan_delete_draft": PlanStep,
        "invoice_plan_send": PlanStep,
        "invoice_update_draft": Update,
        "ledger_query": Read,
        "operation_status": Read,
        "payment_execute_refund": Update,
        "payment_list": Read,
        "payment_plan_refund": PlanStep,
        "quote_create": Create,
        "quote_preview": Preview,
        "revenue_report": Read,
        "thread_summarize": Read,
    }
    outside = [name for name, effect in effects.items() if effect.reach == "outside"]
    assert outside == ["payment_execute_refund"]
    assert catalog.build().tools["payment_execute_refund"].contract.recovery == "external_keyed"


@pytest.mark.parametrize("name", sorted(catalog.build().tools.keys() - {"operation_status"}))
def test_a_description_says_all_that_a_choice_needs_in_under_ninety_tokens(name: str) -> None:
    """B1, C2: use, non-use with a tool of this catalog, output and effect, at four characters a token."""
    contract = catalog.build().tools[name].contract
    does, use, others, *rest = re.split(r"(?<=\.) (?=[A-Zc])", contract.description)
    named = set(re.findall(r"\((\w+)\)", others))

    assert len(contract.description) < 90 * 4
    assert does.removesuffix(".") == contract.selection.does
    assert use.startswith("Use when ")
    assert others.startswith("Not for ")
    assert named
    assert named <= catalog.build().tools.keys() - {name}
    assert rest[-2].startswith("Returns ")
    assert rest[-1] in _BOUNDARIES


_BOUNDARIES = {
    "Reads only.",
    "Previews only; saves nothing.",
    "Plans only; nothing happens until it is executed.",
    "Commits: adds a record.",
    "Commits: changes a record.",
    "Commits: cannot be undone.",
}

_WRITES = [
    name
    for name, tool in catalog.build().tools.items()
    if tool.contract.effect.writes or isinstance(tool.contract.effect, PlanStep)
]


@pytest.mark.parametrize("name", _WRITES)
def test_no_write_takes_a_status_or_anything_else_that_its_caller_has_no_say_in(name: str) -> None:
    """C3, B18: state moves by a tool of its own; place of supply, day of issue and number come from the books."""
    arguments = catalog.build().tools[name].contract.input_schema["properties"].keys()

    assert not arguments & {"status", "state", "tenant", "issued_on", "number", "origin", "total_minor", "approved"}
    assert ("amount_minor" in arguments) == (name in {"credit_note_create", "payment_plan_refund"})


def test_the_faults_of_a_quote_are_declared() -> None:
    """A6, B7: the codes that a caller branches on, all of them final."""
    contract = catalog.build().tools["quote_create"].contract
    faults = [*contract.faults, *([contract.missing] if contract.missing else [])]

    assert {fault.code: fault.retry.value for fault in faults} == {
        "unknown_sku": "never",
        "price_below_hard_floor": "never",
        "credit_limit_exceeded": "never",
        "unknown_account": "never",
    }


def test_a_reader_is_not_shown_what_it_may_not_do(kit: Kit) -> None:
    """B11, B18: to a reader, quote_create is an unknown tool."""
    reader = caller("reader@acme", scopes=_READS)
    listed = [contract.name for contract in kit.service.list_tools(reader).tools]

    assert listed == [
        "account_find",
        "customer_find",
        "invoice_get",
        "invoice_list",
        "ledger_query",
        "operation_status",
        "payment_list",
        "quote_preview",
        "revenue_report",
        "thread_summarize",
    ]
    assert kit.call("quote_create", {}, by=reader).code == kit.call("quote_destroy", {}, by=reader).code


def test_handlers_run_without_mcp() -> None:
    """A3: importing the whole package, and building it, loads no MCP package, no driver and no server."""
    script = (
        "import sys, billing; billing.catalog.build();"
        "print(sorted(name for name in sys.modules"
        " if name.split('.')[0] in {'mcp', 'mcp_types', 'sqlite3', 'starlette', 'uvicorn'}"
        " or name.startswith(('fourfold.edge', 'fourfold.adapters', 'fourfold.stages'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


@pytest.mark.parametrize("path", _MODULES, ids=lambda path: path.name)
def test_no_number_is_a_float(path: Path) -> None:
    """A1, A16: no float literal, no true division, no float type in any module."""
    tree = ast.parse(path.read_text("utf-8"))

    assert not [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "float"]
