"""The small service as a process: `stdio`, or `http` with the URL printed on a line.

Over stdio it behaves as badly as user code may: it prints, logs to standard output, and starts a child that does.
"""

from __future__ import annotations

import logging
import subprocess
import sys

import anyio

from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.stdio import serve_stdio, take_stdout
from fourfold.model.call import Call
from fourfold.model.outcome import Outcome
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller


class NoisyService(EdgeService):
    """Writes to standard output from a handler, in both ways that exist."""

    async def call(self, call: Call) -> Outcome:
        """Say hi first."""
        sys.stdout.write("hi from a handler\n")
        await anyio.run_process([sys.executable, "-c", "print('hi from a child')"], stdout=None)
        return await super().call(call)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def _http(service: EdgeService) -> None:
    await serve_http(build_app(service, SoleCaller(ANNA)), port=0, announce=_say)
    _say(f"ended with {service.writes} writes")


async def _stdio(service: EdgeService, wire: int) -> None:
    await serve_stdio(service, ANNA, wire=wire)
    sys.stderr.write(f"ended with {service.writes} writes\n")


if __name__ == "__main__":
    if sys.argv[1] == "http":
        anyio.run(_http, EdgeService())
    else:
        wire = take_stdout()
        sys.stdout.write("[db] Connected to ./x.db\n")
        logging.basicConfig(stream=sys.stdout, level=logging.INFO)
        logging.info("ready")  # noqa: LOG015  user code does this
        subprocess.run(["echo", "from a child at import"], check=True)
        anyio.run(_stdio, NoisyService() if sys.argv[1] == "noisy" else EdgeService(), wire)
