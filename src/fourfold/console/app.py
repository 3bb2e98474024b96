"""The console as an ASGI application: its places, who may see them, and what is said when something is wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from fourfold.console.asked import COOKIE, Asked, Page, tenant_of
from fourfold.console.guard import Guard
from fourfold.console.pages.approvals import approvals, plan, say
from fourfold.console.pages.case import case, case_file
from fourfold.console.pages.claims import claim, claims, settle
from fourfold.console.pages.cost import cost
from fourfold.console.pages.diff import catalog_diff
from fourfold.console.pages.failures import failures
from fourfold.console.pages.now import now
from fourfold.console.pages.run import run
from fourfold.console.pages.runs import runs, tail
from fourfold.console.pages.selection import selection
from fourfold.console.pages.signing import SignIn
from fourfold.console.pages.tool import tool
from fourfold.console.pages.tools import tools
from fourfold.console.parts import Console
from fourfold.console.render import templates
from fourfold.errors import DecisionError, StoreError

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["MOUNTED", "beside", "build_console"]

MOUNTED = "/console"
"""Where the console is beside a server."""

_log = logging.getLogger("fourfold.console")

_PLACES: tuple[tuple[str, str, Page], ...] = (
    ("/", "Now", now),
    ("/runs", "Runs", runs),
    ("/failures", "Failures", failures),
    ("/cost", "Cost", cost),
    ("/tools", "Tools", tools),
    ("/approvals", "Approvals", approvals),
    ("/claims", "Claims", claims),
    ("/selection", "Selection", selection),
    ("/diff", "Catalog diff", catalog_diff),
)
"""What stands in the head of every page."""

_READ: tuple[tuple[str, Page], ...] = (
    ("/runs/tail", tail),
    ("/runs/{run_id}", run),
    ("/runs/{run_id}/case", case),
    ("/runs/{run_id}/case.py", case_file),
    ("/tool", tool),
    ("/approvals/{plan_id}", plan),
    ("/claims/{operation_id}", claim),
)
_DECIDE: tuple[tuple[str, Page], ...] = (
    ("/approvals/{plan_id}", say),
    ("/claims/{operation_id}", settle),
)
"""Forms that change something."""

_WORDS = {
    403: "You may not do this.",
    404: "There is nothing here that you may see.",
    405: "This page is not asked that way.",
    413: "That is too large.",
}


def build_console(console: Console, *, beyond_loopback: bool = False) -> ASGIApp:
    """The application. Mounted under a path, it finds that in `root_path`.

    Raises:
        ConfigError: the library for templates is not installed.
    """
    environment = templates()
    signing = SignIn(console, environment)
    asked = _Asking(console, environment)
    reading = [(path, page) for path, _, page in _PLACES] + list(_READ)
    app = Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
            Route("/sign-in", signing.show, methods=["GET"]),
            Route("/sign-in", signing.enter, methods=["POST"]),
            Route("/sign-out", asked.by(signing.leave), methods=["POST"]),
            *(Route(path, asked.by(page), methods=["GET"]) for path, page in reading),
            *(Route(path, asked.by(page), methods=["POST"]) for path, page in _DECIDE),
        ],
        exception_handlers={HTTPException: asked.refused, DecisionError: asked.undecided, Exception: asked.failed},
    )
    return Guard(app, hosts=console.hosts, beyond_loopback=beyond_loopback)


def beside(server: ASGIApp, console: Console, *, beyond_loopback: bool) -> ASGIApp:
    """One application of both: the console under `/console`, everything else as it was.

    Raises:
        ConfigError: the library for templates is not installed.
    """
    pages = build_console(console, beyond_loopback=beyond_loopback)

    async def both(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and f"{scope['path']}/".startswith(f"{MOUNTED}/"):
            first_page = {"path": f"{MOUNTED}/"} if scope["path"] == MOUNTED else {}
            await pages({**scope, "root_path": MOUNTED, **first_page}, receive, send)
        else:
            await server(scope, receive, send)

    return both


class _Asking:
    """From a request to the page that answers it."""

    def __init__(self, console: Console, environment: Environment) -> None:
        self._console = console
        self._environment = environment
        self._nav = tuple((path, name) for path, name, _ in _PLACES)

    def by(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint that lets signed-in people reach `page`."""

        async def endpoint(request: Request) -> Response:
            session = self._console.sessions.find(request.cookies.get(COOKIE, ""))
            if session is None:
                return _to_sign_in(request)
            tenant = tenant_of(session.viewer, request.query_params.get("tenant", ""))
            asked = Asked(
                console=self._console,
                request=request,
                session=session,
                tenant=tenant,
                environment=self._environment,
                nav=self._nav,
            )
            try:
                return await page(asked)
            except (HTTPException, DecisionError):
                raise
            except Exception as error:  # Starlette would raise it again after its answer, into the server's log
                return await self.failed(request, error)

        return endpoint

    async def refused(self, request: Request, error: Exception) -> Response:
        """A page for what HTTP has a number for."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = error.detail if isinstance(error, HTTPException) and status == 403 else ""
        return self._say(request, status, detail or _WORDS.get(status, "This did not work."))

    async def undecided(self, request: Request, error: Exception) -> Response:
        """A decision that was refused, with its reason: it is written for people."""
        return self._say(request, 409, f"Nothing was changed: {error}.")

    async def failed(self, request: Request, error: Exception) -> Response:
        """Whatever broke: the page has a reference, and the log the rest."""
        reference = token_hex(8)
        _log.error("a page failed, reference %s", reference, exc_info=error)
        busy = isinstance(error, StoreError)
        said = "The store did not answer in time. Load the page again." if busy else "This page failed."
        return self._say(request, 503 if busy else 500, f"{said} The log has more under {reference}.")

    def _say(self, request: Request, status: int, text: str) -> Response:
        base = request.scope.get("root_path", "")
        page = self._environment.get_template("error.html").render(status=status, text=text, base=base)
        return HTMLResponse(page, status)


def _to_sign_in(request: Request) -> Response:
    base = request.scope.get("root_path", "")
    if request.headers.get("hx-request"):
        # A redirect would put the form into the middle of the page.
        return Response(status_code=401, headers={"hx-redirect": f"{base}/sign-in"})
    wanted = request.url.path.removeprefix(base)
    if request.method != "GET" or wanted == "/":
        return RedirectResponse(f"{base}/sign-in", 303)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{base}/sign-in?next={quote(wanted + query)}", 303)
