"""Catalogs for tests of the budget."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ListedTool

__all__ = ["REFUND", "catalog_of"]

REFUND: JsonObject = {
    "name": "refund_create",
    "description": "Refund an invoice.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "invoice": {"type": "string", "description": "Its number."},
            "currency": {"type": "string", "enum": ["EUR", "USD", "GBP"]},
        },
        "required": ["invoice"],
    },
    "outputSchema": {"type": "object", "properties": {"refund": {"type": "string"}}},
    "annotations": {"readOnlyHint": False},
}


def catalog_of(*tools: JsonObject, target: str = "test") -> ListedCatalog:
    """A catalog that lists these definitions."""
    return ListedCatalog(target=target, tools=tuple(ListedTool(definition=tool) for tool in tools))
