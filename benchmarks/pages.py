"""Every page of the console over a store, as a question that can be timed: what the server does for it, all in all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import httpx2
from starlette.types import ASGIApp

from benchmarks.made_runs import END_MS
from benchmarks.questions import Question
from fourfold.console.app import build_console
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer
from fourfold.model.operator import Operator
from fourfold.ports.store import Store
from fourfold.runs.asking import AskedStore
from fourfold.testing import FixedClock

__all__ = ["page_questions"]

_ORIGIN = "http://127.0.0.1:8766"

_PATHS = (
    "/",
    "/?since=7d",
    "/runs",
    "/runs?failed=yes",
    "/runs?account=ACC-00003",
    "/runs?tool=quote_create&failed=yes",
    "/runs?tool=no_such_tool",
    "/runs/tail",
    "/failures?since=24h",
    "/failures?since=30d",
    "/failures?since=90d",
    "/cost?since=30d",
    "/cost?since=90d&by=day",
    "/tools?since=90d",
    "/tool?name=quote_create",
    "/approvals",
    "/claims",
    "/selection",
    "/diff",
)
"""Pages, and the filters that ask the store for most."""


@dataclass(frozen=True, slots=True)
class _People:
    known: Mapping[str, Viewer]

    def by_token(self, token: str) -> Viewer | None:
        return self.known.get(token)

    def stands(self, operator: Operator) -> bool:
        return any(viewer.operator == operator for viewer in self.known.values())


@dataclass(frozen=True, slots=True)
class _Reader:
    """Somebody who is signed in, in process."""

    app: ASGIApp
    cookies: Mapping[str, str]

    async def read(self, path: str) -> None:
        """Get a page, all of it."""
        transport = httpx2.ASGITransport(app=self.app)
        async with httpx2.AsyncClient(transport=transport, base_url=_ORIGIN, cookies=dict(self.cookies)) as client:
            answer = await client.get(path)
        if answer.status_code != 200:
            raise RuntimeError(f"{path} was answered with {answer.status_code}")


async def page_questions(store: Store, *, run_id: str) -> Mapping[str, Question]:
    """Each page by its path, for somebody who sees all tenants, at the time when the made-up runs end."""
    console = Console(store=store, sealer=None, clock=FixedClock(END_MS), people=_People({}))
    app = build_console(console)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=_ORIGIN) as client:
        link = {"link": console.links.new(Viewer.of_store())}
        answer = await client.post("/sign-in", data=link, headers={"origin": _ORIGIN})
    reader = _Reader(app, dict(answer.cookies))
    return {f"page {path}": partial(_page, reader=reader, path=path) for path in (*_PATHS, f"/runs/{run_id}")}


async def _page(_store: AskedStore, *, reader: _Reader, path: str) -> None:
    await reader.read(path)
