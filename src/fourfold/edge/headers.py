"""What the HTTP headers of a request must say about its body (2026-07-28, "Streamable HTTP", "Custom headers")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mcp.shared.inbound import find_duplicated_routing_header, validate_mcp_param_headers, x_mcp_header_map
from mcp_types import HEADER_MISMATCH

from fourfold.edge.message import Message, MessageError
from fourfold.model.caller import Caller
from fourfold.model.contract import ToolContract

__all__ = ["ParameterHeaders", "Tools", "duplicated_header"]


class Tools(Protocol):
    """What the edge asks about tools before a call; `stages.service.Service` answers."""

    def find(self, caller: Caller, name: str) -> ToolContract | None:
        """The tool, if it is listed for this caller."""
        ...

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """The scopes to ask for in a 403; empty for no step-up."""
        ...


def duplicated_header(message: Message, pairs: list[tuple[str, str]]) -> MessageError | None:
    """The refusal of a routing header that is there twice: its readers would disagree about it."""
    name = find_duplicated_routing_header(pairs)
    if name is None:
        return None
    return MessageError(code=HEADER_MISMATCH, message=f"{name} header appears more than once", id=message.id)


class ParameterHeaders:
    """Compares `Mcp-Param-*` headers with the arguments, for the tools whose schema declares any.

    The SDK could do this through its schema hook, but that hook does not know the caller and would tell
    everybody about a tool that only some may see.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._declares: dict[str, bool] = {}

    def refusal(self, message: Message, *, caller: Caller, headers: Mapping[str, str]) -> MessageError | None:
        """The mismatch, if there is one."""
        # Most tools declare none; they are looked up once, and then this costs one dictionary access.
        if not message.tool or not self._declares.get(message.tool, True):
            return None
        contract = self._tools.find(caller, message.tool)
        arguments = message.arguments
        if contract is None or arguments is None:
            return None
        schema = dict(contract.input_schema)
        if not self._declares.setdefault(message.tool, bool(x_mcp_header_map(schema))):
            return None
        found = validate_mcp_param_headers(schema, arguments, headers)
        return None if found is None else MessageError(code=found.code, message=found.message, id=message.id)
