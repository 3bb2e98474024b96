"""A process that redeems one state many times at once: `python -m tests.interaction.round_replayer STORE STATE`.

It says `ready`, waits for a line, and prints what each call was answered with, as JSON.
"""

from __future__ import annotations

import json
import sys

import anyio

from fourfold.bootstrap.service import open_service
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.testing import Answer, caller
from tests.stages.shop import order, shop

CALLS = 25


async def redeem(store: str, state: str) -> None:
    """Redeem `state` with the same answer in every call."""
    answers: list[dict[str, object]] = []
    response = InputResponse(action="accept", content={"pieces": 3})
    call = Call(tool="order_place", arguments=order(), caller=caller(), state=state, responses={"fewer": response})
    async with open_service(shop().build(), store) as service:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await anyio.to_thread.run_sync(sys.stdin.readline)

        async def one() -> None:
            answer = Answer(await service.call(call))
            answers.append({"ok": answer.ok, "replayed": answer.replayed, "code": answer.code, **answer.structured})

        async with anyio.create_task_group() as tasks:
            for _ in range(CALLS):
                tasks.start_soon(one)
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    anyio.run(redeem, sys.argv[1], sys.argv[2])
