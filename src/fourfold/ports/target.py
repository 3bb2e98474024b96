"""A server that is already running, as the review and the generated tests speak to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fourfold.model.asking import InputResponse
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer

__all__ = ["Answering", "Target"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """What a client sends that can show forms to a person (2026-07-28, "Multi Round-Trip Requests").

    Attributes:
        state: the `requestState` of the round before, or something else in its place; `None` in the first round.
        responses: what the person said, by the keys of the questions.
    """

    state: str | None = None
    responses: Mapping[str, InputResponse] = field(default_factory=dict[str, InputResponse])


class Target(Protocol):
    """A connected server, whoever wrote it. Both methods are bounded in time.

    Both raise `errors.TargetError` if the server ends, hangs, or says what is no MCP.
    """

    async def tools(self) -> Sequence[JsonObject]:
        """Every tool, as the server lists it."""
        ...

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """Call one tool. Nothing of the answer is checked; a protocol error is an answer as well.

        Without `answering`, the call is that of a client that cannot ask a person anything.
        """
        ...
