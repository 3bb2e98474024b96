"""Which argument of which tool takes what kind of id, and how one of each kind is made up.

`TAKES` and `FREE` together name every argument that is a text or a number of somebody's choice: a new one has to be
put into one of them before the tests pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Literal, cast

from billing import catalog
from fourfold.contracts.walk import Node, Schema, walk
from tests.billing.books import MADE_UP_ACCOUNT
from tests.confusion.over_store import StoreKit

__all__ = ["BOUND_TO_PRINCIPAL", "FREE", "TAKES", "Kind", "at", "chosen", "made_up", "with_at"]

Kind = Literal[
    "account", "article", "customer", "cursor", "digest", "invoice", "key", "operation", "payment", "plan", "search",
    "sql", "tax_number", "thread",
]  # fmt: skip

TAKES: Mapping[str, Mapping[str, Kind]] = {
    "account_find": {"query": "search", "cursor": "cursor"},
    "credit_note_create": {"invoice_reference": "invoice", "idempotency_key": "key"},
    "customer_create": {"tax_number": "tax_number", "idempotency_key": "key"},
    "customer_find": {"query": "search", "cursor": "cursor"},
    "invoice_create": {"customer_reference": "customer", "idempotency_key": "key"},
    "invoice_execute_delete_draft": {"plan_id": "plan", "digest": "digest"},
    "invoice_execute_send": {"plan_id": "plan", "digest": "digest"},
    "invoice_finalize": {"invoice_reference": "invoice", "idempotency_key": "key"},
    "invoice_get": {"invoice_reference": "invoice"},
    "invoice_list": {"cursor": "cursor"},
    "invoice_plan_delete_draft": {"invoice_reference": "invoice"},
    "invoice_plan_send": {"invoice_reference": "invoice"},
    "invoice_update_draft": {
        "invoice_reference": "invoice",
        "customer_reference": "customer",
        "idempotency_key": "key",
    },
    "ledger_query": {"sql": "sql"},
    "operation_status": {"operation_id": "operation"},
    "payment_execute_refund": {"plan_id": "plan", "digest": "digest"},
    "payment_list": {"invoice_reference": "invoice", "cursor": "cursor"},
    "payment_plan_refund": {"payment_id": "payment"},
    "quote_create": {"account_id": "account", "lines.*.sku": "article", "idempotency_key": "key"},
    "quote_preview": {"account_id": "account", "lines.*.sku": "article"},
    "revenue_report": {"cursor": "cursor"},
    "thread_summarize": {"thread_id": "thread"},
}
"""Kind of id by tool and place. A search and a query take ids too, in words of the caller's own."""

FREE = frozenset(
    {
        "amount_minor", "base_quantity", "description", "email", "expected_version", "irpf_rate", "limit",
        "max_words", "name", "percent", "prepaid_minor", "quantity", "reason", "time_zone", "unit_price",
        "unit_price_minor",
    }
)  # fmt: skip
"""Arguments that name nothing; an `expected_version` only says something about what another one names."""

BOUND_TO_PRINCIPAL: frozenset[Kind] = frozenset({"cursor", "digest", "key", "operation", "plan"})
"""Kinds that a colleague in the same tenant cannot use either."""

_MADE_UP: Mapping[Kind, Callable[[str], str]] = {
    "account": lambda _: MADE_UP_ACCOUNT,
    "article": lambda _: "ZZZ-0000",
    "customer": lambda _: "C-000000",
    "cursor": lambda real: "v1." + "A" * (len(real) - 3),
    "digest": lambda _: "0" * 64,
    "invoice": lambda real: "DRAFT-000000" if real.startswith("DRAFT") else "INV-1999-0001",
    "operation": lambda real: real[:-8] + "00000000",
    "payment": lambda _: "PAY-000000",
    "plan": lambda real: real[:-8] + "00000000",
    "search": lambda real: real[:-4] + "9999",
    "sql": lambda real: real.replace("INV-2026", "INV-1999"),
    "thread": lambda _: "THR-9999",
}


def made_up(kind: Kind, real: str, kit: StoreKit) -> str:
    """An id of the same form as `real` that nobody has."""
    if kind == "key":
        return kit.key()
    return f"B{kit.number():08}" if kind == "tax_number" else _MADE_UP[kind](real)


def chosen() -> Iterator[tuple[str, str]]:
    """Tool and place of every argument that is a text or a number of the caller's choice."""
    for name, tool in catalog.build().tools.items():
        for place in dict.fromkeys(_places(cast("Schema", tool.contract.input_schema))):
            yield name, place


def _places(schema: Schema) -> Iterator[str]:
    return (".".join(node.steps) for node in walk(schema) if _is_chosen(node))


def _is_chosen(node: Node) -> bool:
    """Whether the contract leaves the value to the caller: no vocabulary, no date."""
    schema = node.schema
    is_listed = "enum" in schema or "const" in schema or str(schema.get("format", "")).startswith("date")
    return schema.get("type") in ("string", "integer", "number") and not is_listed


def at(arguments: Mapping[str, Any], place: str) -> str:
    """The value at a place; `*` is the first item."""
    found: Any = arguments
    for step in place.split("."):
        found = found[0 if step == "*" else step]
    return str(found)


def with_at(arguments: Mapping[str, Any], place: str, value: str) -> dict[str, Any]:
    """The arguments with another value at that place."""
    changed: dict[str, Any] = deepcopy(dict(arguments))
    *way, last = place.split(".")
    inner: Any = changed
    for step in way:
        inner = inner[0 if step == "*" else step]
    inner[last] = value
    return changed
