"""`Service`: a built catalog with its ports, ready to be called by an edge, a test or a command."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from fourfold.catalog.build import BuiltCatalog
from fourfold.errors import ConfigError
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.contract import ToolContract
from fourfold.model.outcome import Outcome
from fourfold.model.retention import Retention
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.sandbox import QueryRunner
from fourfold.ports.sealer import Sealer
from fourfold.ports.store import Store
from fourfold.ports.telemetry import Telemetry
from fourfold.stages.admit import listed
from fourfold.stages.flow import Flow, Ports, Proceed, new_id
from fourfold.stages.limits import Guard
from fourfold.stages.listing import Listing, list_tools
from fourfold.stages.pipeline import pipeline
from fourfold.stages.requests import LeasedRequests
from fourfold.stages.timed import TimedUnits

__all__ = ["THREADS", "Service"]

THREADS = 16
"""Threads for plain handlers that take no unit; apart from those of the store and of the transport.

A handler that outlives its deadline keeps its thread until it ends, so that such handlers cannot pile up.
"""


@dataclass(frozen=True, slots=True)
class Service:
    """Calls and lists tools. One instance serves every caller and transport of a process."""

    ports: Ports
    _pipeline: Proceed = field(default_factory=pipeline, repr=False)

    @classmethod
    def over(
        cls,
        catalog: BuiltCatalog,
        store: Store,
        *,
        sealer: Sealer,
        clock: Clock,
        toolsets: frozenset[str] = frozenset(),
        queries: QueryRunner | None = None,
        retention: Retention | None = None,
        telemetry: Telemetry | None = None,
    ) -> Service:
        """The service of `catalog` over `store`; with `toolsets`, only their tools are served.

        `queries` is needed if a tool of the catalog runs queries. `telemetry` is told how calls and the store went.

        Raises:
            ConfigError: no tool is in one of the toolsets, or a tool cannot be served by this version.
        """
        _refuse_unknown_toolsets(catalog, toolsets)
        _refuse_open_sandboxes(catalog, queries)
        units = store.units if telemetry is None else TimedUnits(store.units, telemetry=telemetry, clock=clock)
        ports = Ports(
            catalog=catalog,
            units=units,
            claims=store.claims,
            plans=store.plans,
            messages=store.messages,
            handles=store.handles,
            runs=store.runs,
            tallies=store.tallies,
            seals=store.seals,
            sealer=sealer,
            clock=clock,
            policy=catalog.source.policy,
            guard=Guard(),
            threads=ThreadPoolExecutor(THREADS, thread_name_prefix="fourfold-handler"),
            requests=LeasedRequests(units=units, budgets=store.budgets, clock=clock),
            toolsets=toolsets,
            queries=queries,
            retention=retention or Retention(),
            telemetry=telemetry,
        )
        return cls(ports)

    @property
    def name(self) -> str:
        """The catalog's name."""
        return self.ports.catalog.name

    @property
    def version(self) -> str:
        """The catalog's version."""
        return self.ports.catalog.version

    @property
    def instructions(self) -> str:
        """What the model reads about all the tools together."""
        return self.ports.catalog.instructions

    @property
    def telemetry(self) -> Telemetry | None:
        """Who is told how calls went, if anybody listens."""
        return self.ports.telemetry

    async def call(self, call: Call) -> Outcome:
        """Run one call through the stages. Raises nothing but the cancellation of a caller that went away."""
        clock = self.ports.clock
        draft = RunDraft(run_id=new_id("run", clock), call=call, at_ms=clock.now_ms())
        return await self._pipeline(Flow(call=call, ports=self.ports, draft=draft, started=clock.ticks()))

    def list_tools(self, caller: Caller, cursor: str | None = None) -> Listing:
        """One page of what `caller` may see.

        Raises:
            SealError: `cursor` is not one that this caller was given for this list.
        """
        return list_tools(self.ports, caller, cursor=cursor)

    def find(self, caller: Caller, name: str) -> ToolContract | None:
        """The contract of a tool that is listed for `caller`; `None` for any other name."""
        tool = self.ports.catalog.tools.get(name)
        return tool.contract if tool is not None and listed(self.ports, tool, caller=caller) else None

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """The scopes that an HTTP 403 should ask for before `caller` may call `name`; empty if none are missing."""
        contract = self.find(caller, name)
        if contract is None or caller.holds(contract.needs):
            return frozenset()
        return contract.needs


def _refuse_unknown_toolsets(catalog: BuiltCatalog, chosen: frozenset[str]) -> None:
    known = {name for tool in catalog.tools.values() for name in tool.contract.toolsets}
    unknown = sorted(chosen - known)
    if unknown:
        raise ConfigError(f"no toolset is named {', '.join(unknown)}; known: {', '.join(sorted(known)) or 'none'}")


def _refuse_open_sandboxes(catalog: BuiltCatalog, queries: QueryRunner | None) -> None:
    names = [name for name, tool in catalog.tools.items() if tool.contract.sandbox is not None]
    if names and queries is None:
        raise ConfigError(f"{', '.join(names)}: a query runs only where the store has a sandbox")
