"""`Kit`: a catalog on a memory store. A call goes through the same stages, in the same order, as on a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from fourfold.adapters.memory.store import MemoryStore, open_memory
from fourfold.adapters.query_check import queries_for
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.catalog.declare import Catalog
from fourfold.contracts.strict_json import parse
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.fault import FaultDetail, Problem
from fourfold.model.outcome import Done, NeedsInput, Outcome, Question, Refused, kind_of
from fourfold.model.run import Run, RunFilter
from fourfold.ports.units import Unit
from fourfold.stages.service import Service
from fourfold.testing.clock import FixedClock

__all__ = ["Answer", "Kit", "call", "caller", "open_kit", "two_tenants"]


def caller(
    principal: str = "tester", *, tenant: str = "acme", scopes: Iterable[str] = ("*",), name: str = "test"
) -> Caller:
    """A caller for tests. The scope `*` is replaced by every scope that the kit's catalog needs."""
    return Caller(principal=principal, tenant=tenant, scopes=frozenset(scopes), name=name)


def two_tenants(
    first: str = "acme", second: str = "globex", *, scopes: Iterable[str] = ("*",)
) -> tuple[Caller, Caller]:
    """Callers of two tenants that differ in nothing else, so that only the tenant can keep them apart."""
    granted = frozenset(scopes)
    return caller(tenant=first, scopes=granted), caller(tenant=second, scopes=granted)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call was answered with.

    `writes` is how many rows its handler changed and committed; `None` where that isn't known, as for calls that are
    made together.
    """

    outcome: Outcome
    writes: int | None = None

    @property
    def kind(self) -> str:
        """`done`, `invalid`, `rejected`, `denied`, `refused`, `needs_input`, `failed` or `unknown`."""
        return kind_of(self.outcome)

    @property
    def ok(self) -> bool:
        """Whether the tool ran and returned."""
        return isinstance(self.outcome, Done)

    @property
    def structured(self) -> dict[str, Any]:
        """The structured result; empty if there is none."""
        return cast("dict[str, Any]", json.loads(self.outcome.structured)) if isinstance(self.outcome, Done) else {}

    @property
    def fault(self) -> FaultDetail | None:
        """The fault, if it was answered with one."""
        return None if isinstance(self.outcome, Done | Refused | NeedsInput) else self.outcome.fault

    @property
    def code(self) -> str:
        """The fault's code; "" for a success, the reason for a refusal."""
        if isinstance(self.outcome, Refused):
            return self.outcome.reason
        return self.fault.code if self.fault else ""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the arguments."""
        return self.fault.problems if self.fault else ()

    @property
    def paths(self) -> list[str]:
        """Where the arguments were wrong: `lines.0.sku`."""
        return [problem.path for problem in self.problems]

    @property
    def operation_id(self) -> str | None:
        """The operation of a write, or the one that a fault names."""
        return self.outcome.operation_id if isinstance(self.outcome, Done) else self.fault and self.fault.operation_id

    @property
    def questions(self) -> tuple[Question, ...]:
        """What a person is asked, if the call needs somebody's input."""
        return self.outcome.questions if isinstance(self.outcome, NeedsInput) else ()

    @property
    def state(self) -> str:
        """The state to send back with the answers; "" if nothing is asked."""
        return self.outcome.state if isinstance(self.outcome, NeedsInput) else ""

    @property
    def replayed(self) -> bool:
        """Whether nothing ran and an earlier outcome was answered."""
        return getattr(self.outcome, "replayed", False)


class Kit:
    """Calls the tools of one catalog. Made by `open_kit`."""

    def __init__(self, service: Service, store: MemoryStore, *, clock: FixedClock, portal: BlockingPortal) -> None:
        self.service = service
        self.clock = clock
        self._store = store
        self._portal = portal
        self._scopes = frozenset(
            scope for tool in service.ports.catalog.tools.values() for scope in tool.contract.needs
        )

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        by: Caller | None = None,
        key: str | None = None,
        state: str | None = None,
        answers: Mapping[str, Mapping[str, Any] | None] | None = None,
    ) -> Answer:
        """Call `tool` once. `key` is an idempotency key; it goes where a client would put it, in `_meta`.

        `state` and `answers` are for a call that asks: the state of the answer before, and what a person said to each
        of its questions by key; `None` stands for a person who declines.
        """
        before = self.writes
        made = self._call(tool, arguments or {}, by=by or caller(), key=key)
        made = replace(made, state=state, responses={k: _response(said) for k, said in (answers or {}).items()})
        (answer,) = self._portal.call(self._together, [made])
        return replace(answer, writes=self.writes - before)

    def together(
        self,
        calls: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        by: Caller | None = None,
        key: str | None = None,
    ) -> list[Answer]:
        """Make several calls at once; the answers in the order of the calls."""
        made = [self._call(tool, arguments, by=by or caller(), key=key) for tool, arguments in calls]
        return self._portal.call(self._together, made)

    def arrange(self, work: Callable[[Unit], None]) -> None:
        """Run `work` in one transaction, to make the state that a test starts from. It counts no writes."""
        self._portal.call(self._store.units.prepare, work)

    def runs(self, where: RunFilter | None = None) -> list[Run]:
        """The runs so far, newest first."""
        return self._portal.call(self._runs, where or RunFilter())

    @property
    def writes(self) -> int:
        """Rows that handlers changed and that were committed."""
        return self._store.units.writes

    def _call(self, tool: str, arguments: Mapping[str, Any], *, by: Caller, key: str | None) -> Call:
        """The call as an edge would make it: through the strict JSON reader."""
        parsed = parse(json.dumps(arguments).encode())
        known = (
            by
            if "*" not in by.scopes
            else Caller(principal=by.principal, tenant=by.tenant, scopes=by.scopes | self._scopes, name=by.name)
        )
        return Call(tool=tool, arguments=parsed.value, caller=known, meta_key=key, wire_problems=parsed.faults)

    async def _together(self, calls: Sequence[Call]) -> list[Answer]:
        answers: dict[int, Answer] = {}

        async def one(index: int, call: Call) -> None:
            answers[index] = Answer(await self.service.call(call))

        async with anyio.create_task_group() as group:
            for index, call in enumerate(calls):
                group.start_soon(one, index, call)
        return [answers[index] for index in range(len(calls))]

    async def _runs(self, where: RunFilter) -> list[Run]:
        await self._store.runs.flush()
        return [record.run for record in await self._store.runs.list(where, limit=10_000)]


def _response(said: Mapping[str, Any] | None) -> InputResponse:
    return InputResponse(action="decline") if said is None else InputResponse(action="accept", content=said)


@contextmanager
def open_kit(catalog: Catalog, *, clock: FixedClock | None = None) -> Generator[Kit]:
    """A kit for `catalog`, with its own tables prepared, closed at the end of the block.

    Raises:
        ContractError: the catalog does not build.
    """
    built = catalog.build()
    clock = clock or FixedClock()
    with start_blocking_portal() as portal:
        store = open_memory(clock=clock)
        try:
            for work in catalog.preparations:
                portal.call(store.units.prepare, work)
            sealer = AesGcmSealer(KeyRing.of(("kit", b"fourfold test kit, not a secret!")))
            service = Service.over(
                built,
                store,
                sealer=sealer,
                clock=clock,
                queries=queries_for(built, store.queries),
            )
            yield Kit(service, store, clock=clock, portal=portal)
        finally:
            portal.call(store.aclose)


def call(
    catalog: Catalog,
    tool: str,
    arguments: Mapping[str, Any] | None = None,
    caller: Caller | None = None,
    *,
    key: str | None = None,
    clock: FixedClock | None = None,
) -> Answer:
    """Call `tool` of `catalog` once, on a store of its own that nobody sees afterwards.

    It goes through the stages of a server in their order, so that what a schema refuses reaches no handler.

    Raises:
        ContractError: the catalog does not build.
    """
    with open_kit(catalog, clock=clock) as kit:
        return kit.call(tool, arguments, by=caller, key=key)
