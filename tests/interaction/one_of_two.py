"""One of two servers over one store: makes its calls all at once when it is told to, and says how each ended.

`python -m tests.interaction.one_of_two STORE_URL CALLS CALL`; the call is JSON, with tool, arguments and key. The keys
of the ring come from the environment, as they do for replicas.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Annotated, Any

import anyio
from pydantic import Field

from fourfold import Caller, Catalog, Create, Destroy, Fault, Input, Output, Resource, Retry, Unit
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.model.outcome import Done, Outcome
from fourfold.model.plan import Impact, PlanTerms
from fourfold.stages.service import Service

__all__ = ["BUSY", "CLERK", "adding", "calls", "ending", "slips"]

BUSY = frozenset({"in_progress", "too_busy"})
"""What is told to come again: by the key's owner, which has not committed yet, or by a server with enough to do."""

_AGAIN = 200
_AT_ONCE = 50
"""Calls that are under way at the same time; a server takes some more before it is too busy."""

CLERK = Caller(principal="clerk@acme", tenant="acme", scopes=frozenset(), name="clerk")


class SlipAdd(Input):
    """What the slip says."""

    text: Annotated[str, Field(min_length=1, max_length=100)]


class Slip(Output):
    """The slip that was added."""

    text: Annotated[str, Field(max_length=100)]


class NoSlip(Fault):
    """There is no such slip."""

    code, retry, next_step = "no_slip", Retry.NEVER, "Ask the user which slip they mean."


def _slip(request: SlipAdd) -> Resource:
    return Resource(id=request.text, version="1")


def _impact(request: SlipAdd) -> Impact:
    return Impact(summary=f"Burns {request.text} for good.")


def slips() -> Catalog:
    """Tools that write a row which nothing but the claim, or the plan, keeps from being written twice."""
    catalog = Catalog("slips", instructions="Adds slips.")

    @catalog.prepare
    def prepare(unit: Unit) -> None:
        unit.execute("CREATE TABLE IF NOT EXISTS slip (tenant TEXT NOT NULL, text TEXT NOT NULL)")

    @catalog.tool(
        name="slip_add",
        version="1.0",
        does="Add a slip.",
        use_when="the user dictates one",
        not_for="reading slips",
        effect=Create(),
    )
    def slip_add(request: SlipAdd, unit: Unit, caller: Caller) -> Slip:
        unit.execute("INSERT INTO slip VALUES (?, ?)", (caller.tenant, request.text))
        return Slip(text=request.text)

    catalog.tool(
        name="slip_burn",
        version="1.0",
        does="Burn a slip, and leave its ashes.",
        use_when="the user wants one gone",
        not_for="adding slips (slip_add)",
        effect=Destroy(plan=PlanTerms(impact=_impact)),
        resource=_slip,
        missing=NoSlip,
    )(slip_add)
    return catalog


def ending(outcome: Outcome) -> str:
    """How a call ended, in a word."""
    if isinstance(outcome, Done):
        return "replayed" if outcome.replayed else "done"
    fault = getattr(outcome, "fault", None)
    return fault.code if fault else type(outcome).__name__


def adding(key: str | None) -> Call:
    """The call that adds a slip under `key`."""
    return Call(tool="slip_add", arguments={"text": "one"}, caller=CLERK, meta_key=key)


async def calls(service: Service, call: Call, count: int) -> Counter[str]:
    """How `count` of this call end, as many at once as may be. One that is told to come again does, some times."""
    endings: Counter[str] = Counter()
    room = anyio.CapacityLimiter(_AT_ONCE)

    async def one() -> None:
        async with room:
            told = ending(await service.call(call))
            for _ in range(_AGAIN):
                if told in BUSY:
                    told = ending(await service.call(call))
            endings[told] += 1

    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(one)
    return endings


async def serve(url: str, count: str, asked: str) -> None:
    """Open the store, say so, wait for the word, and call."""
    facts: dict[str, Any] = json.loads(asked)
    async with open_service(slips().build(), url) as service:
        print("ready", flush=True)  # noqa: T201  the parent waits for it
        await anyio.to_thread.run_sync(sys.stdin.readline)
        endings = await calls(service, Call(caller=CLERK, **facts), int(count))
    print(json.dumps(endings))  # noqa: T201  the answer to the parent


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1], sys.argv[2], sys.argv[3])
