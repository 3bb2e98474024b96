"""`Desk`: what checks call a server through. It counts, waits when it is told to, and remembers what it has seen."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

import anyio

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.ports.target import Target
from fourfold.review.view import CatalogView, ToolView

__all__ = ["FIRST", "SECOND", "Desk", "OutOfCalls", "Seat", "code_of", "fault_of", "is_read"]

FIRST, SECOND = "first", "second"
"""The callers: of different tenants, where there are two."""

_PATIENT = frozenset({"rate_limited", "too_busy"})
_WAITS = 5
_LONGEST_WAIT_S = 5.0
_REMEMBERED = 50


class OutOfCalls(Exception):
    """The calls that the user allows are used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One caller's connection."""

    name: str
    target: Target


@dataclass(slots=True, kw_only=True)
class Desk:
    """Calls of one run.

    Attributes:
        catalog: what the server lists for the first caller.
        seats: connections by caller: `FIRST`, and `SECOND` if there is one.
        seed: decides every choice; a check takes its randomness from `dice`.
        max_calls: how many calls all checks together may make.
        writes: whether tools that write may be called.
        counter: rows that handlers have written so far, where the target is a catalog of ours.
    """

    catalog: ListedCatalog
    seats: Mapping[str, Seat]
    seed: int
    max_calls: int
    writes: bool = False
    counter: Callable[[], int] | None = None
    sent: int = 0
    _seen: dict[str, list[object]] = field(default_factory=lambda: defaultdict(list))

    @property
    def view(self) -> CatalogView:
        """The tools as rules and checks look at them."""
        return CatalogView(self.catalog)

    def dice(self, check: str, tool: str) -> random.Random:
        """The randomness of one check of one tool: the same for the same seed, whatever ran before."""
        return random.Random(f"{self.seed}:{check}:{tool}")  # noqa: S311  # choices that must repeat, no secret

    async def call(self, tool: str, arguments: JsonObject, *, by: str = FIRST) -> ToolAnswer:
        """Call a tool as one of the callers; told to wait, it waits and calls again.

        Raises:
            OutOfCalls: no more calls are allowed.
            TargetError: the server ended or did not answer.
        """
        for _ in range(_WAITS):
            answer = await self._sent(tool, arguments, by)
            fault = fault_of(answer)
            if fault.get("code") not in _PATIENT:
                break
            await anyio.sleep(min(float(fault.get("retry_after_ms") or 1_000) / 1_000, _LONGEST_WAIT_S))
        else:
            answer = await self._sent(tool, arguments, by)
        self._remember(answer.result.get("structuredContent"))
        return answer

    async def _sent(self, tool: str, arguments: JsonObject, by: str) -> ToolAnswer:
        if self.sent >= self.max_calls:
            raise OutOfCalls
        self.sent += 1
        return await self.seats[by].target.raw_call(tool, arguments)

    def known(self, name: str) -> tuple[object, ...]:
        """Values that answers held in fields of that name, the oldest first: a listed id is one to ask with."""
        return tuple(self._seen.get(" ".join(words(name)), ()))

    def sent_as(self, tool: str, arguments: JsonObject, *, by: str = FIRST) -> SentCall:
        """A call as a failure shows it."""
        return SentCall(tool=tool, arguments=arguments, caller=self.seats[by].name)

    def _remember(self, value: object, name: str = "") -> None:
        if isinstance(value, Mapping):
            for key, inner in cast("Mapping[str, object]", value).items():
                self._remember(inner, key)
        elif isinstance(value, list):
            for inner in cast("list[object]", value)[:_REMEMBERED]:
                self._remember(inner, name)
        elif name and isinstance(value, str | int) and not isinstance(value, bool):
            seen = self._seen[" ".join(words(name))]
            if value not in seen and len(seen) < _REMEMBERED:
                seen.append(value)


def fault_of(answer: ToolAnswer) -> JsonObject:
    """The fault of an answer, where the server says it in `_meta["fourfold/fault"]`; empty if it doesn't."""
    meta = answer.result.get("_meta")
    fault: object = cast("JsonObject", meta).get("fourfold/fault") if isinstance(meta, Mapping) else None
    return cast("JsonObject", fault) if isinstance(fault, Mapping) else {}


def code_of(answer: ToolAnswer) -> str:
    """The code of a failure: from its fault, else the word before the colon that its text begins with; else empty."""
    code: object = fault_of(answer).get("code")
    if isinstance(code, str):
        return code
    if not answer.result.get("isError"):
        return ""
    content: object = answer.result.get("content")
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    text = next((str(cast("JsonObject", block).get("text", "")) for block in blocks if isinstance(block, Mapping)), "")
    head, separator, _ = text.partition(":")
    return head if separator and head.isidentifier() else ""


def is_read(tool: ToolView) -> bool:
    """Whether a tool may be called without leave: something says that it only reads, and its name says nothing else."""
    says = tool.tool.contract is not None or tool.hint("readOnlyHint") is True
    return says and tool.action == "read"
