"""One server of durable writes in a process of its own: `python -m benchmarks.durable enforced|bare STORE_URL`.

Both answer `quote_create` over the same gate, SDK, checks and group commit. The enforced one is Fourfold as it is
served; the bare one has no claim, no look for a twin, no sealed outcome and no run: its transaction holds the INSERT.
"""

from __future__ import annotations

import base64
import os
import sys
from urllib.parse import urlsplit

import anyio

from benchmarks.fourfold_contender import IDENTITY, catalog
from benchmarks.serve import HAS_UVLOOP
from fourfold.bootstrap.service import KEYS_VARIABLE, open_service
from fourfold.edge.asgi import build_app, serve_http
from fourfold.model.outcome import Outcome
from fourfold.ports.units import Transaction
from fourfold.stages.admit import admit
from fourfold.stages.authorize import authorize
from fourfold.stages.flow import Flow
from fourfold.stages.inside import inside
from fourfold.stages.pipeline import pipeline
from fourfold.stages.service import Service
from fourfold.stages.validate_input import validate_input

__all__ = ["KINDS", "main"]

KINDS = ("enforced", "bare")


def main() -> None:
    """Serve until SIGTERM; print the port as soon as connections are taken."""
    kind, url = sys.argv[1:]
    # Replicas on PostgreSQL are given their keys; these seal nothing that outlives the benchmark.
    os.environ.setdefault(KEYS_VARIABLE, f"bench:{base64.b64encode(os.urandom(32)).decode()}")
    anyio.run(_serve, kind, url, backend_options={"use_uvloop": HAS_UVLOOP})


async def _serve(kind: str, url: str) -> None:
    async with open_service(catalog.build(), url) as enforced:
        service = enforced if kind == "enforced" else Service(enforced.ports, _BARE)
        await serve_http(build_app(service, IDENTITY), port=0, announce=_announce)


def _announce(url: str) -> None:
    print(urlsplit(url).port, flush=True)


async def _insert(flow: Flow) -> Outcome:
    def work(transaction: Transaction) -> Outcome:
        return transaction.attempt(lambda unit: inside(flow, unit), subject=flow.name_subject)

    return await flow.ports.units.write(work, deadline=flow.deadline, tenant=flow.tenant)


_BARE = pipeline((admit, validate_input, authorize), last=_insert)


if __name__ == "__main__":
    main()
