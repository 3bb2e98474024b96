"""One of two servers over one store: makes its calls all at once when it is told to, and says how each ended.

`python -m tests.interaction.one_of_two STORE_URL CALLS KEY`; the key `-` stands for none. The keys of the ring come
from the environment, as they do for replicas.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Annotated

import anyio
from pydantic import Field

from fourfold import Caller, Catalog, Create, Input, Output, Unit
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.model.outcome import Done, Outcome
from fourfold.stages.service import Service

__all__ = ["slips"]

CLERK = Caller(principal="clerk@acme", tenant="acme", scopes=frozenset(), name="clerk")


class SlipAdd(Input):
    """What the slip says."""

    text: Annotated[str, Field(min_length=1, max_length=100)]


class Slip(Output):
    """The slip that was added."""

    text: Annotated[str, Field(max_length=100)]


def slips() -> Catalog:
    """One tool that writes a row which nothing but the claim keeps from being written twice."""
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

    return catalog


def ending(outcome: Outcome) -> str:
    """How a call ended, in a word."""
    if isinstance(outcome, Done):
        return "replayed" if outcome.replayed else "done"
    fault = getattr(outcome, "fault", None)
    return fault.code if fault else type(outcome).__name__


async def calls(service: Service, count: int, key: str | None) -> Counter[str]:
    """How `count` equal calls at once end."""
    endings: Counter[str] = Counter()

    async def one() -> None:
        call = Call(tool="slip_add", arguments={"text": "one"}, caller=CLERK, meta_key=key)
        endings[ending(await service.call(call))] += 1

    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(one)
    return endings


async def serve(url: str, count: str, key: str) -> None:
    """Open the store, say so, wait for the word, and call."""
    async with open_service(slips().build(), url) as service:
        print("ready", flush=True)  # noqa: T201  the parent waits for it
        await anyio.to_thread.run_sync(sys.stdin.readline)
        endings = await calls(service, int(count), None if key == "-" else key)
    print(json.dumps(endings))  # noqa: T201  the answer to the parent


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1], sys.argv[2], sys.argv[3])
