"""`Desk`: what checks call a server through. It counts, waits when it is told to, and remembers what it has seen."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

import anyio

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ToolAnswer
from fourfold.model.plan import Verdict
from fourfold.model.proof import SentCall
from fourfold.ports.target import Answering, Target
from fourfold.ports.wire import WireTarget
from fourfold.review.answers import asks, is_error
from fourfold.review.view import CatalogView, ToolView

__all__ = ["FIRST", "SECOND", "Desk", "OutOfCalls", "Refuse", "Seat", "code_of", "fault_of", "is_read"]

FIRST, SECOND = "first", "second"
"""The callers: of different tenants, where there are two."""

_PATIENT = frozenset({"rate_limited", "too_busy"})
_WAITS = 5
_LONGEST_WAIT_S = 5.0
_REMEMBERED = 50
_RECORDS = 400


class OutOfCalls(Exception):
    """The calls that the user allows are used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One caller's connection."""

    name: str
    target: Target


class Refuse(Protocol):
    """Lets somebody who is none of the callers say no to a plan."""

    async def __call__(self, plan_id: str, digest: str, *, verdict: Verdict) -> None:
        """Say it."""
        ...


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
        approve: lets somebody who is none of the callers agree to a plan, by its id and digest, where that is possible.
        refuse: the same for a no, or for taking a yes back, by the plan's id and digest.
        restart: closes the server and its store and opens them again, where the target is a catalog of ours.
        advance: lets it be later at the server by so many seconds, where the target is a catalog of ours.
        canary: a secret that stands in the environment of a server that was started for this run, and nowhere else.
        links: paths inside the folder that the server was started with, each a link out of it to `/etc`.
        slowest: by tool, the longest that one call took, in seconds, with the call.
        revision: the protocol revision that was agreed on with the first caller.
        examples: by tool, arguments that are known to work. Their values are known from the start.
        learned: by read, arguments that it has answered in this run.
        worked: by tool, the newest arguments that fit its schema and with which the first caller had a success.
        last: the newest call, which is the one to look at if the server ends.
        wire: the server once more, as the first caller reaches it, for frames that no client sends.
    """

    catalog: ListedCatalog
    seats: Mapping[str, Seat]
    seed: int
    max_calls: int
    writes: bool = False
    counter: Callable[[], int] | None = None
    approve: Callable[[str, str], Awaitable[None]] | None = None
    refuse: Refuse | None = None
    restart: Callable[[], Awaitable[None]] | None = None
    advance: Callable[[int], None] | None = None
    canary: str = ""
    links: Sequence[str] = ()
    slowest: dict[str, tuple[float, SentCall]] = field(default_factory=dict[str, tuple[float, SentCall]])
    revision: str = ""
    wire: WireTarget | None = None
    examples: Mapping[str, Sequence[JsonObject]] = field(default_factory=dict[str, Sequence[JsonObject]])
    learned: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    worked: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    sent: int = 0
    last: SentCall | None = None
    _view: CatalogView | None = None
    _seen: dict[tuple[str, str], list[object]] = field(default_factory=lambda: defaultdict(list))
    _records: dict[str, list[JsonObject]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for each in self.examples.values():
            self._remember([*each])

    @property
    def view(self) -> CatalogView:
        """The tools as rules and checks look at them."""
        if self._view is None or self._view.catalog is not self.catalog:
            self._view = CatalogView(self.catalog)
        return self._view

    def dice(self, check: str, tool: str) -> random.Random:
        """The randomness of one check of one tool: the same for the same seed, whatever ran before."""
        return random.Random(f"{self.seed}:{check}:{tool}")  # noqa: S311  # choices that must repeat, no secret

    async def call(
        self, tool: str, arguments: JsonObject, *, by: str = FIRST, answering: Answering | None = None
    ) -> ToolAnswer:
        """Call a tool as one of the callers; told to wait, it waits and calls again.

        Without `answering`, nobody can be asked anything, and the server knows it.

        Raises:
            OutOfCalls: no more calls are allowed.
            TargetError: the server ended or did not answer.
        """
        for _ in range(_WAITS):
            answer = await self._sent(tool, arguments, by=by, answering=answering)
            fault = fault_of(answer)
            if fault.get("code") not in _PATIENT:
                break
            await anyio.sleep(min(float(fault.get("retry_after_ms") or 1_000) / 1_000, _LONGEST_WAIT_S))
        else:
            answer = await self._sent(tool, arguments, by=by, answering=answering)
        if by == FIRST and not is_error(answer) and not asks(answer) and self._fits(tool, arguments):
            self.worked[tool] = arguments
        self._remember(answer.result.get("structuredContent"), by=by)
        if (operation := operation_of(answer)) is not None:
            self._remember({"operation_id": operation}, by=by)
        return answer

    async def _sent(self, tool: str, arguments: JsonObject, *, by: str, answering: Answering | None) -> ToolAnswer:
        self.spend()
        self.last = self.sent_as(tool, arguments, by=by)
        began, call = anyio.current_time(), self.last
        answer = await self.seats[by].target.raw_call(tool, arguments, answering=answering)
        took = anyio.current_time() - began
        if took > self.slowest.get(tool, (0.0, call))[0]:
            self.slowest[tool] = took, call
        return answer

    def _fits(self, tool: str, arguments: JsonObject) -> bool:
        """Whether they are what the schema takes, and not what a server took all the same, such as null for absent."""
        return any(not misfits(arguments, each.input_schema) for each in self.catalog.tools if each.name == tool)

    async def still_answers(self) -> bool:
        """Whether the server answers at all: asked after a call that it did not answer."""
        try:
            await self.seats[FIRST].target.tools()
        except TargetError:
            return False
        return True

    def spend(self) -> int:
        """Count one call, or one frame; its number.

        Raises:
            OutOfCalls: no more are allowed.
        """
        if self.sent >= self.max_calls:
            raise OutOfCalls
        self.sent += 1
        return self.sent

    def known(self, name: str, *, by: str = FIRST) -> tuple[object, ...]:
        """Values that a caller's answers held in fields of that name, the oldest first: an id is one to ask with."""
        return tuple(self._seen.get((by, " ".join(words(name))), ()))

    def records(self, *, by: str = FIRST) -> tuple[JsonObject, ...]:
        """Objects that a caller's answers held, the oldest first: what stands in one of them belongs together."""
        return tuple(self._records.get(by, ()))

    def sent_as(self, tool: str, arguments: JsonObject, *, by: str = FIRST, beside: str = "") -> SentCall:
        """A call as a failure shows it."""
        return SentCall(tool=tool, arguments=arguments, caller=self.seats[by].name, beside=beside)

    def _remember(self, value: object, name: str = "", *, by: str = FIRST) -> None:
        if isinstance(value, Mapping):
            record = cast("JsonObject", value)
            self._records[by] = [*self._records[by], record][-_RECORDS:]
            for key, inner in record.items():
                self._remember(inner, key, by=by)
        elif isinstance(value, list):
            for inner in cast("list[object]", value)[:_REMEMBERED]:
                self._remember(inner, name, by=by)
        elif name and isinstance(value, str | int) and not isinstance(value, bool):
            seen = self._seen[by, " ".join(words(name))]
            if value not in seen and len(seen) < _REMEMBERED:
                seen.append(value)


def operation_of(answer: ToolAnswer) -> object:
    """The operation of a write, where the server names it in `_meta["fourfold/operation"]`; `None` if it doesn't."""
    meta = answer.result.get("_meta")
    return cast("JsonObject", meta).get("fourfold/operation") if isinstance(meta, Mapping) else None


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
