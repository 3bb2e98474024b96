"""A server that is already running, as the review and the generated tests speak to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer

__all__ = ["Target"]


class Target(Protocol):
    """A connected server, whoever wrote it. Both methods are bounded in time.

    Both raise `errors.TargetError` if the server ends, hangs, or says what is no MCP.
    """

    async def tools(self) -> Sequence[JsonObject]:
        """Every tool, as the server lists it."""
        ...

    async def raw_call(self, tool: str, arguments: JsonObject) -> ToolAnswer:
        """Call one tool. Nothing of the answer is checked; a protocol error is an answer as well."""
        ...
