"""A catalog of 157 tools, as many as the largest server has that the product was made for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fourfold import Caller, Catalog, Input, Output, Read

__all__ = ["TOOLS", "catalog"]

TOOLS = 157
_RESOURCES = (
    "invoice", "customer", "product", "expense", "supplier", "contract", "project", "employee", "payment", "report",
    "warehouse", "shipment", "ticket", "campaign", "vehicle", "document",
)  # fmt: skip
_ACTIONS = ("get", "list", "search", "count", "export", "history", "summary", "owner", "labels", "status")


class Lookup(Input):
    """What to look up."""

    reference: Annotated[str, Field(min_length=1, max_length=40)]
    limit_days: Annotated[int, Field(ge=1, le=365)] = 30


class Found(Output):
    """What was found."""

    tool: Annotated[str, Field(max_length=64)]
    tenant: Annotated[str, Field(max_length=64)]


catalog = Catalog("large", version="1.0", instructions="One read tool for each question about each resource.")


def _declare(resource: str, action: str) -> None:
    name = f"{resource}_{action}"

    @catalog.tool(
        name=name,
        version="1.0",
        does=f"Answer the {action} question about one {resource}",
        use_when=f"the user asks for the {action} of a {resource}",
        not_for=f"anything about another resource than {resource}",
        effect=Read(),
        needs={f"{resource}:read"},
        toolsets={resource},
    )
    def look_up(request: Lookup, caller: Caller) -> Found:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        return Found(tool=name, tenant=caller.tenant)


for _number in range(TOOLS):
    _declare(_RESOURCES[_number % len(_RESOURCES)], _ACTIONS[_number // len(_RESOURCES)])
