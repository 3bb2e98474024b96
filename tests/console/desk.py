"""The console over a kit's store, in process: people sign in, look at pages and send their forms."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx2
from starlette.types import ASGIApp

from fourfold import Catalog
from fourfold.console.app import build_console
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer
from fourfold.model.operator import Operator, Permission
from fourfold.runs.upkeep import fold_all
from fourfold.testing import Kit, open_kit

__all__ = ["ORIGIN", "Browser", "Desk", "Seen", "open_desk", "operator"]

ORIGIN = "http://127.0.0.1:8766"

_EVERYTHING = frozenset[Permission]({"claims.settle", "plans.approve", "outbox.retry"})


def operator(principal: str = "boss@acme", *tenants: str, **facts: Any) -> Operator:
    """An operator of `tenants`, or of acme, who may decide everything unless `facts` say otherwise."""
    known: dict[str, Any] = {"name": principal, "permissions": _EVERYTHING, **facts}
    return Operator(principal=principal, tenants=frozenset(tenants or ("acme",)), **known)


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer of the console."""

    status: int
    text: str
    headers: httpx2.Headers

    @property
    def words(self) -> str:
        """What a person reads: the page without its tags, white space drawn together."""
        body = re.sub(r"<(script|style)\b.*?</\1>", " ", self.text, flags=re.DOTALL)
        inline = re.sub(r"</?(a|code|strong|span|time)\b[^>]*>", "", body)
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", inline)).split())

    @property
    def location(self) -> str:
        """Where it sends the browser."""
        return self.headers.get("location", "")

    def field(self, name: str) -> str:
        """The value of a hidden field."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        assert found is not None, f"no field {name} on this page"
        return unescape(found[1])


@dataclass(slots=True)
class People:
    """Those who have tokens, by their token."""

    known: dict[str, Viewer] = field(default_factory=dict[str, Viewer])
    gone: set[Operator] = field(default_factory=set[Operator])

    def by_token(self, token: str) -> Viewer | None:
        """Whose token it is."""
        return self.known.get(token)

    def stands(self, operator: Operator) -> bool:
        """Whether they still are one."""
        return operator not in self.gone


@dataclass(slots=True)
class Browser:
    """One person's browser: it keeps cookies, and follows nothing by itself."""

    desk: Desk
    cookies: dict[str, str] = field(default_factory=dict[str, str])

    def get(self, path: str, *, headers: Mapping[str, str] | None = None, **query: str) -> Seen:
        """Look at a page."""
        where = f"{path}?{urlencode(query)}" if query else path
        return self._send(httpx2.Request("GET", ORIGIN + where, headers=headers))

    def post(self, path: str, **fields: str) -> Seen:
        """Send a form as a page of the console does."""
        return self.post_as(path, {}, **fields)

    def post_as(self, path: str, headers: Mapping[str, str], **fields: str) -> Seen:
        """Send a form with other headers."""
        sent = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded", **headers}
        return self._send(httpx2.Request("POST", ORIGIN + path, headers=sent, content=urlencode(fields)))

    def submit(self, path: str, **fields: str) -> Seen:
        """Send the form of the page at `path`, with what the page put into it."""
        page = self.get(path)
        return self.post(path, csrf=page.field("csrf"), **fields)

    def _send(self, request: httpx2.Request) -> Seen:
        if self.cookies:
            request.headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.desk.kit._portal.call(partial(self.desk.send, request))
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        return Seen(answer.status_code, answer.text, answer.headers)


@dataclass(slots=True)
class Desk:
    """A console and the kit under it."""

    kit: Kit
    console: Console
    people: People
    app: ASGIApp

    def browser(self) -> Browser:
        """The browser of somebody who is not signed in."""
        return Browser(self)

    def signed_in(self, viewer: Viewer | None = None) -> Browser:
        """The browser of somebody who used their link."""
        browser = self.browser()
        seen = browser.post("/sign-in", link=self.console.links.new(viewer or Viewer.of_store()))
        assert seen.status == 303
        return browser

    def deciding(self, by: Operator | None = None) -> Browser:
        """The browser of an operator."""
        return self.signed_in(Viewer.of_operator(by or operator()))

    def tenant(self, name: str) -> Browser:
        """The browser of somebody who sees one tenant."""
        return self.signed_in(Viewer(name=name, tenants=frozenset({name})))

    def settle(self) -> None:
        """Store every run that is queued, and sum all of them up."""
        self.kit.runs()
        self.kit._portal.call(partial(fold_all, self.kit._store, clock=self.kit.clock))

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        """The application's answer."""
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=self.app)) as client:
            return await client.send(request)


@contextmanager
def open_desk(tools: Catalog, **facts: Any) -> Generator[Desk]:
    """The console of some tools in a kit; `facts` are fields of `Console`."""
    with open_kit(tools) as kit:
        ports, people = kit.service.ports, People()
        known: dict[str, Any] = {"sealer": ports.sealer, "catalog": ports.catalog, **facts}
        console = Console(store=kit._store, clock=kit.clock, people=people, **known)
        yield Desk(kit, console, people, build_console(console))
