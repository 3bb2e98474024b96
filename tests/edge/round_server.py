"""The shop, whose order asks a person, as a process: `stdio`, or `http` with the URL printed on a line."""

from __future__ import annotations

import sys

import anyio

from fourfold.bootstrap.service import open_service
from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.stdio import serve_stdio, take_stdout
from tests.edge.edge_service import ANNA, SoleCaller
from tests.stages.shop import shop


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def _http() -> None:
    async with open_service(shop().build(), "memory:") as service:
        await serve_http(build_app(service, SoleCaller(ANNA)), port=0, announce=_say)


async def _stdio(wire: int) -> None:
    async with open_service(shop().build(), "memory:") as service:
        await serve_stdio(service, ANNA, wire=wire)


if __name__ == "__main__":
    if sys.argv[1] == "http":
        anyio.run(_http)
    else:
        anyio.run(_stdio, take_stdout())
